import { sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';
import { courierName, type Views } from './view.ts';

/** The counts in a run's summary: the view's column, and the path in the summary's JSON. */
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

/** Views of the documents behind the figures, and of the runs that brought them. */
export function evidenceViews({ jsonCount }: MigrationDialect): Views {
  return {
    documents: sql`
      select ${courierName('e')}, e.id as evidence, e.kind, e.subject, e.at as received_at, e.run_id as run, e.source, b.size, e.sha256, e.fault
      from evidence e left join evidence_body b on b.sha256 = e.sha256`,
    month_documents: sql`
      select ${courierName('i')}, i.period, i.number as invoice_number, e.at as received_at, e.run_id as run, b.size, b.sha256
      from invoice i join evidence e on e.id = i.detail_evidence_id join evidence_body b on b.sha256 = i.detail_sha256
      where i.vanished_at is null`,
    runs: sql`
      select ${courierName('run')}, id as run, command, started_at, finished_at, status, period,
        ${sql.join(COUNTS.map(([name, path]) => sql`${jsonCount('summary', path)} as ${sql.ref(name)}`))}, remit_version
      from run`,
  };
}
