import { groupBy } from '../../../base/group.ts';
import { lastDayOf } from '../../../base/period.ts';
import { type FrozenItem, readClosedDocuments, readClosedFigures } from '../../../ledger/queries/closes/closes.ts';
import {
  BALANCE_FIGURES,
  type ClosingFigures,
  type SettledAtClose,
  TOTALS_FIGURES,
} from '../../../ledger/queries/closes/figures.ts';
import { readInvoices } from '../../../ledger/queries/invoices/invoices.ts';
import { linesIn, type MonthTotals } from '../../../ledger/queries/invoices/totals.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../../ledger/schema.ts';
import { formatAmount } from '../../../money/decimal.ts';
import { eachField } from '../../../money/fields.ts';
import { Totals } from '../../../money/sum.ts';
import { amountOfUnits, formatUnits, parseUnits, type Units } from '../../../money/units.ts';
import { BalanceBook } from '../balances/book.ts';
import { type Flow, flowsOf, namedDifferences } from '../receipts/flows.ts';
import { invoiceKey } from '../receipts/match-books.ts';
import {
  isAskedOrPaid,
  type SettlementSettings,
  type Settlements,
  settledAmounts,
  settledMonth,
  settledOf,
} from '../receipts/settlements.ts';

/**
 * Computes what a close of a month freezes, as it is now: the figures, the settled amount of each invoice, and the open
 * items.
 *
 * @param closed the closed months, in which nothing is booked any more; all in force if absent
 */
export async function readClosingFigures(
  db: LedgerReader,
  { period, invoices, orders, currencies }: MonthTotals,
  settings: SettlementSettings,
  { settlements, closed }: { readonly settlements: Settlements; readonly closed?: readonly PeriodCloseTable[] },
) {
  const sums = settledMonth(settlements, period);
  const book = await BalanceBook.read(db, settings, { settlements, ...(closed ? { closed } : {}) });
  const balances = await book.rollForward([period]);
  const items = (await book.openItems(period)).filter(({ open }) => open !== 0n);
  const settledInvoices = settlements.invoices.filter(
    (invoice) => invoice.period === period && isAskedOrPaid(invoice) && settledOf(invoice) !== 0n,
  );
  const figures: ClosingFigures = {
    period,
    counts: { invoices, orders },
    totals: linesIn(currencies, sums.keys()).map((line) => {
      const amounts = { ...line, ...settledAmounts(sums.get(line.currency)) };
      return { currency: line.currency, ...eachField(TOTALS_FIGURES, (figure) => formatAmount(amounts[figure])) };
    }),
    roll_forward: balances.map((balance) => {
      return { currency: balance.currency, ...eachField(BALANCE_FIGURES, (figure) => formatUnits(balance[figure])) };
    }),
  };
  const settled = settledInvoices.map((invoice): SettledAtClose => {
    return { invoice: invoice.number, currency: invoice.currency, amount: formatUnits(settledOf(invoice)) };
  });
  const openItems = items.map(({ kind, id: subject, currency, issued_on, net, ...item }): FrozenItem => {
    const parts = eachField(['received', 'differences', 'open'], (part) => formatUnits(item[part]));
    return { kind, subject, currency, issued_on, net_due_to_merchant: formatUnits(net), ...parts };
  });
  return { figures, settled, openItems };
}

/** The figures that go on changing after a close. */
const CHANGING_FIGURES = ['paid', 'received', 'differences', 'outstanding'] as const;

/**
 * What was paid, received and outstanding of a closed month, computed now, to compare with what the close froze. Money
 * that came after the month's end and became known after the close belongs to a later month and is left out. What was
 * known then or is dated in the month counts as it does now.
 *
 * @returns by currency
 */
