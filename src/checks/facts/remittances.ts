import { addDays, dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import type { Sentence } from '../../base/sentence.ts';
import { compareText } from '../../base/text.ts';
import { readInvoiceHistories } from '../../ledger/queries/invoices/history.ts';
import type { ReceiptRow } from '../../ledger/queries/receipts/receipts.ts';
import { readStatements } from '../../ledger/queries/receipts/statements.ts';
import type { MatchOutcome } from '../../matching/model.ts';
import { isSettledByReceipts, type Remittance, remittanceOf } from '../../matching/settle.ts';
import { gapTexts, touches } from '../../matching/statement-chain.ts';
import { formatAmount } from '../../money/decimal.ts';
import { amountOfUnits, formatUnits, parseUnits, type Units } from '../../money/units.ts';
import type { CheckContext, CheckOutcome, Finding, NotComparable, UncomparedSentence } from '../check.ts';
import { amounts, finding } from '../finding.ts';
import { type InvoiceBooks, type MatchBooks, outcomeOf, readMatchBooks } from './receipts/match-books.ts';
import { readDaysHeld, readSettlements, type Settlements } from './receipts/settlements.ts';

/** One currency of an invoice, and whether its money came in. */
export type Remitted = { readonly invoice: InvoiceBooks; readonly remittance: Remittance };

function matchBooks({ db, settings, facts }: CheckContext): Promise<MatchBooks> {
  return facts.once('match-books', () => readMatchBooks(db, settings));
}

/** Receipts and invoices with their matches in force, and what the rules would still match. */
export function receiptBooks(context: CheckContext): Promise<MatchBooks & { outcome: MatchOutcome }> {
  return context.facts.once('receipt-books', async () => {
    const books = await matchBooks(context);
    return { ...books, outcome: outcomeOf(books) };
  });
}

/** What was paid of each invoice, in all months. */
export function settlements(context: CheckContext): Promise<Settlements> {
  const { db, settings, facts } = context;
  return facts.once('settlements', async () => readSettlements(db, settings, { books: await matchBooks(context) }));
}

/** What was paid of each invoice of one month. */
export async function settlementsOfMonth(context: CheckContext, month: string): Promise<Settlements> {
  const { db, settings } = context;
  const books = await matchBooks(context);
  const invoices = books.invoices.filter(({ period }) => period === month);
  const histories = await readInvoiceHistories(db, settings.timeZone, month);
  return readSettlements(db, settings, { books: { ...books, invoices }, histories });
}

/** What was paid of each invoice of these months, one entry per invoice and currency. */
function remittances(context: CheckContext): Promise<readonly Remitted[]> {
  return context.facts.once('remittances', async () => {
    const { invoices } = await receiptBooks(context);
    const { remittanceLagDays: lagDays, remittanceTolerance, timeZone } = context.settings;
    const options = { lagDays, tolerance: parseUnits(remittanceTolerance), today: dayIn(context.now, timeZone) };
    const months = new Set(context.periods);
    return invoices
      .filter(({ period }) => months.has(period))
      .map((invoice) => {
        const { issued_on, status, net, vanished_at, matched, named, matches } = invoice;
        const input = { date: issued_on, net: vanished_at === null ? net : 0n, matched, named, matches };
        return { invoice, remittance: remittanceOf({ ...input, isPaid: status === 'PAID' }, options) };
      });
  });
}

/** A receipt in a sentence. */
export type ReceiptWords = {
  receipt: number;
  date: string;
  text: string;
  currency: string;
  amount: string;
};

/** The fields of a finding about a receipt, and the parameters of its sentence. */
export function sayReceipt({ id: receipt, date, text, currency }: ReceiptRow, amount: Units) {
  const about = { period: date.slice(0, 7), subject: `receipt ${receipt}`, currency, field: 'amount' };
  return { about, words: { receipt, date, text, currency, amount: formatUnits(amount) } };
}

/** The parameters of a sentence about a remittance: plain decimals in the invoice's currency. */
export type RemittanceFigures = {
  number: number;
  currency: string;
  /** What should come in: the net less differences that a person named; zero for an invoice that vanished. */
  due: string;
  received: string;
  /** `due - received`, and the same with the opposite sign. */
  left: string;
  over: string;
};

/**
 * The invoices that are marked paid and of which no money came (`missing`), or less than is due (`short`). They are
 * findings only if receipts were imported for the whole payment window, from the invoice's date to
 * `remittance_lag_days` after it. In a currency without any receipts the Paid flag is believed, and the currency is
 * left out.
 */
export async function lackingRemittances(
  context: CheckContext,
  outcome: 'missing' | 'short',
  sentenceOf: (figures: RemittanceFigures) => Sentence,
): Promise<CheckOutcome> {
  const windows = await context.facts.once('payment-windows', async () =>
    readPaymentWindows(context, await matchBooks(context)),
  );
  const hasWindow = ({ invoice }: Remitted) => windows.isHeld(invoice);
  const isLeftOut = ({ invoice }: Remitted) => !windows.currencies.has(invoice.currency);
  const lacking = (await remittances(context)).filter(({ remittance }) => remittance.outcome === outcome);
  const withoutWindow = lacking.filter((remitted) => !hasWindow(remitted));
  const uncompared = withoutWindow.filter((remitted) => !isLeftOut(remitted));
  const currenciesLeftOut = new Set(withoutWindow.filter(isLeftOut).map(({ invoice }) => invoice.currency));
  const found = await remittanceFindings(context, outcome, sentenceOf, hasWindow);
  return {
    ...found,
    compared: found.compared - withoutWindow.length,
    notComparable: [...groupBy(uncompared, ({ invoice }) => JSON.stringify(whyUncompared(windows, invoice)))]
      .sort(([, [a]], [, [b]]) => compareText(a!.invoice.currency, b!.invoice.currency))
      .map(([, ofReason]) => uncomparedOf(ofReason, windows)),
    leftOut: [...currenciesLeftOut].sort().map((currency) => ({
      why: { id: 'no-receipts-in-currency', currency },
      commands: ['remit import receipts FILE'],
    })),
  };
}

function whyUncompared({ gapIn }: PaymentWindows, invoice: InvoiceBooks): UncomparedSentence {
  const { currency } = invoice;
  const gap = gapIn(invoice);
  if (!gap) return { id: 'payment-window-not-imported', currency };
  return { id: 'payment-window-gap', ...gapTexts(gap) };
}

/** @param remitted invoices whose payment is unknown for the same reason */
function uncomparedOf(remitted: readonly Remitted[], windows: PaymentWindows): NotComparable {
  const { invoice: first } = remitted[0]!;
  // A gap in what was imported is not closed by the next statement of the bank.
  const comesLater = windows.gapIn(first) ? {} : { comesLater: true as const };
  return {
    why: whyUncompared(windows, first),
    commands: ['remit import receipts FILE'],
    count: remitted.length,
    stakes: remitted.map(({ invoice: { number, period, currency }, remittance }) => {
      const amount = amountOfUnits(remittance.outstanding).abs();
      return { period, currency, amount, what: 'invoice', subject: String(number), ...comesLater };
    }),
  };
}

/** A finding for each invoice whose remittance has this outcome: `expected` is what was due, `actual` what came in. */
export async function remittanceFindings(
  context: CheckContext,
  outcome: Remittance['outcome'],
  sentenceOf: (figures: RemittanceFigures) => Sentence,
  isCompared: (remitted: Remitted) => boolean = () => true,
): Promise<CheckOutcome> {
  const all = await remittances(context);
  const findings = all
    .filter((remitted) => remitted.remittance.outcome === outcome && isCompared(remitted))
    .map(({ invoice, remittance }): Finding => {
      const { number, period, currency } = invoice;
      const { outstanding, received, effect } = remittance;
      const due = amountOfUnits(outstanding + received);
      const [left, over] = [formatUnits(outstanding), formatUnits(-outstanding)];
      return finding({
        period,
        invoice_number: number,
        currency,
        field: 'net_due_to_merchant',
        ...amounts(due, amountOfUnits(received)),
        effect: amountOfUnits(effect),
        sentence: sentenceOf({ number, currency, due: formatAmount(due), received: formatUnits(received), left, over }),
      });
    });
  return { findings, compared: all.length };
}

type PaymentWindows = Awaited<ReturnType<typeof readPaymentWindows>>;

/** An invoice's payment window goes from its date to `remittance_lag_days` after it. */
type Window = Pick<InvoiceBooks, 'issued_on' | 'currency'>;

/** Reads for which days receipts were imported: a payment of such a day that is not among them did not come. */
async function readPaymentWindows({ db, settings }: CheckContext, books: MatchBooks) {
  const currencies = new Set((await readStatements(db)).map(({ currency }) => currency));
  const { days, gaps } = await readDaysHeld(db, settings.receipts, books);
  const { remittanceLagDays: lag } = settings;
  return {
    /** The currencies of all statements of accounts that are in force. */
    currencies,
    /**
     * Whether receipts in the currency were imported for every day of the window, from accounts that the courier pays
     * into. `paying: 0`: by the days alone, whether or not a match pays the invoice.
     */
    isHeld: ({ issued_on, currency }: Window) =>
      isSettledByReceipts({ date: issued_on, paying: 0 }, days.get(currency) ?? [], lag),
    /** The first gap between statements of such an account that the window touches. */
    gapIn: ({ issued_on, currency }: Window) =>
      gaps.find((gap) => gap.currency === currency && touches(gap, { from: issued_on, to: addDays(issued_on, lag) })),
  };
}
