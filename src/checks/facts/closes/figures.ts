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
import { ExactDecimal } from '../../../money/decimal.ts';
import { formatAmount } from '../../../money/format.ts';
import { Totals } from '../../../money/sum.ts';
import { amountOfUnits, formatUnits, parseUnits, type Units } from '../../../money/units.ts';
import { BalanceBook } from '../balances/book.ts';
import { type Flow, flowsOf, namedDifferences } from '../receipts/flows.ts';
import {
  isAskedOrPaid,
  type SettledSums,
  type SettlementSettings,
  type Settlements,
  settledMonth,
  settledOf,
} from '../receipts/settlements.ts';

/** What a close freezes: the figures, and what of each invoice was settled. */
export interface Frozen {
  readonly figures: ClosingFigures;
  readonly settled: readonly SettledAtClose[];
  readonly openItems: readonly FrozenItem[];
}

/**
 * The figures of a month as they are: what a close freezes.
 *
 * @param totals the month's own, summed in code or by the database
 * @param closed the closes that keep movements out of their months; all in force where absent
 */
export async function readClosingFigures(
  db: LedgerReader,
  { period, invoices, orders, currencies }: MonthTotals,
  settings: SettlementSettings,
  { settlements, closed }: { readonly settlements: Settlements; readonly closed?: readonly PeriodCloseTable[] },
): Promise<Frozen> {
  const sums = settledMonth(settlements, period);
  const book = await BalanceBook.read(db, settings, { settlements, ...(closed ? { closed } : {}) });
  const balances = await book.rollForward([period]);
  const items = await book.openItems(period);
  const ofMonth = settlements.invoices.filter((invoice) => invoice.period === period && isAskedOrPaid(invoice));
  return {
    figures: {
      period,
      counts: { invoices, orders },
      totals: linesIn(currencies, sums.keys()).map((line) => {
        const amounts = { ...line, ...settledAmounts(sums.get(line.currency)) };
        return { currency: line.currency, ...textOf(TOTALS_FIGURES, (figure) => amounts[figure]) };
      }),
      roll_forward: balances.map((balance) => {
        const { currency } = balance;
        return { currency, ...textOf(BALANCE_FIGURES, (figure) => amountOfUnits(balance[figure])) };
      }),
    },
    settled: ofMonth
      .filter((invoice) => settledOf(invoice) !== 0n)
      .map((invoice) => {
        return { invoice: invoice.number, currency: invoice.currency, amount: formatUnits(settledOf(invoice)) };
      }),
    openItems: items.map(({ kind, id, currency, issued_on, net, received, differences, open }) => ({
      kind,
      subject: id,
      currency,
      issued_on,
      net_due_to_merchant: formatUnits(net),
      received: formatUnits(received),
      differences: formatUnits(differences),
      open: formatUnits(open),
    })),
  };
}

const SETTLED = ['received', 'differences', 'paid_on_word', 'outstanding'] as const;

function settledAmounts(sums: SettledSums | undefined) {
  const amounts = SETTLED.map((figure) => [figure, sums ? amountOfUnits(sums[figure]) : new ExactDecimal(0)]);
  return Object.fromEntries(amounts) as Record<(typeof SETTLED)[number], ExactDecimal>;
}

function textOf<F extends string>(figures: readonly F[], amountOf: (figure: F) => ExactDecimal): Record<F, string> {
  return Object.fromEntries(figures.map((figure) => [figure, formatAmount(amountOf(figure))])) as Record<F, string>;
}

/** What depends on when one looks, as one would have seen it at the close. */
type AsClosed = Readonly<Record<'paid' | 'received' | 'differences' | 'outstanding', string>>;

/**
 * What of a closed month was paid and received, and what was outstanding, in the light of today and without what came in since: money that
 * came after the month's end, and became known after the close, is a movement of a later month, and no change of this one. What was
 * known then or lies in the month, and counts otherwise now, is one.
 *
 * @returns by currency
 */
