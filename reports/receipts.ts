import { compareText } from '../src/base/text.ts';
import { ambiguitiesOf, type MatchBooks, readMatchBooks } from '../src/checks/facts/receipts/match-books.ts';
import { formatUnits } from '../src/money/units.ts';
import { ColumnTotals, columnsOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths, waitingReceipts } from './notes.ts';

const COLUMNS = columnsOf(
  'receipt date kind whose status currency* amount matched',
  'left invoices:text rule account:id counterparty text import line',
);

export type ReceiptsNote =
  | { id: 'no-receipts-imported' }
  | { id: 'receipts-shown' }
  | { id: 'receipts-left-out'; count: number };

/**
 * Every line of the bank or the cash book in the months, and every line that pays an invoice of the months: whose it
 * is, what it pays and what is left of it. Of several couriers it lists this one's lines alone;
 * {@link receiptsOfNoCourier} lists the others.
 */
export function receipts(context: ReportContext): Promise<Report> {
  const isOneOfSeveral = context.settings.others !== undefined;
  return receiptsReport(context, isOneOfSeveral ? isOfCourier : () => true, { saysLeftOut: false });
}

/** The report with the courier's lines alone: readers of a statement need not see the merchant's other business. */
export function couriersReceipts(context: ReportContext): Promise<Report> {
  return receiptsReport(context, isOfCourier);
}

const isOfCourier = (receipt: DescribedReceipt) => receipt.isOfCourier;

/**
 * The lines that none of several couriers can claim, each once and without totals: they are the merchant's other
 * business.
 */
export async function receiptsOfNoCourier(contexts: readonly ReportContext[]): Promise<Report> {
  const shownIds = new Set<unknown>();
  const reports: Report[] = [];
  for (const context of contexts) {
    // `elsewhere`: the receipts of other couriers.
    const isOfNoCourier = ({ row, isOfCourier }: DescribedReceipt, { elsewhere }: MatchBooks) =>
      !isOfCourier && !elsewhere.has(row.receipt as number) && !shownIds.has(row.receipt);
    const report = await receiptsReport(context, isOfNoCourier);
    for (const { receipt } of report.rows as readonly Row[]) shownIds.add(receipt);
    reports.push(report);
  }
  const rows = reports.flatMap((report) => report.rows as readonly Row[]);
  return { ...reports[0]!, rows, totals: () => [], notes: () => [] };
}

/** @param options.saysLeftOut whether a note says how many lines are not shown */
async function receiptsReport(
  { db, settings, periods, period, isOfAllMonths = false, filters = {}, book: balanceBook }: ReportContext,
  isShown: (receipt: DescribedReceipt, books: MatchBooks) => boolean,
  { saysLeftOut = true }: { readonly saysLeftOut?: boolean } = {},
): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const books = balanceBook?.settlements.books ?? (await readMatchBooks(db, settings));
  const describe = describer(books);
  const invoicesOfMonths = books.invoices.filter((invoice) => months.includes(invoice.period));
  const numbersOfMonths = new Set(invoicesOfMonths.map(({ number }) => number));
  const sums = new ColumnTotals('amount', 'matched', 'left');
  const rows: Row[] = [];
  let leftOut = 0;
  for (const receipt of [...books.receipts.values()].sort((a, b) => compareText(a.date, b.date) || a.id - b.id)) {
    const described = describe(receipt.id);
    const { row, invoices } = described;
    const isOfMonths = isOfAllMonths || months.includes(receipt.date.slice(0, 7));
    if (!isOfMonths && !invoices.some((number) => numbersOfMonths.has(number))) continue;
    if (filters.invoice !== undefined && !invoices.map(String).includes(filters.invoice)) continue;
    if (!fits(row, filters)) continue;
    if (!isShown(described, books)) {
      leftOut += 1;
      continue;
    }
    rows.push(row);
    const { amount, left } = receipt;
    // What is left of another's line is not money that waits for an invoice.
    sums.add(receipt.currency, { amount, matched: amount - left, left: described.isOfCourier ? left : 0n });
  }
  const waiting = await waitingReceipts(db);
  return {
    report: 'receipts',
    title: 'Receipts',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      { id: books.receipts.size === 0 ? 'no-receipts-imported' : 'receipts-shown' } satisfies ReceiptsNote,
      ...(leftOut === 0 || !saysLeftOut ? [] : [{ id: 'receipts-left-out', count: leftOut } satisfies ReceiptsNote]),
      ...waiting,
      ...notes,
    ],
  };
}

interface DescribedReceipt {
  readonly row: Row;
  /** The invoices that it was matched to. */
  readonly invoices: readonly number[];
  readonly isOfCourier: boolean;
}

/** Makes a function that describes a receipt. `whose`: why it is the courier's; `hand` if only by a person's match. */
function describer(books: MatchBooks): (id: number) => DescribedReceipt {
  const ambiguities = ambiguitiesOf(books);
  /** The matches in force, by receipt. */
  const matches = new Map<number, MatchBooks['held'][number][]>();
  for (const match of books.held) {
    for (const { id } of match.receipts) matches.set(id, [...(matches.get(id) ?? []), match]);
  }
  return (id) => {
    const { date, amount, left, currency, account, counterparty, text, evidence_id, line } = books.receipts.get(id)!;
    const receiptMatches = matches.get(id) ?? [];
    const numbers = receiptMatches.flatMap((match) => match.invoices.map(({ number }) => number));
    const invoices = [...new Set(numbers)].sort((a, b) => a - b);
    const isOfCourier = books.courierReceipts.has(id) || receiptMatches.length > 0;
    const row: Row = {
      receipt: id,
      date,
      kind: amount < 0n ? 'paid-out' : 'received',
      whose: books.courierReceipts.get(id) ?? (receiptMatches.length > 0 ? 'hand' : null),
      status: statusOf(isOfCourier, amount, left, ambiguities.has(id)),
      currency,
      amount: formatUnits(amount),
      matched: isOfCourier ? formatUnits(amount - left) : null,
      left: isOfCourier ? formatUnits(left) : null,
      invoices: invoices.length === 0 ? null : invoices.join(', '),
      rule: receiptMatches.length === 0 ? null : [...new Set(receiptMatches.map(({ rule }) => rule))].join(', '),
      account,
      counterparty,
      text,
      import: evidence_id,
      line,
    };
    return { row, invoices, isOfCourier };
  };
}

/** `other`: not from the courier. `partly`: some of it is left. */
function statusOf(isOfCourier: boolean, amount: bigint, left: bigint, isAmbiguous: boolean): string {
  if (!isOfCourier) return 'other';
  if (left === 0n) return 'matched';
  if (isAmbiguous) return 'ambiguous';
  return left === amount ? 'unmatched' : 'partly';
}
