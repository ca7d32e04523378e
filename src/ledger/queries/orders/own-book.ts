/** Your shop's own order book, as it was imported. */
import { type RawBuilder, sql } from 'kysely';
import { chunks } from '../../chunks.ts';
import type { OwnOrderTable } from '../../schema.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

export type OwnOrder = Pick<OwnOrderTable, 'reference' | 'status' | 'ordered_on' | 'district'>;

export async function readOwnOrders(db: LedgerReader): Promise<OwnOrder[]> {
  const { rows } = await sql<OwnOrder>`
    select reference, status, ordered_on, district from own_order order by reference`.execute(db);
  return rows;
}

/** An order of your own book, with the import that last changed it; null if the book lacks it. */
export async function readOwnOrder(db: LedgerReader, reference: string) {
  const order = await db.selectFrom('own_order').selectAll().where('reference', '=', reference).executeTakeFirst();
  return order ?? null;
}

/** The month of the first order in your own book; null if none has a date. */
export async function readOwnBookStart(db: LedgerReader): Promise<string | null> {
  const { rows } = await sql<{ first: string | null }>`select min(ordered_on) as first from own_order`.execute(db);
  return rows[0]?.first?.slice(0, 7) ?? null;
}

/** The COD of one order in one currency, in ledger units as text; `key` is your reference, or the courier's order id. */
export type CodLine = Readonly<Record<'key' | 'currency' | 'cod', string>>;

/** The COD of the orders in your own book. @param references only those of these orders; all when absent */
export async function readOwnCods(db: LedgerReader, references?: readonly string[]): Promise<CodLine[]> {
  if (references === undefined) return readCods(db, sql``);
  const cods: CodLine[] = [];
  for (const page of chunks(references)) cods.push(...(await readCods(db, sql`where ${isOneOf('reference', page)}`)));
  return cods;
}

async function readCods(db: LedgerReader, which: RawBuilder<unknown>): Promise<CodLine[]> {
  const { rows } = await sql<CodLine>`
    select reference as key, currency, ${unitsText('cod')} as cod from own_order_amount ${which}
    order by reference, currency`.execute(db);
  return rows;
}
