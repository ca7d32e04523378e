/** The invoices of the last month whose list holds any. */
import { unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An invoice as a list shows it, in one of its currencies. */
export interface ListedNet {
  readonly period: string;
  readonly number: number;
  readonly issued_at: string | null;
  readonly currency: string;
  /** In ledger units, as text. */
  readonly net: string;
}

/** Those that the last list with invoices shows of a courier, by number and currency; none before its first. */
export async function readLastListed(db: LedgerReader): Promise<ListedNet[]> {
  return db
    .selectFrom('invoice_listed as l')
    .innerJoin('invoice_listed_amount as a', (join) =>
      join.onRef('a.period', '=', 'l.period').onRef('a.invoice_number', '=', 'l.invoice_number'),
    )
    .select(['l.period', 'l.invoice_number as number', 'l.issued_at', 'a.currency'])
    .select(unitsText('a.net_due_to_merchant').as('net'))
    .where('l.vanished_at', 'is', null)
    .where('l.period', '=', (eb) =>
      eb
        .selectFrom('invoice_listed as last')
        .select((last) => last.fn.max('last.period').as('period'))
        .where('last.vanished_at', 'is', null),
    )
    .orderBy('l.invoice_number')
    .orderBy('a.currency')
    .execute();
}

/** Whether any list ever showed an invoice of a courier. */
export async function holdsListed(db: LedgerReader): Promise<boolean> {
  return (await db.selectFrom('invoice_listed').select('period').limit(1).executeTakeFirst()) !== undefined;
}
