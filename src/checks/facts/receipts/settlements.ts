import type { AccountingSettings } from '../../../base/accounting-settings.ts';
import { type AtClose, paidByFlag } from '../../../ledger/queries/balances/movements.ts';
import { type InvoiceHistory, readInvoiceHistories } from '../../../ledger/queries/invoices/history.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import { type SettledBy, type Settlement, settledBy, settlementOf } from '../../../matching/settle.ts';
import type { Days } from '../../../matching/statement-chain.ts';
import type { Units } from '../../../money/units.ts';
import { readDaysHeld } from './days-held.ts';
import { invoiceMoney } from './flows.ts';
import { type InvoiceBooks, type MatchBooks, type MatchSettings, readMatchBooks } from './match-books.ts';

/** What an accountant sets for `received` and `outstanding`. */
export interface SettlementSettings extends MatchSettings {
  /** Days from an invoice's date in which its money may be on its way. */
  readonly remittanceLagDays: number;
  /** How the journal is kept; as the courier's figures are where it is absent. */
  readonly accounting?: AccountingSettings;
}

/** One currency of an invoice, and what came of its money. */
export interface SettledInvoice extends InvoiceBooks, Settlement {}

/** What a currency of a month comes to. */
export interface SettledSums extends Omit<Settlement, 'by'> {
  /** Where the figures come from; `both` where some of what is paid is only said to be. */
  readonly basis: SettledBy | 'both';
}

/** What each invoice was paid, vanished ones too: they ask for nothing. */
export interface Settlements {
  readonly books: MatchBooks;
  /** All that became known of the invoices. */
  readonly histories: readonly InvoiceHistory[];
  /** By number and currency. */
  readonly invoices: readonly SettledInvoice[];
  /** The one of a number and currency. */
  readonly of: (number: number, currency: string | null) => SettledInvoice | undefined;
  /** What says whether money of an invoice of that date came in, in a currency that it states or has stated. */
  readonly by: (invoice: { readonly number: number; readonly issued_on: string }, currency: string) => SettledBy;
  /** The days of which receipts are held, a currency each. */
  readonly held: ReadonlyMap<string, readonly Days[]>;
}

export interface SettlementsOptions {
  /** Both sides of the matching, where they were read already. */
  readonly books?: MatchBooks;
  /** All that became known of the invoices, where it was read already. */
  readonly histories?: readonly InvoiceHistory[];
  /** As it was known when a month was closed; `books` and `histories` must be of then too. */
  readonly then?: AtClose;
}

export async function readSettlements(
  db: LedgerReader,
  settings: SettlementSettings,
  { then, ...read }: SettlementsOptions = {},
): Promise<Settlements> {
  const books = read.books ?? (await readMatchBooks(db, settings, then));
  const histories = read.histories ?? (await readInvoiceHistories(db, settings.timeZone));
  const { days: held } = await readDaysHeld(db, settings.receipts, books, then);
  const payingMatches = new Map(books.invoices.map((invoice) => [keyOf(invoice), invoice.paying]));
  const by: Settlements['by'] = ({ number, issued_on: date }, currency) => {
    const window = { date, paying: payingMatches.get(keyOf({ number, currency })) ?? 0 };
    return settledBy(window, held.get(currency) ?? [], settings.remittanceLagDays);
  };
  const flags = flagsOf(histories, {
    settles: (invoice, currency) => by(invoice, currency) === 'receipts',
    of: invoiceMoney(books),
  });
  const invoices = withFlagged(books, flags).map((invoice): SettledInvoice => {
    const { issued_on: date, vanished_at, currency } = invoice;
    const net = vanished_at === null ? invoice.net : 0n;
    const due = { ...invoice, date, net, flagged: flags.get(keyOf(invoice)) ?? 0n };
    return { ...invoice, ...settlementOf(due, held.get(currency) ?? [], settings.remittanceLagDays) };
  });
  const byKey = new Map(invoices.map((invoice) => [keyOf(invoice), invoice]));
  return {
    books,
    histories,
    invoices,
    held,
    of: (number, currency) => byKey.get(keyOf({ number, currency })),
    by,
  };
}

const keyOf = ({ number, currency }: { readonly number: number; readonly currency: string | null }) =>
  `${number} ${currency}`;

/** What the Paid flag cleared, by number and currency. */
function flagsOf(
  histories: readonly InvoiceHistory[],
  received: Parameters<typeof paidByFlag>[1],
): ReadonlyMap<string, Units> {
  return new Map(
    histories.flatMap((history) =>
      [...paidByFlag(history, received)].map(
        ([currency, units]) => [keyOf({ number: history.number, currency }), units] as const,
      ),
    ),
  );
}

/** The invoices, and what the flag cleared in a currency that an invoice no longer states. */
function withFlagged({ heads, invoices }: MatchBooks, flags: ReadonlyMap<string, Units>): InvoiceBooks[] {
  const stated = new Set(invoices.map(keyOf));
  const unstated = [...flags].flatMap(([key, units]) => {
    const [number, currency] = key.split(' ');
    const head = heads.get(Number(number));
    if (units === 0n || stated.has(key) || !head) return [];
    return [{ ...head, currency: currency!, net: 0n, matched: 0n, named: 0n, matches: 0, paying: 0 }];
  });
  return [...invoices, ...unstated];
}

/**
 * What the invoices of a month come to, by currency in alphabetical order. One that vanished asks for nothing, and what was paid of it is
 * outstanding the other way. A currency that an invoice no longer states, and in which money came in for it, is among them.
 */
export function settledMonth({ invoices }: Pick<Settlements, 'invoices'>, period: string): Map<string, SettledSums> {
  const ofMonth = invoices.filter((invoice) => invoice.period === period && isAskedOrPaid(invoice));
  const currencies = [...new Set(ofMonth.map(({ currency }) => currency))].sort();
  return new Map(
    currencies.map((currency) => [currency, sumOf(ofMonth.filter((invoice) => invoice.currency === currency))]),
  );
}

/** Whether an invoice is listed, or money of it moved before it vanished. */
export function isAskedOrPaid(invoice: SettledInvoice): boolean {
  const { vanished_at, received, differences, paid_on_word } = invoice;
  return vanished_at === null || [received, differences, paid_on_word].some((units) => units !== 0n);
}

/** What of an invoice's net is outstanding no longer. */
export function settledOf({ received, differences, paid_on_word }: Settlement): Units {
  return received + differences + paid_on_word;
}

/** What some invoices of one currency come to. */
export function sumOf(invoices: readonly SettledInvoice[]): SettledSums {
  const sum = (unitsOf: (invoice: SettledInvoice) => bigint) =>
    invoices.reduce((total, invoice) => total + unitsOf(invoice), 0n);
  return {
    basis: basisOf(invoices),
    received: sum(({ received }) => received),
    differences: sum(({ differences }) => differences),
    paid_on_word: sum(({ paid_on_word }) => paid_on_word),
    outstanding: sum(({ outstanding }) => outstanding),
  };
}

function basisOf(invoices: readonly SettledInvoice[]): SettledSums['basis'] {
  if (!invoices.some(({ by }) => by === 'receipts')) return 'courier';
  return invoices.some(({ by, status }) => by === 'courier' && status === 'PAID') ? 'both' : 'receipts';
}
