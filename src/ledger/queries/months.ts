/** The months about which the books have anything: documents, receipts, decisions or closes. */
import { sql } from 'kysely';
import { monthIn } from '../../base/day.ts';
import { eachMonth } from '../../base/period.ts';
import { wholeLedger } from '../courier.ts';
import { readClosesInForce } from './closes/closes.ts';
import type { LedgerReader } from './snapshot.ts';

/**
 * The months that a courier's documents are about, in order: all from the first with a list or an invoice to the last
 * with anything, and before them those in which orders were delivered that are not invoiced (by their statestamps).
 *
 * @param db one courier's, or the whole ledger for the months of all
 */
export async function readDocumentedMonths(db: LedgerReader): Promise<string[]> {
  const listed = await db.selectFrom('listing').select('period').distinct().where('kind', '=', 'invoices').execute();
  const invoiced = await db.selectFrom('invoice').select('period').distinct().execute();
  const delivered = await db
    .selectFrom('courier_order')
    .select(sql<string>`substr(first_delivered_at, 1, 7)`.as('period'))
    .distinct()
    .where('first_delivered_at', 'is not', null)
    .where('merchant_invoice', 'is', null)
    .execute();
  const invoiceMonths = [...listed, ...invoiced].flatMap(({ period }) => period ?? []);
  const deliveredMonths = delivered.map(({ period }) => period);
  const months = [...invoiceMonths, ...deliveredMonths].sort();
  const [first] = invoiceMonths.sort();
  const onwards = first === undefined ? [] : eachMonth(first, months.at(-1)!);
  return [...new Set([...months, ...onwards])].sort();
}

/**
 * The last month of any courier's documents, receipts, decisions or closes; null for empty books.
 *
 * @param db any handle: it is read whole
 */
export async function readLastMonth(db: LedgerReader, zone: string): Promise<string | null> {
  const wholeDb = wholeLedger(db);
  const lastReceiptDay = await readReceiptDay(wholeDb, 'max');
  const lastDecision = await wholeDb
    .selectFrom('receipt_match')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('removed_at', 'is', null)
    .where('difference_kind', 'is not', null)
    .executeTakeFirst();
  const months = [
    (await readDocumentedMonths(wholeDb)).at(-1),
    lastReceiptDay?.slice(0, 7),
    lastDecision?.at ? monthIn(lastDecision.at, zone) : undefined,
    (await readClosesInForce(wholeDb)).at(-1)?.period,
  ].filter((month) => month !== undefined);
  return months.sort().at(-1) ?? null;
}

/** The day of the first receipt that counts, whichever courier paid it; null if there is none. */
export async function readFirstReceiptDay(db: LedgerReader): Promise<string | null> {
  return readReceiptDay(db, 'min');
}

async function readReceiptDay(db: LedgerReader, which: 'min' | 'max'): Promise<string | null> {
  const { date } = await db
    .selectFrom('receipt')
    .select((eb) => eb.fn[which]('date').as('date'))
    .where('replaced_by', 'is', null)
    .executeTakeFirstOrThrow();
  return date;
}
