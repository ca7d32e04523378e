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
  const ofMonth = settlements.invoices.filter((one) => one.period === period && isAskedOrPaid(one));
  return {
    figures: {
      period,
      counts: { invoices, orders },
      totals: linesIn(currencies, sums.keys()).map((line) => {
        const all = { ...line, ...settledAmounts(sums.get(line.currency)) };
        return { currency: line.currency, ...textOf(TOTALS_FIGURES, (figure) => all[figure]) };
      }),
      roll_forward: balances.map((balance) => {
        const { currency } = balance;
        return { currency, ...textOf(BALANCE_FIGURES, (figure) => amountOfUnits(balance[figure])) };
      }),
    },
    settled: ofMonth
      .filter((one) => settledOf(one) !== 0n)
      .map((one) => ({ invoice: one.number, currency: one.currency, amount: formatUnits(settledOf(one)) })),
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

function textOf<F extends string>(figures: readonly F[], of: (figure: F) => ExactDecimal): Record<F, string> {
  return Object.fromEntries(figures.map((figure) => [figure, formatAmount(of(figure))])) as Record<F, string>;
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
  const evidence = new Map(books.held.map(({ id, evidence_id }) => [id, evidence_id]));
  const isOld = (receipt: number) => (books.receipts.get(receipt)?.evidence_id ?? 0) < close.id;
  const isOwn = ({ match, date }: Pick<Flow, 'match' | 'date'>) =>
    evidence.get(match)! < close.id || date <= lastDayOf(close.period);
  const flows = flowsOf(books).filter((flow) => isOwn(flow) || isOld(flow.receipt));
  const named = namedDifferences(books).filter(isOwn);
  const [flowsBy, namedBy] = [groupBy(flows, keyOf), groupBy(named, keyOf)];
  const settledThen = await frozenSettled(db, close);
  for (const invoice of invoices) {
    if (invoice.period !== close.period || !isAskedOrPaid(invoice)) continue;
    const { number, currency } = invoice;
    const own = { received: flowsBy.get(keyOf(invoice)) ?? [], differences: namedBy.get(keyOf(invoice)) ?? [] };
    for (const { amount } of own.received) received.add(currency, amountOfUnits(amount));
    for (const { amount } of own.differences) differences.add(currency, amountOfUnits(amount));
    const late = [...own.received, ...own.differences].filter(({ match }) => evidence.get(match)! > close.id);
    const now = settledOf(invoice);
    const then = settledThen.get(keyOf(invoice)) ?? 0n;
    const most = then + late.reduce((sum, { amount }) => sum + amount, 0n);
    const settled = statuses.has(number) ? nearerToNothing(now, most) : now;
    outstanding.add(currency, amountOfUnits(invoice.outstanding + now - settled));
  }
  const of = (totals: Totals, currency: string) => formatAmount(totals.of(currency));
  return (currency) => ({
    paid: of(paid, currency),
    received: of(received, currency),
    differences: of(differences, currency),
    outstanding: of(outstanding, currency),
  });
}

const keyOf = ({ number, currency }: { readonly number: number; readonly currency: string }) => `${number} ${currency}`;

/** Of two settled amounts the one that settles less; what is above it came in since. */
function nearerToNothing(now: Units, most: Units): Units {
  if (now >= 0n) return now < most ? now : most < 0n ? 0n : most;
  return now > most ? now : most > 0n ? 0n : most;
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
