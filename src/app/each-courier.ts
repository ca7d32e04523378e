import { UsageError } from '../base/errors.ts';
import type { Config } from '../config/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { findMismatches } from '../ledger/queries/findings/mismatches.ts';
import { knowsInvoice } from '../ledger/queries/invoices/invoice.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { because, type Wanted } from '../words/errors/books.ts';
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
  read: (ledger: Ledger, courier: Courier<Config>) => Promise<T>,
  newSettings: NewSettings = 'record',
): Promise<T> {
  const tried = await eachCourier(books, { readOnly: true, newSettings }, async (ledger, courier) => {
    try {
      return { found: await read(ledger, courier) };
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
  const answers = await eachCourier(
    books,
    { readOnly: true, newSettings: 'unchecked' },
    async ({ db }, _, isOnly) => isOnly || has(db),
  );
  const [first, ...others] = answers.length === 1 ? answers : answers.filter(({ value }) => value);
  if (!first) {
    const couriers = answers.map(({ courier }) => courier);
    throw new UsageError(because({ id: 'no-courier-has', what: wanted, couriers }));
  }
  if (others.length > 0) refuseSeveral(wanted, [first, ...others]);
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

function refuseSeveral(wanted: Wanted, found: readonly { readonly courier: string }[]): never {
  const names = found.map(({ courier }) => courier);
  throw new UsageError(because({ id: 'several-couriers-have', what: wanted, couriers: names }));
}
