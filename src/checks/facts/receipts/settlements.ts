import { groupBy } from '../../../base/group.ts';
import type { AccountingSettings } from '../../../base/settings.ts';
import { accountKey } from '../../../imports/overlap.ts';
import { type AtClose, paidByFlag, type ReceivedMoney } from '../../../ledger/queries/balances/movements.ts';
import { type InvoiceHistory, readInvoiceHistories } from '../../../ledger/queries/invoices/history.ts';
import { readStatements } from '../../../ledger/queries/receipts/statements.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { isCourierAccount, type PayerRule } from '../../../matching/courier-lines.ts';
import { isSettledByReceipts, type SettledBy, type SettledParts, settlementOf } from '../../../matching/settle.ts';
import { chainOfStatements, daysHeld, type Gap } from '../../../matching/statement-chain.ts';
import { eachField, SETTLED_FIGURES, type SettledFigure } from '../../../money/fields.ts';
import { amountOfUnits, type Units } from '../../../money/units.ts';
import { invoiceMoney } from './flows.ts';
import {
  type InvoiceBooks,
  invoiceKey,
  type MatchBooks,
  type MatchSettings,
  NOTHING_MATCHED,
  readMatchBooks,
} from './match-books.ts';

/** The settings that `received` and `outstanding` go by. */
export interface SettlementSettings extends MatchSettings {
  /** Days after an invoice's date during which its money may still be on its way. */
  readonly remittanceLagDays: number;
  /** How the journal is kept; absent if it is kept as the courier's figures are. */
  readonly accounting?: AccountingSettings;
}

/** One currency of an invoice, with what was paid of it and what is outstanding. */
export interface SettledInvoice extends InvoiceBooks, SettledParts {}

/** The sums of settlements in one currency. */
export interface SettledSums extends Omit<SettledParts, 'by'> {
  /** Whether receipts or the courier's Paid flag say what is paid; `both` if for some invoices it is only the flag. */
  readonly basis: SettledBy | 'both';
}

/** What was paid of each invoice, also of vanished ones, of which nothing is due. */
export type Settlements = Awaited<ReturnType<typeof readSettlements>>;

export interface SettlementsOptions {
  /** If they were read already. */
  readonly books?: MatchBooks;
  /** If they were read already. */
  readonly histories?: readonly InvoiceHistory[];
  /** For what was known when a month was closed; `books` and `histories` must be of that time too. */
  readonly atClose?: AtClose;
}

export async function readSettlements(
  db: LedgerReader,
  settings: SettlementSettings,
  { atClose, ...read }: SettlementsOptions = {},
) {
  const books = read.books ?? (await readMatchBooks(db, settings, atClose));
  const histories = read.histories ?? (await readInvoiceHistories(db, settings.timeZone));
  const { days } = await readDaysHeld(db, settings.receipts, books, atClose);
  /** How many of its matches have receipts, by invoice and currency. */
  const payingMatches = new Map(books.invoices.map((invoice) => [invoiceKey(invoice), invoice.paying]));
  /** Whether receipts settle an invoice in a currency, also in one that it no longer states. */
  const settles: ReceivedMoney['settles'] = ({ number, issued_on: date }, currency) => {
    const paying = payingMatches.get(invoiceKey({ number, currency })) ?? 0;
    return isSettledByReceipts({ date, paying }, days.get(currency) ?? [], settings.remittanceLagDays);
  };
  const flags = flagsOf(histories, { settles, of: invoiceMoney(books) });
  /** One entry per invoice and currency. */
  const invoices = withFlagged(books, flags).map((invoice): SettledInvoice => {
    const { issued_on: date, vanished_at, currency } = invoice;
    const net = vanished_at === null ? invoice.net : 0n;
    const due = { ...invoice, date, net, flagged: flags.get(invoiceKey(invoice))?.amount ?? 0n };
    return { ...invoice, ...settlementOf(due, days.get(currency) ?? [], settings.remittanceLagDays) };
  });
  const byKey = new Map(invoices.map((invoice) => [invoiceKey(invoice), invoice]));
  const of = (number: number, currency: string | null) => byKey.get(invoiceKey({ number, currency }));
  return { books, histories, invoices, of, settles };
}

/** What the Paid flag settles of one currency of an invoice. */
interface Flagged {
  readonly number: number;
  readonly currency: string;
  readonly amount: Units;
}

/** The amounts that the Paid flag settles, by number and currency. */
function flagsOf(histories: readonly InvoiceHistory[], received: Parameters<typeof paidByFlag>[1]) {
  const flagged = histories.flatMap((history) =>
    [...paidByFlag(history, received)].map(([currency, amount]): Flagged => {
      return { number: history.number, currency, amount };
    }),
  );
  return new Map(flagged.map((each) => [invoiceKey(each), each]));
}

