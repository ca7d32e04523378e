import { sql } from 'kysely';
import { unitsText } from '../sql.ts';
import type { AtClose } from './movements.ts';
import type { LedgerReader } from './snapshot.ts';

/** A line of a bank account or cash book. Positive is money that came in. */
export interface ReceiptRow {
  readonly id: number;
  readonly evidence_id: number;
  readonly line: number;
  readonly account: string | null;
  readonly date: string;
  readonly value_date: string | null;
  readonly amount: bigint;
  readonly currency: string;
  readonly text: string;
  readonly counterparty: string | null;
  readonly counterparty_account: string | null;
  readonly reference: string | null;
  readonly invoice: string | null;
}

/** Every receipt, by id; those that one import brought where it is named. */
export async function readReceipts(db: LedgerReader, importId: number | null = null): Promise<ReceiptRow[]> {
  let query = db
    .selectFrom('receipt')
    .select(['id', 'evidence_id', 'line', 'account', 'date', 'value_date', 'currency', 'text', 'counterparty'])
    .select(['counterparty_account', 'reference', 'invoice', unitsText('amount').as('amount')])
    .orderBy('id');
  if (importId !== null) query = query.where('evidence_id', '=', importId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** When each import of receipts was made, by its evidence. */
export async function readReceiptTimes(db: LedgerReader): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('evidence')
    .select(['id', 'at'])
    .where('id', 'in', db.selectFrom('receipt').select('evidence_id'))
    .execute();
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** The numbers of all invoices that are or were listed and read. */
export async function readInvoiceNumbers(db: LedgerReader): Promise<Set<number>> {
  const rows = await db.selectFrom('invoice').select('number').execute();
  return new Set(rows.map(({ number }) => number));
}

/** Whether any receipt is held. */
export async function hasReceipts(db: LedgerReader): Promise<boolean> {
  return (await db.selectFrom('receipt').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The days of a statement, and whose account it is of. */
export interface StatementDays {
  readonly account: string | null;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The days that the statements in force hold, an item a file, account and currency: those that they state, and those of their lines. One
 * that states no day and has no line holds none.
 *
 * @param then those that were held when a month was closed
 */
export async function readStatementDays(db: LedgerReader, then?: AtClose): Promise<StatementDays[]> {
  const { rows } = await sql<Pick<StatementDays, 'account' | 'currency'> & Record<'from' | 'to', string | null>>`
    select account, currency, min(first) as ${sql.ref('from')}, max(last) as ${sql.ref('to')}
    from (
      select evidence_id, account, currency, from_day as first, to_day as last from bank_statement
      union all
      select evidence_id, account, currency, date, date from receipt_line
    ) days
    where evidence_id < ${then?.id ?? Number.MAX_SAFE_INTEGER}
    group by evidence_id, account, currency
    order by evidence_id, account, currency`.execute(db);
  return rows.flatMap(({ from, to, ...whose }) => (from === null || to === null ? [] : [{ ...whose, from, to }]));
}
