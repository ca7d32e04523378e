import { jsonOf } from '../src/base/text.ts';
import { type Run, readRuns } from '../src/ledger/queries/sync/runs.ts';
import { columnsOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import type { Cell, Report, Row } from './model.ts';

/** The columns with counts. In the JSON of a run's summary, `invoices_listed` is `listed` in `invoices`. */
const COUNTS = columnsOf(
  'requests:count retries:count bytes:count invoices_listed:count invoices_fetched:count invoices_unchanged:count',
  'invoices_failed:count orders_listed:count orders_changed:count malformed:count',
);

const COLUMNS = [...columnsOf('run command started_at finished_at status'), ...COUNTS, ...columnsOf('remit_version')];

/** Every run, the latest first, with what it fetched; a run that never ended has no counts. */
export async function runs({ db, period }: ReportContext): Promise<Report> {
  return { report: 'runs', title: 'Runs', period, columns: COLUMNS, rows: rows(), totals: () => [], notes: () => [] };

  async function* rows(): AsyncGenerator<Row> {
    for await (const run of readRuns(db)) yield rowOf(run);
  }
}

function rowOf(run: Run): Row {
  // A summary may come from an older or newer version: what it lacks is an empty cell, not an error.
  const summary = run.summary === null ? null : jsonOf(run.summary);
  return {
    run: run.id,
    command: run.command,
    started_at: run.started_at,
    finished_at: run.finished_at,
    status: run.status,
    ...Object.fromEntries(COUNTS.map(({ name }) => [name, countAt(summary, name.split('_'))])),
    remit_version: run.remit_version,
  };
}

function countAt(summary: unknown, path: readonly string[]): Cell {
  let value = summary;
  for (const key of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null;
  }
  return Number.isSafeInteger(value) ? (value as number) : null;
}
