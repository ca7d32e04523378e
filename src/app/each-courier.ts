import { nearestWords } from '../base/edit-distance.ts';
import { UsageError } from '../base/errors.ts';
import { isPlainNumber, numberNamed } from '../base/number-texts.ts';
import type { Config } from '../config/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { findMismatches } from '../ledger/queries/findings/mismatches.ts';
import { knowsInvoice } from '../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { type LedgerReader, usingSnapshot } from '../ledger/queries/snapshot.ts';
import { booksError, type Wanted } from '../words/errors/books.ts';
import { showingError } from '../words/errors/showing.ts';
import { type Books, type LedgerUse, type NewSettings, usingBooks, withPayoutNumbersInErrors } from './books.ts';
import { type Courier, couriersOf, ledgerOf } from './couriers.ts';

/**
 * Runs `use` for each courier that a command is about.
 *
 * @param use its `isOnly`: whether the command is about no other courier
 * @returns each courier's name, and what `use` returned for it
 */
export function eachCourier<T>(
  books: Books,
  ledgerUse: LedgerUse,
  use: (ledger: Ledger, courier: Courier<Config>, isOnly: boolean) => Promise<T>,
): Promise<{ readonly courier: string; readonly value: T }[]> {
  return usingBooks(books, { ...ledgerUse, allCouriers: true }, async (ledger) => {
    const values: { courier: string; value: T }[] = [];
    const couriers = await couriersOf(ledger.db, books.config);
    for (const courier of couriers) {
      const courierLedger = ledgerOf(ledger, courier);
      const value = await withPayoutNumbersInErrors(courierLedger, () =>
        use(courierLedger, courier, couriers.length === 1),
      );
      values.push({ courier: courier.name, value });
    }
    return values;
  });
}

/** Reads one unchanging view of each courier's rows, as {@link eachCourier} does. */
export function readEachCourier<T>(
  books: Books,
  ledgerUse: LedgerUse,
  read: (db: LedgerReader, courier: Courier<Config>) => Promise<T>,
) {
  return eachCourier(books, { ...ledgerUse, readOnly: true }, (ledger, courier) =>
    usingSnapshot(ledger, (db) => read(db, courier)),
  );
}

/**
 * A name fits several things of one courier. {@link ofOneCourier} then asks no further: that another courier has just
 * one thing of that name does not decide which was meant.
 */
export class SeveralError extends UsageError {}

/**
 * Reads a thing that a command names from the one courier that has it.
 *
 * @throws UsageError where several have it, naming them; where none has, what `read` throws for the first
 */
export async function ofOneCourier<T>(
  books: Books,
  wanted: Wanted,
  read: (db: LedgerReader, courier: Courier<Config>) => Promise<T>,
  newSettings: NewSettings = 'record',
): Promise<T> {
  const tried = await readEachCourier(books, { newSettings }, async (db, courier) => {
    try {
      return { found: await read(db, courier) };
    } catch (error) {
      if (error instanceof UsageError && !(error instanceof SeveralError)) return { error };
      throw error;
    }
  });
  const found = tried.flatMap(({ courier, value }) => ('found' in value ? [{ courier, value: value.found }] : []));
  if (found.length === 1) return found[0]!.value;
  if (found.length === 0) throw tried.flatMap(({ value }) => ('error' in value ? [value.error] : []))[0]!;
  return refuseSeveral(wanted, found);
}

const LOOK: LedgerUse = { readOnly: true, newSettings: 'unchecked' };

/**
 * The books narrowed to the one courier that has what a command names; where there is only one courier, to that one in
 * any case, so that the command itself says what is missing.
 *
 * @throws UsageError where there are several couriers and not exactly one has it
 */
export async function booksHaving(
  books: Books,
  wanted: Wanted,
  has: (db: LedgerReader) => Promise<boolean>,
): Promise<Books> {
  const answers = await eachCourier(books, LOOK, async ({ db }, _, isOnly) => isOnly || has(db));
  const having = answers.length === 1 ? answers : answers.filter(({ value }) => value);
  return booksOfOne(books, wanted, answers, having);
}

