import { Writable } from 'node:stream';
import type { Column, Report, Row } from '../../reports/model.ts';
import { type RenderOptions, type ReportFormat, renderReport } from '../../src/render/report.ts';

/** A small report of these columns and rows; what is not said is empty. */
export function reportOf(columns: readonly Column[], rows: Report['rows'], extras: Partial<Report> = {}): Report {
  const plain = { report: 'orders', title: 'Orders', period: '2026-10' };
  return { ...plain, columns, rows, totals: () => [], notes: () => [], ...extras };
}

export const text = (name: string): Column => ({ name, title: name, type: 'text' });
export const money = (name: string): Column => ({ name, title: name, type: 'money' });
export const column = (name: string, type: Column['type']): Column => ({ name, title: name, type });
export const integer = (name: string): Column => ({ name, title: name, type: 'count' });

/** Everything that a renderer writes to its stream. */
export async function rendered(
  report: Report,
  format: ReportFormat,
  options: Partial<RenderOptions> = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await renderReport(report, format, out, { generatedAt: new Date('2026-11-01T08:00:00Z'), ...options });
  return Buffer.concat(chunks);
}

/** Rows with one column of text each. */
export function rowsOf(texts: readonly string[]): Row[] {
  return texts.map((value) => ({ text: value }));
}
