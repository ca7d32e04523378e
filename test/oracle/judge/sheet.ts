import type { Expected, Part } from './finding.ts';

export interface Settings {
  readonly overdueDays: number;
  readonly invoiceLagDays: number;
}

/** Collects what the judges find, and the money that it takes. */
export class Sheet {
  readonly settings: Settings;
  readonly findings: Expected[] = [];
  readonly parts: Part[] = [];
  /** The months in which money was compared with nothing. Rule 62. */
  readonly notCompared = new Set<string>();

  constructor(settings: Settings) {
    this.settings = settings;
  }

  add(finding: Expected): void {
    this.findings.push(finding);
  }

  part(part: Part): void {
    this.parts.push(part);
  }
}
