import { compareText } from '../src/base/text.ts';
import { ambiguitiesOf, type MatchBooks, readMatchBooks } from '../src/checks/facts/receipts/match-books.ts';
import { formatAmount } from '../src/money/format.ts';
import { amountOfUnits } from '../src/money/units.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { ColumnTotals } from './sums.ts';
import { syncedMonths } from './synced-months.ts';
import { waitingReceipts } from './waiting-receipts.ts';

const COLUMNS: readonly Column[] = [
  { name: 'receipt', type: 'number' },
  { name: 'date', type: 'date' },
  { name: 'kind', type: 'text' },
  { name: 'whose', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'currency', type: 'text', key: true },
  { name: 'amount', type: 'money' },
  { name: 'matched', type: 'money' },
  { name: 'left', type: 'money' },
  { name: 'invoices', type: 'text' },
  { name: 'rule', type: 'text' },
  { name: 'account', type: 'id' },
  { name: 'counterparty', type: 'text' },
  { name: 'text', type: 'wide' },
  { name: 'import', type: 'number' },
  { name: 'line', type: 'number' },
];

/** Which lines are shown, and how many are left out. */
export type ReceiptsNote =
  | { id: 'no-receipts-imported' }
  | { id: 'receipts-shown' }
  | { id: 'receipts-left-out'; count: number };

/**
 * Every line that the bank or the cash book shows in the months, and every one that an invoice of theirs was matched to: whose it is, what
 * it pays and what is left of it. Of one of several couriers they are its own alone: lines from none stand in a report of their own.
 */
export function receipts(context: ReportContext): Promise<Report> {
  const isOneOfSeveral = context.settings.others !== undefined;
  return receiptsReport(context, isOneOfSeveral ? isCouriers : () => true, !isOneOfSeveral);
}

/** The lines that are from none of several couriers, each once: other business, of which there is no total. */
export async function nobodysReceipts(contexts: readonly ReportContext[]): Promise<Report> {
  const seen = new Set<unknown>();
  const reports: Report[] = [];
  for (const context of contexts) {
    const isNobodys = (row: Row, { elsewhere }: MatchBooks) =>
      row.status === 'other' && !elsewhere.has(row.receipt as number) && !seen.has(row.receipt);
    const report = await receiptsReport(context, isNobodys);
    for (const { receipt } of report.rows as readonly Row[]) seen.add(receipt);
    reports.push(report);
  }
  const rows = reports.flatMap((report) => report.rows as readonly Row[]);
  return { ...reports[0]!, rows, totals: () => [], notes: () => [] };
}

function isCouriers({ status }: Row): boolean {
  return status !== 'other';
}

/** The same without the lines that are not from the courier: what a statement shows to others. */
export function couriersReceipts(context: ReportContext): Promise<Report> {
  return receiptsReport(context, isCouriers);
}

async function receiptsReport(
  { db, settings, periods, period, isOfAllMonths = false, filters = {}, book }: ReportContext,
  shows: (row: Row, books: MatchBooks) => boolean,
  saysLeftOut = true,
): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const books = book?.settlements.books ?? (await readMatchBooks(db, settings));
  const describe = describer(books);
  const of = new Set(books.invoices.filter((one) => months.includes(one.period)).map(({ number }) => number));
  const sums = new ColumnTotals('amount', 'matched', 'left');
  const rows: Row[] = [];
  let others = 0;
  for (const receipt of [...books.receipts.values()].sort((a, b) => compareText(a.date, b.date) || a.id - b.id)) {
    const { row, invoices } = describe(receipt.id);
    const isAsked = isOfAllMonths || months.includes(receipt.date.slice(0, 7));
    if (!isAsked && !invoices.some((number) => of.has(number))) continue;
    if (filters.invoice !== undefined && !invoices.map(String).includes(filters.invoice)) continue;
    if (!fits(row, filters)) continue;
    if (!shows(row, books)) {
      others += 1;
      continue;
    }
    rows.push(row);
    const { amount, left } = receipt;
    const unmatched = row.status === 'other' ? 0n : left;
    sums.add(receipt.currency, {
      amount: amountOfUnits(amount),
      matched: amountOfUnits(amount - left),
      left: amountOfUnits(unmatched),
    });
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
      ...(others === 0 || !saysLeftOut ? [] : [{ id: 'receipts-left-out', count: others } satisfies ReceiptsNote]),
      ...waiting,
      ...notes,
    ],
  };
}

function describer(books: MatchBooks): (id: number) => { readonly row: Row; readonly invoices: readonly number[] } {
  const unclear = ambiguitiesOf(books);
  const matches = new Map<number, MatchBooks['held'][number][]>();
  for (const match of books.held) {
    for (const { id } of match.receipts) matches.set(id, [...(matches.get(id) ?? []), match]);
  }
  return (id) => {
    const { date, amount, left, currency, account, counterparty, text, evidence_id, line } = books.receipts.get(id)!;
    const ofReceipt = matches.get(id) ?? [];
    const invoices = [...new Set(ofReceipt.flatMap((match) => match.invoices.map(({ number }) => number)))].sort(
      (a, b) => a - b,
    );
    const isTheirs = books.theirs.has(id) || ofReceipt.length > 0;
    const row: Row = {
      receipt: id,
      date,
      kind: amount < 0n ? 'paid-out' : 'received',
      whose: books.theirs.get(id) ?? (ofReceipt.length > 0 ? 'hand' : null),
      status: statusOf(isTheirs, { amount, left, isUnclear: unclear.has(id) }),
      currency,
      amount: formatAmount(amountOfUnits(amount)),
      matched: isTheirs ? formatAmount(amountOfUnits(amount - left)) : null,
      left: isTheirs ? formatAmount(amountOfUnits(left)) : null,
      invoices: invoices.length === 0 ? null : invoices.join(', '),
      rule: ofReceipt.length === 0 ? null : [...new Set(ofReceipt.map(({ rule }) => rule))].join(', '),
      account,
      counterparty,
      text,
      import: evidence_id,
      line,
    };
    return { row, invoices };
  };
}

/** `other`: not from the courier. `partly`: some of it is left. */
function statusOf(
  isTheirs: boolean,
  { amount, left, isUnclear }: { readonly amount: bigint; readonly left: bigint; readonly isUnclear: boolean },
): 'matched' | 'partly' | 'ambiguous' | 'unmatched' | 'other' {
  if (!isTheirs) return 'other';
  if (left === 0n) return 'matched';
  if (isUnclear) return 'ambiguous';
  return left === amount ? 'unmatched' : 'partly';
}
