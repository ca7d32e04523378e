import { type RawBuilder, sql } from 'kysely';
import type { CheckContext, Gone, NotComparable } from './check.ts';
import { inPeriods } from './finding.ts';

/**
 * An invoice and its last readable row of a list, whichever month showed it; join it as `from ...`. A row that can no longer be read
 * keeps its last readable form, and one that never could has no status.
 */
export const INVOICE_AND_LIST: RawBuilder<unknown> = sql`invoice i
  join invoice_listed l on l.invoice_number = i.number and l.period = (
    select last.period from invoice_listed last
    where last.invoice_number = i.number and last.status is not null
    order by last.read_evidence_id desc, last.period desc
    limit 1
  )`;

/** How many of these months' invoices have a detail and a list row, and how many of them no readable list row. */
export async function listedPopulation({ db, periods, memo }: CheckContext): Promise<{
  compared: number;
  notComparable: readonly NotComparable[];
  unlisted: ReadonlySet<number>;
}> {
  return memo.once('listed', async () => {
    const unlisted = await sql<{ number: number }>`
      select i.number from invoice i
      where ${inPeriods(periods)} and not exists (
        select 1 from invoice_listed l
        where l.invoice_number = i.number and l.status is not null
      )`.execute(db);
    const all = await sql<{
      count: number;
    }>`select count(*) as count from invoice i where ${inPeriods(periods)}`.execute(db);
    const count = unlisted.rows.length;
    return {
      compared: Number(all.rows[0]!.count) - count,
      notComparable: count === 0 ? [] : [{ why: 'the list’s row of the invoice could not be read', count }],
      unlisted: new Set(unlisted.rows.map(({ number }) => number)),
    };
  });
}

/** Those of some mismatches whose invoice has no readable list row now. */
export async function unseenLists(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>> {
  const { unlisted } = await listedPopulation(context);
  return new Set(gone.filter(({ invoice_number }) => unlisted.has(invoice_number!)).map(({ id }) => id));
}