/** The invoices, and an entry of net 0 for a currency that the flag settles and an invoice no longer states. */
function withFlagged({ heads, invoices }: MatchBooks, flags: ReadonlyMap<string, Flagged>): InvoiceBooks[] {
  const stated = new Set(invoices.map(invoiceKey));
  const unstated = [...flags].flatMap(([key, { number, currency, amount }]) => {
    const head = heads.get(number);
    if (amount === 0n || stated.has(key) || !head) return [];
    return [{ ...head, currency, net: 0n, ...NOTHING_MATCHED }];
  });
  return [...invoices, ...unstated];
}

/**
 * The sums of a month's invoices, by currency, sorted. Nothing is due of an invoice that vanished, so that what was
 * paid of it is negative in `outstanding`. Currencies that an invoice no longer states count if money came in.
 */
export function settledMonth({ invoices }: Pick<Settlements, 'invoices'>, period: string): Map<string, SettledSums> {
  const ofMonth = invoices.filter((invoice) => invoice.period === period && isAskedOrPaid(invoice));
  const currencies = [...new Set(ofMonth.map(({ currency }) => currency))].sort();
  return new Map(
    currencies.map((currency) => [currency, sumOf(ofMonth.filter((invoice) => invoice.currency === currency))]),
  );
}

/** Whether an invoice is live, or money for it moved before it vanished. */
export function isAskedOrPaid(invoice: SettledInvoice): boolean {
  const { vanished_at, received, differences, paid_on_word } = invoice;
  return vanished_at === null || [received, differences, paid_on_word].some((units) => units !== 0n);
}

/** The part of an invoice's net that is no longer outstanding. */
export function settledOf({ received, differences, paid_on_word }: SettledParts): Units {
  return received + differences + paid_on_word;
}

/** What was paid of one invoice or of several, and what is outstanding, as decimals: zeros for none (undefined). */
export function settledAmounts(settled: Readonly<Record<SettledFigure, Units>> | undefined) {
  return eachField(SETTLED_FIGURES, (figure) => amountOfUnits(settled?.[figure] ?? 0n));
}

/** The sums of invoices of one currency. */
function sumOf(invoices: readonly SettledInvoice[]): SettledSums {
  const sums = eachField(SETTLED_FIGURES, (figure) => invoices.reduce((sum, invoice) => sum + invoice[figure], 0n));
  return { basis: basisOf(invoices), ...sums };
}

function basisOf(invoices: readonly SettledInvoice[]): SettledSums['basis'] {
  if (!invoices.some(({ by }) => by === 'receipts')) return 'courier';
  return invoices.some(({ by, status }) => by === 'courier' && status === 'PAID') ? 'both' : 'receipts';
}

type Account = Pick<Gap, 'account' | 'currency'>;

const keyOfAccount = ({ account, currency }: Account) => JSON.stringify([accountKey(account), currency]);

/**
 * The days for which receipts were imported, by currency, and the gaps between them. Only statements of accounts that
 * the courier pays into count, because no other can show that it did not pay: accounts that it ever paid into, or that
 * the settings name.
 *
 * @param atClose for what was imported when a month was closed
 */
export async function readDaysHeld(
  db: LedgerReader,
  rule: PayerRule,
  { receipts, courierReceipts }: Pick<MatchBooks, 'receipts' | 'courierReceipts'>,
  atClose?: AtClose,
) {
  const paidInto = new Set([...receipts.values()].filter(({ id }) => courierReceipts.has(id)).map(keyOfAccount));
  const chains = await readChains(db, atClose);
  const courierChains = chains.filter(({ key, account }) => paidInto.has(key) || isCourierAccount(rule, account));
  const days = [...groupBy(courierChains, ({ currency }) => currency)].map(([currency, chainsOfCurrency]) => {
    const held = chainsOfCurrency.flatMap((chain) => chain.days);
    const gaps = chainsOfCurrency.flatMap((chain) => chain.gaps);
    return [currency, daysHeld(held, gaps)] as const;
  });
  return { days: new Map(days), gaps: courierChains.flatMap(({ gaps }) => gaps) };
}

/** The statements in force as one chain per account and currency, with its days and gaps. */
async function readChains(db: LedgerReader, atClose?: AtClose) {
  return [...groupBy(await readStatements(db, atClose), keyOfAccount)].map(([key, statements]) => {
    const { account, currency } = statements[0]!;
    return { key, account, currency, ...chainOfStatements(statements) };
  });
}

/** The gaps between the statements of these accounts. */
export async function readGaps(db: LedgerReader, accounts: readonly Account[]): Promise<Gap[]> {
  const keys = new Set(accounts.map(keyOfAccount));
  return (await readChains(db)).filter(({ key }) => keys.has(key)).flatMap(({ gaps }) => gaps);
}
