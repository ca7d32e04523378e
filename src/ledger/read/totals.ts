import {
  ExactDecimal,
  eachOrderField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  type RowSumField,
  Totals,
} from '../../money/index.ts';
import { readInvoices } from './invoices.ts';
import { readRowAmounts } from './rows.ts';
import type { LedgerReader } from './snapshot.ts';

/** The headers of a month's invoices in one currency, summed from the details (not from the list). */
export interface HeaderTotals {
  readonly currency: string;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
  readonly net_due_to_merchant: ExactDecimal;
  /** The net of the invoices that are `PAID`, and of all others: what of it came in is another question. */
  readonly paid: ExactDecimal;
  readonly unpaid: ExactDecimal;
}

interface MonthHeaders {
  readonly period: string;
  /** How many invoices the month holds, and rows on them, whatever their currency. */
  readonly invoices: number;
  readonly orders: number;
  readonly currencies: readonly HeaderTotals[];
}

/** A month's totals in one currency: the headers, and beside them the rows that they should come to. */
export interface CurrencyTotals extends HeaderTotals, Readonly<Record<RowSumField, ExactDecimal>> {}

export interface MonthTotals extends MonthHeaders {
  readonly currencies: readonly CurrencyTotals[];
}

/** Sums the headers of a month's invoices with decimal.js. Cheap enough to do for a year of large months. */
export async function readMonthHeaders(db: LedgerReader, period: string): Promise<MonthHeaders> {
  const [cod, fee, net, paid, unpaid] = [new Totals(), new Totals(), new Totals(), new Totals(), new Totals()];
  let invoices = 0;
  let orders = 0;
  let last: number | null = null;
  for await (const line of readInvoices(db, [period])) {
    if (line.number !== last) {
      invoices += 1;
      orders += line.orders;
      last = line.number;
    }
    if (line.currency === null) continue;
    cod.add(line.currency, line.cod);
    fee.add(line.currency, line.delivery_fee);
    net.add(line.currency, line.net_due_to_merchant);
    (line.status === 'PAID' ? paid : unpaid).add(line.currency, line.net_due_to_merchant);
  }
  const currencies = net.currencies().map((currency) => ({
    currency,
    cod: cod.of(currency),
    delivery_fee: fee.of(currency),
    net_due_to_merchant: net.of(currency),
    paid: paid.of(currency),
    unpaid: unpaid.of(currency),
  }));
  return { period, invoices, orders, currencies };
}

/** Sums a month with decimal.js from its rows: what a person reads. {@link sqlMonthTotals} is its control. */
export async function readMonthTotals(db: LedgerReader, period: string): Promise<MonthTotals> {
  const headers = await readMonthHeaders(db, period);
  const sums = eachOrderField(() => new Totals());
  for await (const page of readRowAmounts(db, period)) {
    for (const line of page) for (const field of ORDER_MONEY_FIELDS) sums[field].add(line.currency, line[field]);
  }
  const of = new Map(headers.currencies.map((totals) => [totals.currency, totals]));
  const nothing = new ExactDecimal(0);
  const currencies = [...new Set([...of.keys(), ...sums.cod.currencies()])].sort().map((currency) => ({
    currency,
    cod: nothing,
    delivery_fee: nothing,
    net_due_to_merchant: nothing,
    paid: nothing,
    unpaid: nothing,
    ...of.get(currency),
    ...rowSums((field) => sums[field].of(currency)),
  }));
  return { ...headers, currencies };
}

/** The sums of the rows under the names that they have beside a header's. */
export function rowSums(of: (field: OrderMoneyField) => ExactDecimal): Record<RowSumField, ExactDecimal> {
  return Object.fromEntries(ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, of(field)])) as Record<
    RowSumField,
    ExactDecimal
  >;
}
