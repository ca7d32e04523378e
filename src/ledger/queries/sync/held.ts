/** What a sync compares with the courier's lists, to fetch only what is new. */
import { chunks } from '../../chunks.ts';
import { wholeLedger } from '../../courier.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The runs of all couriers that have not ended, each with its courier's key, and the number of the next run. */
export async function readRunning(
  narrow: LedgerReader,
): Promise<{ running: { id: number; courier: string }[]; next: number }> {
  const db = wholeLedger(narrow);
  const running = await db
    .selectFrom('run')
    .select(['id', 'courier'])
    .where('status', '=', 'running')
    .orderBy('id')
    .execute();
  const last = await db.selectFrom('run').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return { running, next: (last?.id ?? 0) + 1 };
}

/** What the ledger holds of an invoice that a list shows. */
export interface HeldInvoice {
  readonly number: number;
  readonly period: string;
  readonly status: string;
  readonly listed_sha256: string | null;
  readonly read_at: string;
  readonly superseded_at: string | null;
}

/** What the ledger holds of some invoices, by number. */
export async function readHeldInvoices(
  db: LedgerReader,
  numbers: readonly number[],
): Promise<Map<number, HeldInvoice>> {
  const held = new Map<number, HeldInvoice>();
  for (const page of chunks(numbers)) {
    const rows = await db
      .selectFrom('invoice')
      .select(['number', 'period', 'status', 'listed_sha256', 'read_at', 'superseded_at'])
      .where('number', 'in', page)
      .execute();
    for (const row of rows) held.set(row.number, row);
  }
  return held;
}

/** The invoices that a month's list held when it was last read. */
export async function readListedNumbers(db: LedgerReader, period: string): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice_listed')
    .select('invoice_number')
    .where('period', '=', period)
    .where('vanished_at', 'is', null)
    .orderBy('invoice_number')
    .execute();
  return rows.map(({ invoice_number }) => invoice_number);
}

/** An order that the order book held when it was last read, and its record. */
export interface BookRecord {
  readonly order_id: string;
  readonly record_sha256: string;
  readonly record_part: number;
  /** Whether the record is the newest that is known. */
  readonly is_current: boolean;
}

const RECORDS_AT_ONCE = 5_000;

/** The orders that the order book held when it was last read, by id, some at a time. */
export async function* readBookRecords(db: LedgerReader): AsyncGenerator<BookRecord[]> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('courier_order')
      .select(['order_id', 'record_sha256', 'record_part', 'superseded_at'])
      .where('vanished_at', 'is', null)
      .where('order_id', '>', after)
      .orderBy('order_id')
      .limit(RECORDS_AT_ONCE)
      .execute();
    yield rows.map(({ superseded_at, ...row }) => ({ ...row, is_current: superseded_at === null }));
    if (rows.length < RECORDS_AT_ONCE) return;
    after = rows.at(-1)!.order_id;
  }
}

/** How many invoices are held, by whether they are paid. */
export async function countByPayment(db: LedgerReader): Promise<{ readonly paid: number; readonly unpaid: number }> {
  const { all, paid } = await db
    .selectFrom('invoice')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.countAll<number>().filterWhere('status', '=', 'PAID').as('paid'),
    ])
    .where('vanished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { paid: Number(paid), unpaid: Number(all) - Number(paid) };
}
