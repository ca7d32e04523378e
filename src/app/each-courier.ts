import { UsageError } from '../base/errors.ts';
import type { Config } from '../config/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { because, type Wanted } from '../words/errors/books.ts';
import { type Books, type LedgerUse, usingBooks } from './books.ts';
import { type Courier, couriersOf, ledgerOf } from './couriers.ts';

/** What `use` gives of each courier that a command is about. */
export function eachCourier<T>(
  books: Books,
  how: LedgerUse,
  use: (ledger: Ledger, courier: Courier<Config>) => Promise<T>,
): Promise<{ readonly courier: string; readonly value: T }[]> {
  return usingBooks(books, { ...how, allCouriers: true }, async (ledger) => {
    const values: { courier: string; value: T }[] = [];
    for (const courier of await couriersOf(ledger.db, books.config)) {
      values.push({ courier: courier.name, value: await use(ledgerOf(ledger, courier), courier) });
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
): Promise<T> {
  const tried = await eachCourier(books, { readOnly: true }, async (ledger, courier) => {
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
  const names = found.map(({ courier }) => courier);
  throw new UsageError(because({ id: 'several-couriers-have', what, couriers: names }));
}

/** The books as one courier's: its settings, its key, its rows. */
export function booksOf(books: Books, { key, config }: Courier<Config>): Books {
  return { ...books, config: { ...config, courier: key }, key: () => books.key(config.keySource) };
}
