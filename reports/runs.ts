import { type Run, readRuns } from '../src/ledger/queries/sync/runs.ts';
import type { ReportContext } from './context.ts';
import type { Cell, Column, Report, Row } from './model.ts';

/** The columns with counts, each with its path in the JSON of a run's summary. */
const COUNTS: readonly [name: string, path: readonly string[]][] = [
  ['requests', ['requests']],
  ['retries', ['retries']],
  ['bytes', ['bytes']],
  ['invoices_listed', ['invoices', 'listed']],
  ['invoices_fetched', ['invoices', 'fetched']],
  ['invoices_unchanged', ['invoices', 'unchanged']],
  ['invoices_failed', ['invoices', 'failed']],
  ['orders_listed', ['orders', 'listed']],
  ['orders_changed', ['orders', 'changed']],
  ['malformed', ['malformed']],
];

const COLUMNS: Column[] = [
  { name: 'run', type: 'number' },
  { name: 'command', type: 'text' },
  { name: 'started_at', type: 'datetime' },
  { name: 'finished_at', type: 'datetime' },
  { name: 'status', type: 'text' },
  ...COUNTS.map(([name]): Column => ({ name, type: 'count' })),
  { name: 'remit_version', type: 'text' },
];

/** Every run, the latest first, with what it fetched; a run that never ended has no counts. */
export async function runs({ db, period }: ReportContext): Promise<Report> {
  return { report: 'runs', title: 'Runs', period, columns: COLUMNS, rows: rows(), totals: () => [], notes: () => [] };

  async function* rows(): AsyncGenerator<Row> {
    for await (const run of readRuns(db)) yield rowOf(run);
  }
}

function rowOf(run: Run): Row {
  const summary = parseSummary(run.summary);
  return {
    run: run.id,
    command: run.command,
    started_at: run.started_at,
    finished_at: run.finished_at,
    status: run.status,
    ...Object.fromEntries(COUNTS.map(([name, path]) => [name, countAt(summary, path)])),
    remit_version: run.remit_version,
  };
}

/** A summary may come from an older or newer version: what it lacks is an empty cell, not an error. */
function parseSummary(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function countAt(summary: unknown, path: readonly string[]): Cell {
  let value = summary;
  for (const key of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null;
  }
  return Number.isSafeInteger(value) ? (value as number) : null;
}