export async function readPaymentsToCompare(
  db: LedgerReader,
  close: PeriodCloseTable,
  { books, invoices }: Settlements,
) {
  const sums = eachField(CHANGING_FIGURES, () => new Totals());
  const statusesAtClose = await readStatusesAtClose(db, close);
  for await (const { number, status, currency, net_due_to_merchant: net } of readInvoices(db, [close.period])) {
    // An invoice that was marked paid since is left out; one that the close did not know counts as it is now.
    const wasPaid = (statusesAtClose.get(number) ?? status) === 'PAID';
    if (currency !== null && status === 'PAID' && wasPaid) sums.paid.add(currency, net);
  }
  // Evidence with a lower id than the close's was known then.
  const evidenceOf = new Map(books.held.map(({ id, evidence_id }) => [id, evidence_id]));
  const wasImportedThen = ({ receipt }: Flow) => (books.receipts.get(receipt)?.evidence_id ?? 0) < close.id;
  const wasKnownOrIsOfMonth = ({ match, date }: Pick<Flow, 'match' | 'date'>) =>
    evidenceOf.get(match)! < close.id || date <= lastDayOf(close.period);
  const flows = flowsOf(books).filter((flow) => wasKnownOrIsOfMonth(flow) || wasImportedThen(flow));
  const flowsByInvoice = groupBy(flows, invoiceKey);
  const differencesByInvoice = groupBy(namedDifferences(books).filter(wasKnownOrIsOfMonth), invoiceKey);
  const settledAtClose = await readSettledAtClose(db, close);
  for (const invoice of invoices) {
    if (invoice.period !== close.period || !isAskedOrPaid(invoice)) continue;
    const { number, currency } = invoice;
    const invoiceFlows = flowsByInvoice.get(invoiceKey(invoice)) ?? [];
    const invoiceDifferences = differencesByInvoice.get(invoiceKey(invoice)) ?? [];
    for (const { amount } of invoiceFlows) sums.received.add(currency, amountOfUnits(amount));
    for (const { amount } of invoiceDifferences) sums.differences.add(currency, amountOfUnits(amount));
    const matchedSince = [...invoiceFlows, ...invoiceDifferences].filter(
      ({ match }) => evidenceOf.get(match)! > close.id,
    );
    const settledNow = settledOf(invoice);
    const settledThen = settledAtClose.get(invoiceKey(invoice)) ?? 0n;
    const settledThenOrSince = settledThen + matchedSince.reduce((sum, { amount }) => sum + amount, 0n);
    // Of an invoice that the close knew, what was settled by money that is left out here is outstanding still: 40
    // if 60 was settled then and 100 is now, by a payment of a later month.
    const settled = statusesAtClose.has(number) ? nearerToZero(settledNow, settledThenOrSince) : settledNow;
    sums.outstanding.add(currency, amountOfUnits(invoice.outstanding + settledNow - settled));
  }
  return (currency: string) => eachField(CHANGING_FIGURES, (figure) => formatAmount(sums[figure].of(currency)));
}

/** The amount that is nearer to zero: of 80 and 50 it is 50, of -80 and -50 it is -50; zero if the signs differ. */
function nearerToZero(a: Units, b: Units): Units {
  if (a < 0n) return -nearerToZero(-a, -b);
  if (b < 0n) return 0n;
  return a < b ? a : b;
}

/** The statuses of the invoices at the close, by number. */
async function readStatusesAtClose(db: LedgerReader, { id }: PeriodCloseTable): Promise<Map<number, string>> {
  const documents = await readClosedDocuments(db, id);
  return new Map(
    documents.flatMap(({ kind, subject, status }) => (kind === 'invoice' ? [[Number(subject), status ?? '']] : [])),
  );
}

/** The settled amounts that the close froze, by number and currency. */
async function readSettledAtClose(db: LedgerReader, { id }: PeriodCloseTable): Promise<Map<string, Units>> {
  const rows = await readClosedFigures(db, id);
  return new Map(
    // Of a settled amount `figure` is the invoice's number.
    rows.flatMap(({ section, currency, figure, value }) =>
      section === 'settled' ? [[`${figure} ${currency}`, parseUnits(value)] as const] : [],
    ),
  );
}
