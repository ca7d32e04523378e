import type { AccountingSettings } from '../../../base/accounting-settings.ts';
import type { AtClose, LedgerReader } from '../../../ledger/queries/index.ts';
import { type Days, type SettledBy, type Settlement, settledBy, settlementOf } from '../../../matching/index.ts';
import { readDaysHeld } from './days-held.ts';
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
  /** By what the figures are known: `both` where some of what is paid is only said to be. */
  readonly basis: SettledBy | 'both';
}

/** What came of the money of all invoices, vanished ones too: they ask for nothing. */
export interface Settlements {
  readonly books: MatchBooks;
  /** By number and currency. */
  readonly invoices: readonly SettledInvoice[];
  readonly of: (number: number, currency: string | null) => SettledInvoice | undefined;
  /** What says whether money of an invoice of that date came in, in a currency that it states or has stated. */
  readonly by: (invoice: { readonly number: number; readonly issued_on: string }, currency: string) => SettledBy;
  /** The days of which receipts are held, a currency each. */
  readonly held: ReadonlyMap<string, readonly Days[]>;
}

/**
 * Settles every invoice.
 *
 * @param known both sides of the matching, where they were read already
 * @param then by the receipts that were held when a month was closed, and the matches in force then; `known` must be of then too
 */
export async function readSettlements(
  db: LedgerReader,
  settings: SettlementSettings,
  known?: MatchBooks,
  then?: AtClose,
): Promise<Settlements> {
  const books = known ?? (await readMatchBooks(db, settings, then));
  const held = await readDaysHeld(db, settings.receipts, books, then);
  const invoices = books.invoices.map((invoice): SettledInvoice => {
    const { issued_on, status, vanished_at, currency, matched, named, matches, paying } = invoice;
    const net = vanished_at === null ? invoice.net : 0n;
    const due = { date: issued_on, net, matched, named, matches, paying, paid: status === 'PAID' };
    return { ...invoice, ...settlementOf(due, held.get(currency) ?? [], settings.remittanceLagDays) };
  });
  const byKey = new Map(invoices.map((invoice) => [`${invoice.number} ${invoice.currency}`, invoice]));
  return {
    books,
    invoices,
    held,
    of: (number, currency) => byKey.get(`${number} ${currency}`),
    by: ({ number, issued_on: date }, currency) => {
      const { paying = 0 } = byKey.get(`${number} ${currency}`) ?? {};
      return settledBy({ date, paying }, held.get(currency) ?? [], settings.remittanceLagDays);
    },
  };
}

/**
 * What the invoices of a month come to, by currency in alphabetical order; those that vanished left out. A currency that an invoice no
 * longer states, and in which money came in for it, is among them.
 */
export function settledMonth({ invoices }: Pick<Settlements, 'invoices'>, period: string): Map<string, SettledSums> {
  const own = invoices.filter((invoice) => invoice.period === period && invoice.vanished_at === null);
  const currencies = [...new Set(own.map(({ currency }) => currency))].sort();
  return new Map(currencies.map((currency) => [currency, sumOf(own.filter((one) => one.currency === currency))]));
}

/** Sums of settled invoices of one currency. */
export function sumOf(invoices: readonly SettledInvoice[]): SettledSums {
  const sum = (of: (invoice: SettledInvoice) => bigint) => invoices.reduce((total, one) => total + of(one), 0n);
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
