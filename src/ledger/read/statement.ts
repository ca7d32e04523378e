/** What only a month's statement asks of the ledger. */
import { sql } from 'kysely';
import { amountOfUnits, type ExactDecimal } from '../../money/index.ts';
import { unsealBody } from '../evidence/bodies.ts';
import { exactSum, sumParts } from '../exact-sum.ts';
import { unitsText } from '../sql.ts';
import { amountOrZero, type InvoiceLine } from './invoices.ts';
import type { LedgerReader } from './snapshot.ts';

/** What the latest walk over a month's invoice list saw. */
export interface MonthWalk {
  readonly finished_at: string;
  readonly complete: boolean;
  /** How many different invoices the list held. */
  readonly seen_count: number;
  /** The run that walked it: `partial` where something could not be brought or read. */
  readonly run_status: string;
  readonly run_finished_at: string | null;
}

/** The latest walk over a month's list; null when the month was never synced. */
export async function readMonthWalk(db: LedgerReader, period: string): Promise<MonthWalk | null> {
  const row = await db
    .selectFrom('listing as l')
    .innerJoin('run as r', 'r.id', 'l.run_id')
    .select(['l.finished_at', 'l.complete', 'l.seen_count'])
    .select(['r.status as run_status', 'r.finished_at as run_finished_at'])
    .where('l.kind', '=', 'invoices')
    .where('l.period', '=', period)
    .orderBy('l.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { ...row, complete: row.complete === 1 } : null;
}

/** The invoices that a month's list once held and holds no more, ascending. */
export async function readVanishedInvoices(db: LedgerReader, period: string): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice')
    .select('number')
    .where('period', '=', period)
    .where('vanished_at', 'is not', null)
    .orderBy('number')
    .execute();
  return rows.map(({ number }) => number);
}

/** The same with what they last stated, a line a currency; one without a currency where one stated no amount. */
export async function readVanishedLines(
  db: LedgerReader,
  period: string,
): Promise<Omit<InvoiceLine, 'period' | 'status'>[]> {
  const lines = await db
    .selectFrom('invoice as i')
    .leftJoin('invoice_amount as a', 'a.invoice_number', 'i.number')
    .select(['i.number', 'i.issued_at', 'i.row_count as orders', 'a.currency'])
    .select([
      unitsText('a.cod').as('cod'),
      unitsText('a.delivery_fee').as('delivery_fee'),
      unitsText('a.net_due_to_merchant').as('net'),
    ])
    .where('i.period', '=', period)
    .where('i.vanished_at', 'is not', null)
    .orderBy('i.number')
    .orderBy('a.currency')
    .execute();
  return lines.map(({ net, ...line }) => ({
    ...line,
    cod: amountOrZero(line.cod),
    delivery_fee: amountOrZero(line.delivery_fee),
    net_due_to_merchant: amountOrZero(net),
  }));
}

/** What an invoice's rows come to in one currency. */
export interface RowSums {
  readonly invoice_number: number;
  readonly currency: string;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
}

/** The sums of each invoice's rows, by invoice and currency. */
export async function readRowSums(db: LedgerReader, period: string): Promise<RowSums[]> {
  const rows = await db
    .selectFrom('invoice as i')
    .innerJoin('invoice_order_amount as a', 'a.invoice_number', 'i.number')
    .select(['a.invoice_number', 'a.currency'])
    .select([...sumParts('a.cod', 'cod'), ...sumParts('a.delivery_fee', 'fee')])
    .where('i.period', '=', period)
    .where('i.vanished_at', 'is', null)
    .groupBy(['a.invoice_number', 'a.currency'])
    .orderBy('a.invoice_number')
    .orderBy('a.currency')
    .execute();
  return rows.map(({ invoice_number, currency, ...sum }) => ({
    invoice_number,
    currency,
    cod: amountOfUnits(exactSum(sum.cod_high, sum.cod_low)),
    delivery_fee: amountOfUnits(exactSum(sum.fee_high, sum.fee_low)),
  }));
}

/** A body that is kept as evidence, as received; null when there is none of that hash. */
export async function readBody(db: LedgerReader, sha256: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('evidence_body')
    .select(['encoding', 'body'])
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row ? unsealBody(row) : null;
}

/** The name of the last migration that the ledger went through: its version. */
export async function readLedgerVersion(db: LedgerReader): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
  return rows[0]!.name;
}
