import { UsageError } from '../base/errors.ts';
import type { Config } from '../config/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { findMismatches } from '../ledger/queries/findings/mismatches.ts';
import { knowsInvoice } from '../ledger/queries/invoices/invoice.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { because, type Wanted } from '../words/errors/books.ts';
import { type Books, type LedgerUse, usingBooks, withPayoutNumbersInErrors } from './books.ts';
import { type Courier, couriersOf, ledgerOf } from './couriers.ts';

/**
 * Runs `use` for each courier that a command is about.
 *
 * @param use told whether the command is about no other courier
 * @returns what it gave for each
 */
export function eachCourier<T>(
  books: Books,
  how: LedgerUse,
  use: (ledger: Ledger, courier: Courier<Config>, isOnly: boolean) => Promise<T>,
): Promise<{ readonly courier: string; readonly value: T }[]> {
  return usingBooks(books, { ...how, allCouriers: true }, async (ledger) => {
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

/** What is asked for names several of one courier: another courier that has one does not decide which is meant. */
export class SeveralError extends UsageError {}

/**
 * What `read` gives of the one courier that has what it asks for.
 *
 * @throws UsageError where several have it, naming them; what `read` throws of the first where none has
 */
export async function ofOneCourier<T>(
  books: Books,
  what: Wanted,
  read: (ledger: Ledger, courier: Courier<Config>) => Promise<T>,
  how: Pick<LedgerUse, 'anyZone'> = {},
): Promise<T> {
  const tried = await eachCourier(books, { readOnly: true, ...how }, async (ledger, courier) => {
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
  return refuseSeveral(what, found);
}

/**
 * The books as those of the one courier that has what a command names; of the sole courier whether it has it or not, so that the command
 * says what is missing.
 *
 * @throws UsageError where several have it, naming them, or none of several
 */
export async function booksHaving(
  books: Books,
  what: Wanted,
  has: (db: LedgerReader) => Promise<boolean>,
): Promise<Books> {
  const asked = await eachCourier(
    books,
    { readOnly: true, anyZone: true },
    async ({ db }, _, isOnly) => isOnly || has(db),
  );
  const [first, ...others] = asked.length === 1 ? asked : asked.filter(({ value }) => value);
  if (!first) {
    throw new UsageError(because({ id: 'no-courier-has', what, couriers: asked.map(({ courier }) => courier) }));
  }
  if (others.length > 0) refuseSeveral(what, [first, ...others]);
  // The settings as the caller read them, not as `eachCourier` lent them with what is on record.
  return { ...books, config: { ...books.config, courier: first.courier } };
}

/** The books as those of the one courier that has all of some invoices. @throws UsageError as {@link booksHaving} */
export function booksOfInvoices(books: Books, numbers: readonly number[]): Promise<Books> {
  return booksHaving(books, { kind: 'invoice', name: numbers.join(', ') }, async (db) => {
    for (const number of numbers) if (!(await knowsInvoice(db, number))) return false;
    return true;
  });
}

/** The books as those of the one courier that has all of some mismatches. @param ids or beginnings of ids @throws UsageError as {@link booksHaving} */
export function booksOfMismatches(books: Books, ids: readonly string[]): Promise<Books> {
  return booksHaving(books, { kind: 'mismatch', name: ids.join(', ') }, async (db) => {
    for (const id of ids) if ((await findMismatches(db, id.trim(), 1)).length === 0) return false;
    return true;
  });
}

function refuseSeveral(what: Wanted, found: readonly { readonly courier: string }[]): never {
  const names = found.map(({ courier }) => courier);
  throw new UsageError(because({ id: 'several-couriers-have', what, couriers: names }));
}
