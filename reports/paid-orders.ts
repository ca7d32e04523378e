import { groupBy } from '../src/base/group.ts';
import { compareText } from '../src/base/text.ts';
import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import { type CustodyLine, EVER, readCustody } from '../src/checks/facts/custody.ts';
import { flowsOf, namedDifferences } from '../src/checks/facts/receipts/flows.ts';
import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { formatUnits } from '../src/money/units.ts';
import { ColumnTotals, columnsOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { waitingReceipts } from './notes.ts';

/** The first day of the orders, and how many are settled but have no receipt. */
export type PaidOrdersNote =
  | { id: 'paid-orders-since'; since: string | null }
  | { id: 'paid-without-receipt'; count: number };

const COLUMNS = columnsOf('reference_id* order_id* currency* cod received_on receipt');

/**
 * The orders whose COD was received whole, in every currency, on or after a day (`since`), in the order of their last
 * receipts. An order that a settlement or a late invoice completed counts from that day, so that `since` passes none
 * over.
 */
export async function paidOrders({ db, settings, since = null, filters = {} }: ReportContext): Promise<Report> {
  const book = await BalanceBook.read(db, settings);
  const { books: matchBooks, histories } = book.settlements;
  const { signs: returns } = await readReturns(db, settings.returns);
  // Money that was taken back completes no payment, and is left out.
  const received = flowsOf(matchBooks).filter(({ amount }) => amount > 0n);
  const payments: Payments = {
    flows: groupBy(received, ({ number }) => number),
    differences: groupBy(namedDifferences(matchBooks), ({ number }) => number),
    issuedOn: new Map(histories.map(({ number, issued_on }) => [number, issued_on])),
  };
  const paid: CustodyLine[][] = [];
  // `EVER`: at the end of all months, so that every receipt counts.
  for await (const order of readCustody(db, book, { month: EVER, returns, timeZone: settings.timeZone })) {
    const collected = order.filter(({ cod }) => cod > 0n);
    if (collected.length > 0 && order.every(({ where }) => where === 'received')) paid.push(collected);
  }
  const sums = new ColumnTotals('cod');
  let withoutReceipt = 0;
  const rows: Row[] = [];
  for (const order of paid) {
    const paidLines = order.flatMap((line) => {
      const completing = completingReceipt(line, payments);
      return completing === null ? [] : [{ ...line, ...completing }];
    });
    if (paidLines.length < order.length) {
      withoutReceipt += 1;
      continue;
    }
    if (!paidLines.some(({ paidWholeOn }) => since === null || paidWholeOn >= since)) continue;
    for (const { reference_id, order_id, currency, cod, received_on, receipt } of paidLines) {
      const row = { reference_id, order_id, currency, cod: formatUnits(cod), received_on, receipt };
      if (!fits(row, filters)) continue;
      sums.add(currency, { cod });
      rows.push(row);
    }
  }
  const waiting = await waitingReceipts(db);
  return {
    report: 'paid-orders',
    title: 'Orders whose cash came in',
    period: '',
    columns: COLUMNS,
    rows: rows.sort((a, b) => compareText(`${a.received_on}`, `${b.received_on}`)),
    totals: () => sums.rows(),
    notes: () => [
      { id: 'paid-orders-since', since } satisfies PaidOrdersNote,
      ...(withoutReceipt === 0 ? [] : [{ id: 'paid-without-receipt', count: withoutReceipt } satisfies PaidOrdersNote]),
      ...waiting,
    ],
  };
}

/** By invoice: the receipts that pay it, its agreed differences, and its day. */
interface Payments {
  readonly flows: ReadonlyMap<number, ReturnType<typeof flowsOf>>;
  readonly differences: ReadonlyMap<number, ReturnType<typeof namedDifferences>>;
  readonly issuedOn: ReadonlyMap<number, string>;
}

/** The last receipt that brought a line's money, and the day from which it was paid whole; null without a receipt. */
function completingReceipt({ currency, invoices }: CustodyLine, { flows, differences, issuedOn }: Payments) {
  const invoiceFlows = invoices.flatMap((number) => flows.get(number) ?? []);
  const inCurrency = invoiceFlows.filter((flow) => flow.currency === currency);
  // An invoice may be paid in another currency.
  const candidates = inCurrency.length > 0 ? inCurrency : invoiceFlows;
  const last = candidates.toSorted((a, b) => compareText(a.date, b.date) || a.receipt - b.receipt).at(-1);
  if (!last) return null;
  const { number, date, receipt } = last;
  // The line is paid whole from the last of these days on: an advance comes before its invoice, and an agreed difference
  // may settle what a receipt left open.
  const agreed = (differences.get(number) ?? []).filter((difference) => difference.currency === currency);
  const days = [date, issuedOn.get(number) ?? date, ...agreed.map((difference) => difference.date)];
  return { received_on: date, receipt, paidWholeOn: days.sort().at(-1)! };
}