/** The books narrowed to the only courier that has what is wanted. @throws UsageError where none has it, or several */
function booksOfOne(books: Books, wanted: Wanted, all: readonly CourierName[], having: readonly CourierName[]): Books {
  const [first, ...others] = having;
  if (!first) {
    const couriers = all.map(({ courier }) => courier);
    throw new UsageError(booksError({ id: 'no-courier-has', what: wanted, couriers }));
  }
  if (others.length > 0) refuseSeveral(wanted, having);
  // All else stays as the caller gave it: opening these books lays the settings on record over it anew.
  return { ...books, config: { ...books.config, courier: first.courier } };
}

/** The books narrowed to the one courier that has all these invoices. @throws UsageError as {@link booksHaving} */
export function booksOfInvoices(books: Books, numbers: readonly number[]): Promise<Books> {
  return booksHaving(books, { kind: 'invoice', name: numbers.join(', ') }, async (db) => {
    for (const number of numbers) if (!(await knowsInvoice(db, number))) return false;
    return true;
  });
}

/**
 * The books narrowed to the one courier that has all these mismatches.
 *
 * @param ids or the beginnings of ids
 * @throws UsageError as {@link booksHaving}
 */
export function booksOfMismatches(books: Books, ids: readonly string[]): Promise<Books> {
  return booksHaving(books, { kind: 'mismatch', name: ids.join(', ') }, async (db) => {
    for (const id of ids) if ((await findMismatches(db, id.trim(), 1)).length === 0) return false;
    return true;
  });
}

export interface CourierName {
  readonly courier: string;
}

function refuseSeveral(wanted: Wanted, found: readonly CourierName[]): never {
  const names = found.map(({ courier }) => courier);
  throw new UsageError(booksError({ id: 'several-couriers-have', what: wanted, couriers: names }));
}

/** Invoices that somebody names, by the ledger's integers, and the books that hold them. */
interface NamedInvoices {
  /** Narrowed to one courier if a payout is named by its own number (`ES-902`): another's may have the same integer. */
  readonly books: Books;
  readonly numbers: readonly number[];
}

/**
 * Finds the invoices that somebody names: by their number, or a payout of a settlement sheet by its own (`ES-902`).
 *
 * @throws UsageError for a word that names no invoice, or for payouts of several couriers
 */
export async function invoicesNamed(books: Books, words: readonly string[]): Promise<NamedInvoices> {
  if (words.every(isPlainNumber)) return { books, numbers: words.map(Number) };
  const perCourier = await eachCourier(books, LOOK, async ({ db }) => {
    const texts = await readNumberTexts(db);
    // In the ledger an integer stands for a payout's own number (`ES-902`): it is not the number that was typed.
    const named = words.map((word) => {
      const number = numberNamed(word, texts);
      return { number, isPayout: number !== null && number !== Number(word) };
    });
    return { texts, named };
  });
  const unknown = words.find((_, index) => perCourier.every(({ value }) => value.named[index]!.number === null));
  if (unknown !== undefined) {
    const names = perCourier.flatMap(({ value }) => [...value.texts.values()]);
    const nearest = nearestWords(unknown, names);
    throw new UsageError(showingError({ id: 'no-invoice', name: unknown, nearest })).at('invoices');
  }
  // An integer may be any courier's invoice: the caller finds out whose. A payout's own number is one courier's.
  const isPayoutOf = ({ value }: (typeof perCourier)[number], index: number) => value.named[index]!.isPayout;
  const payoutIndexes = [...words.keys()].filter((index) => perCourier.some((courier) => isPayoutOf(courier, index)));
  if (payoutIndexes.length === 0) return { books, numbers: words.map(Number) };
  // The couriers for whom each of those words is the number of a payout.
  const having = perCourier.filter((courier) => payoutIndexes.every((index) => isPayoutOf(courier, index)));
  return {
    books: booksOfOne(books, { kind: 'invoice', name: words.join(', ') }, perCourier, having),
    numbers: having[0]!.value.named.map(({ number }) => number!),
  };
}
