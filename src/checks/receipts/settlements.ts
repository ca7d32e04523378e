import {
  type Days,
  daysHeld,
  type SettledBy,
  type Settlement,
  settledBy,
  settlementOf,
} from '../../books/matching/index.ts';
import type { AtClose, LedgerReader } from '../../ledger/read/index.ts';
import { readStatementDays } from '../../ledger/read/receipts.ts';
import { type InvoiceBooks, type MatchBooks, type MatchSettings, readMatchBooks } from './match-books.ts';

/** What an accountant sets for `received` and `outstanding`. */
export interface SettlementSettings extends MatchSettings {
  /** Days from an invoice's date in which its money may be on its way. */
  readonly remittanceLagDays: number;
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
  readonly by: (invoice: { readonly number: number; readonly issued_at: string }, currency: string) => SettledBy;
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
  const held = await readDaysHeld(db, books, then);
  const invoices = books.invoices.map((invoice): SettledInvoice => {
    const { issued_at, status, vanished_at, currency, matched, named, matches } = invoice;
    const net = vanished_at === null ? invoice.net : 0n;
    const due = { date: dayOf(issued_at), net, matched, named, matches, paid: status === 'PAID' };
    return { ...invoice, ...settlementOf(due, held.get(currency) ?? [], settings.remittanceLagDays) };
  });
  const byKey = new Map(invoices.map((invoice) => [`${invoice.number} ${invoice.currency}`, invoice]));
  return {
    books,
    invoices,
    held,
    of: (number, currency) => byKey.get(`${number} ${currency}`),
    by: ({ number, issued_at }, currency) => {
      const { matches = 0 } = byKey.get(`${number} ${currency}`) ?? {};
      return settledBy({ date: dayOf(issued_at), matches }, held.get(currency) ?? [], settings.remittanceLagDays);
    },
  };
}

/** The day of a moment, in its own offset. */
const dayOf = (moment: string) => moment.slice(0, 10);

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

/**
 * Only an account into which the courier pays can show that it did not: another account's statement says nothing. While it has paid into
 * none, any may be the one.
 */
async function readDaysHeld(
  db: LedgerReader,
  { receipts, theirs }: MatchBooks,
  then: AtClose | undefined,
): Promise<Map<string, Days[]>> {
  if (receipts.size === 0) return new Map();
  const key = (account: string | null, currency: string) => JSON.stringify([account, currency]);
  const paidInto = new Set<string>();
  const known = new Set<string>();
  for (const { id, account, currency } of receipts.values()) {
    if (!theirs.has(id)) continue;
    paidInto.add(key(account, currency));
    known.add(currency);
  }
  const days = new Map<string, Days[]>();
  for (const { account, currency, from, to } of await readStatementDays(db, then)) {
    if (known.has(currency) && !paidInto.has(key(account, currency))) continue;
    days.set(currency, [...(days.get(currency) ?? []), { from, to }]);
  }
  return new Map([...days].map(([currency, each]) => [currency, daysHeld(each)]));
}
