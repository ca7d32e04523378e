import type { RunStatus } from '../ledger/schema.ts';
import { endRun, writeRun } from '../ledger/write/listed.ts';
import type { Derive } from './derivation.ts';

/** A run when it begins: the `data` of its evidence. */
export interface RunBegun {
  readonly command: string;
  readonly version: string;
  /** The months that it covers; null for all. */
  readonly period: string | null;
}

/** How a run ended: the `data` of its evidence. */
export interface RunEnded {
  readonly status: RunStatus;
  /** False for a run that was killed, which a later run found and closed. */
  readonly finished: boolean;
  readonly summary: object | null;
}

export const deriveRunBegun: Derive = async ({ trx, evidence }) => {
  const { command, version, period } = JSON.parse(evidence.data!) as RunBegun;
  await writeRun(trx, {
    id: evidence.run_id!,
    command,
    started_at: evidence.at,
    finished_at: null,
    status: 'running',
    remit_version: version,
    period,
    summary: null,
  });
};

export const deriveRunEnded: Derive = async ({ trx, evidence }) => {
  const { status, finished, summary } = JSON.parse(evidence.data!) as RunEnded;
  await endRun(trx, Number(evidence.subject), {
    status,
    finished_at: finished ? evidence.at : null,
    summary: summary ? JSON.stringify(summary) : null,
  });
};
