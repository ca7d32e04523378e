import { type RawBuilder, sql } from 'kysely';
import { MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../../money/fields.ts';
import { readSum, SumRangeError } from '../../money/sum.ts';
import type { Connection } from '../dialect/dialect.ts';
import type { LedgerDb } from '../schema.ts';
import { INVOICE_AMOUNTS, sumText } from '../sql.ts';

/** What queries read from: an open ledger, or a snapshot of one. */
export type LedgerReader = LedgerDb;

/** Makes a template tag that runs a query in SQL and returns its rows. */
export function rowsOf<Row>(db: LedgerReader) {
  return async (text: TemplateStringsArray, ...parts: readonly unknown[]): Promise<Row[]> =>
    (await sql<Row>(text, ...parts).execute(db)).rows;
}

/** Whether a table has any row of the handle's courier. */
export async function holdsAny(
  db: LedgerReader,
  table: 'courier_order' | 'courier_order_delivered_amount' | 'invoice_listed' | 'period_close' | 'webhook',
): Promise<boolean> {
  return (await db.selectFrom(table).select('courier').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Lends one unchanging view of the ledger: whatever a sync writes meanwhile, everything read through it agrees. Readers
 * use many small statements, so all figures that must tie out are read through one snapshot. Nothing written through it
 * is kept, and nothing may use the ledger's own handle until the snapshot ends.
 */
export function usingSnapshot<T>(
  { db, connection }: { readonly db: LedgerDb; readonly connection: Connection },
  use: (db: LedgerReader) => Promise<T>,
): Promise<T> {
  // An open transaction already sees one state, with its own changes.
  if (db.isTransaction) return use(db);
  return db.connection().execute(async (reader) => {
    await connection.beginSnapshot(reader);
    let result: T;
    try {
      result = await use(reader);
    } catch (error) {
      const located = await locateOverflow(reader, error).catch(() => error);
      // If the database is gone the rollback fails too: the first error is the one to report.
      await connection.endSnapshot(reader).catch(() => {});
      throw located;
    }
    await connection.endSnapshot(reader);
    return result;
  });
}

/**
 * Names the month and the currency whose amounts add up to more than the ledger can hold: SQLite says only that a sum
 * overflowed.
 *
 * @returns the error unchanged if it is not about a sum, or no month's amounts are too large
 */
async function locateOverflow(db: LedgerDb, error: unknown): Promise<unknown> {
  if (!isOverflow(error)) return error;
  const rows = await rowsOf<{ period: string; currency: string }>(db)`
    select distinct i.period, a.currency from invoice i join invoice_order_amount a on a.invoice_number = i.number
    union select distinct i.period, a.currency from ${INVOICE_AMOUNTS}
    order by 1, 2`;
  for (const { period, currency } of rows) {
    const amountTables = [
      [sql.table('invoice_amount'), MONEY_FIELDS],
      [sql.table('invoice_order_amount'), ORDER_MONEY_FIELDS],
    ] as const;
    for (const [table, fields] of amountTables) {
      for (const field of fields) {
        const sum = sql<{ sum: string | null }>`
          select ${sumText(`a.${field}`)} as sum from invoice i join ${table} a on a.invoice_number = i.number
          where i.period = ${period} and a.currency = ${currency} and i.vanished_at is null`;
        if (await overflows(db, sum, currency)) {
          const command = `remit report orders ${period} --currency ${currency}`;
          return new SumRangeError({ month: period, currency }, command, { cause: error });
        }
      }
    }
  }
  return error;
}

async function overflows(db: LedgerDb, query: RawBuilder<{ sum: string | null }>, currency: string): Promise<boolean> {
  try {
    const { rows } = await query.execute(db);
    readSum(rows[0]!.sum, currency);
    return false;
  } catch (error) {
    if (isOverflow(error)) return true;
    throw error;
  }
}

function isOverflow(error: unknown): boolean {
  return error instanceof SumRangeError || (error instanceof Error && error.message === 'integer overflow');
}