export async function readAsClosed(
  db: LedgerReader,
  close: PeriodCloseTable,
  { books, invoices }: Settlements,
): Promise<(currency: string) => AsClosed> {
  const [paid, received, differences, outstanding] = [new Totals(), new Totals(), new Totals(), new Totals()];
  const statuses = await statusesOf(db, close);
  for await (const { number, status, currency, net_due_to_merchant: net } of readInvoices(db, [close.period])) {
    const wasPaid = (statuses.get(number) ?? status) === 'PAID';
    if (currency !== null && status === 'PAID' && wasPaid) paid.add(currency, net);
  }
  const evidenceOf = new Map(books.held.map(({ id, evidence_id }) => [id, evidence_id]));
  const wasImported = ({ receipt }: Flow) => (books.receipts.get(receipt)?.evidence_id ?? 0) < close.id;
  const isOfMonth = ({ match, date }: Pick<Flow, 'match' | 'date'>) =>
    evidenceOf.get(match)! < close.id || date <= lastDayOf(close.period);
  const flows = flowsOf(books).filter((flow) => isOfMonth(flow) || wasImported(flow));
  const flowsBy = groupBy(flows, keyOf);
  const differencesBy = groupBy(namedDifferences(books).filter(isOfMonth), keyOf);
  const settledAtClose = await frozenSettled(db, close);
  for (const invoice of invoices) {
    if (invoice.period !== close.period || !isAskedOrPaid(invoice)) continue;
    const { number, currency } = invoice;
    const invoiceFlows = flowsBy.get(keyOf(invoice)) ?? [];
    const invoiceDifferences = differencesBy.get(keyOf(invoice)) ?? [];
    for (const { amount } of invoiceFlows) received.add(currency, amountOfUnits(amount));
    for (const { amount } of invoiceDifferences) differences.add(currency, amountOfUnits(amount));
    const matchedSince = [...invoiceFlows, ...invoiceDifferences].filter(
      ({ match }) => evidenceOf.get(match)! > close.id,
    );
    const settledNow = settledOf(invoice);
    const settledThen = settledAtClose.get(keyOf(invoice)) ?? 0n;
    const mostThen = settledThen + matchedSince.reduce((sum, { amount }) => sum + amount, 0n);
    const settled = statuses.has(number) ? nearerToNothing(settledNow, mostThen) : settledNow;
    outstanding.add(currency, amountOfUnits(invoice.outstanding + settledNow - settled));
  }
  return (currency) => ({
    paid: formatAmount(paid.of(currency)),
    received: formatAmount(received.of(currency)),
    differences: formatAmount(differences.of(currency)),
    outstanding: formatAmount(outstanding.of(currency)),
  });
}

const keyOf = ({ number, currency }: { readonly number: number; readonly currency: string }) => `${number} ${currency}`;

/**
 * The part of what is settled now that was settled at the close. Of 80 now and 50 then it is 50; where money went back, of -80 and -50 it
 * is -50; where the signs differ it is zero.
 */
function nearerToNothing(now: Units, most: Units): Units {
  if (now < 0n) return -nearerToNothing(-now, -most);
  if (most < 0n) return 0n;
  return now < most ? now : most;
}

async function statusesOf(db: LedgerReader, { id }: PeriodCloseTable): Promise<Map<number, string>> {
  const documents = await readClosedDocuments(db, id);
  return new Map(
    documents.flatMap(({ kind, subject, status }) => (kind === 'invoice' ? [[Number(subject), status ?? '']] : [])),
  );
}

async function frozenSettled(db: LedgerReader, { id }: PeriodCloseTable): Promise<Map<string, Units>> {
  const rows = await readClosedFigures(db, id);
  return new Map(
    rows.flatMap(({ section, currency, figure, value }) =>
      section === 'settled' ? [[`${figure} ${currency}`, parseUnits(value)] as const] : [],
    ),
  );
}
