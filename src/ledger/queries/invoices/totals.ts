/** A month's totals, added up invoice by invoice, and the sums of invoices' rows. */
import { sql } from 'kysely';
import { type ExactDecimal, ZERO } from '../../../money/decimal.ts';
import {
  eachField,
  eachRowSum,
  MONEY_FIELDS,
  type MoneyField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  type RowSumField,
} from '../../../money/fields.ts';
import { readSum, Totals } from '../../../money/sum.ts';
import { amountOfUnits } from '../../../money/units.ts';
import { inChunks } from '../../chunks.ts';
import type { InvoiceInMonth } from '../../schema.ts';
import { isOneOf, SUMMED_INVOICE, sumText } from '../../sql.ts';
import { readInvoicePages } from '../rows/month-windows.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import { readInvoices } from './invoices.ts';

/** The headers of a month's invoices in one currency, summed from the details (not from the list). */
export interface HeaderTotals extends Readonly<Record<MoneyField, ExactDecimal>> {
  readonly currency: string;
  /** The net of the invoices that are `PAID`, and of all others, whatever was received. */
  readonly paid: ExactDecimal;
  readonly unpaid: ExactDecimal;
}

interface MonthHeaders {
  readonly period: string;
  /** The number of the month's invoices and of their rows, in all currencies. */
  readonly invoices: number;
  readonly orders: number;
  readonly currencies: readonly HeaderTotals[];
}

/** A month's totals in one currency: the headers, and the sums of the rows, which should be equal. */
export interface CurrencyTotals extends HeaderTotals, Readonly<Record<RowSumField, ExactDecimal>> {}

export interface MonthTotals extends MonthHeaders {
  readonly currencies: readonly CurrencyTotals[];
}

/**
 * A month's lines, and empty ones for `further` currencies that they lack: receipts and vanished invoices may be in a
 * currency of which no invoice of the month has an amount. Sorted by currency.
 */
export function linesIn(lines: readonly CurrencyTotals[], further: Iterable<string>): CurrencyTotals[] {
  const stated = new Set(lines.map(({ currency }) => currency));
  const empty = [...new Set(further)].filter((currency) => !stated.has(currency)).map(emptyLine);
  return [...lines, ...empty].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

export function emptyLine<C extends string | null>(currency: C): Omit<CurrencyTotals, 'currency'> & { currency: C } {
  const zero = () => ZERO;
  return { currency, ...eachField(MONEY_FIELDS, zero), paid: ZERO, unpaid: ZERO, ...eachRowSum(zero) };
}

/** Sums the headers of a month's live invoices from their details, one by one. */
export async function readMonthHeaders(db: LedgerReader, period: string): Promise<MonthHeaders> {
  const stated = eachField(MONEY_FIELDS, () => new Totals());
  const paid = new Totals();
  const unpaid = new Totals();
  let invoices = 0;
  let orders = 0;
  let lastNumber: number | null = null;
  for await (const line of readInvoices(db, [period])) {
    // An invoice has a line for each of its currencies, one after the other: it counts once.
    if (line.number !== lastNumber) {
      invoices += 1;
      orders += line.orders;
      lastNumber = line.number;
    }
    if (line.currency === null) continue;
    for (const field of MONEY_FIELDS) stated[field].add(line.currency, line[field]);
    (line.status === 'PAID' ? paid : unpaid).add(line.currency, line.net_due_to_merchant);
  }
  const currencies = stated.net_due_to_merchant.currencies().map((currency) => ({
    currency,
    ...eachField(MONEY_FIELDS, (field) => stated[field].of(currency)),
    paid: paid.of(currency),
    unpaid: unpaid.of(currency),
  }));
  return { period, invoices, orders, currencies };
}

/** Sums a month's headers and rows: the figures that a person reads. `sqlMonthTotals` is their control. */
export async function readMonthTotals(db: LedgerReader, period: string): Promise<MonthTotals> {
  const headers = await readMonthHeaders(db, period);
  const sums = eachField(ORDER_MONEY_FIELDS, () => new Totals());
  for (const invoice of await readRowSumsOfMonth(db, period)) {
    for (const field of ORDER_MONEY_FIELDS) sums[field].add(invoice.currency, invoice[field]);
  }
  const headerByCurrency = new Map(headers.currencies.map((totals) => [totals.currency, totals]));
  const currencies = [...new Set([...headerByCurrency.keys(), ...sums.cod.currencies()])].sort().map((currency) => ({
    ...emptyLine(currency),
    ...headerByCurrency.get(currency),
    ...eachRowSum((field) => sums[field].of(currency)),
  }));
  return { ...headers, currencies };
}

export interface RowSums extends InvoiceInMonth, Readonly<Record<OrderMoneyField, ExactDecimal>> {
  readonly currency: string;
}

/** How many invoices one query adds up: few, because SQLite sorts their rows in memory. */
const INVOICES_AT_ONCE = 20;

/**
 * The sums of the rows of these invoices, live or vanished, by invoice and currency: integers, which the database adds
 * exactly.
 */
export async function readRowSums(db: LedgerReader, invoices: readonly number[]): Promise<RowSums[]> {
  const sums = sql.join(ORDER_MONEY_FIELDS.map((field) => sql`${sumText(field)} as ${sql.ref(field)}`));
  const rows = await inChunks(
    invoices,
    (page) => rowsOf<Omit<RowSums, OrderMoneyField> & Record<OrderMoneyField, string | null>>(db)`
      select ${SUMMED_INVOICE}, currency, ${sums}
      from invoice_order_amount lines where ${isOneOf('invoice_number', page)}
      group by invoice_number, currency
      order by invoice_number, currency`,
    INVOICES_AT_ONCE,
  );
  return rows.map((row) => ({
    ...row,
    ...eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(readSum(row[field], row.currency))),
  }));
}

/** The sums of the rows of a month's live invoices. */
async function readRowSumsOfMonth(db: LedgerReader, period: string): Promise<RowSums[]> {
  const sums: RowSums[] = [];
  for await (const page of readInvoicePages(db, period)) {
    const numbers = page.map(({ number }) => number);
    sums.push(...(await readRowSums(db, numbers)));
  }
  return sums;
}
