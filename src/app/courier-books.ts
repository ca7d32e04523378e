import { UsageError } from '../base/errors.ts';
import { isCourierName } from '../base/names.ts';
import { type ReturnsStanding, readReturns, standingOf } from '../checks/facts/returns/convention.ts';
import { ledgerExists, ofCourier, usingTransaction } from '../ledger/index.ts';
import { readAccount, readCouriers } from '../ledger/queries/couriers.ts';
import { readLastGoodSync } from '../ledger/queries/sync/runs.ts';
import { booksError } from '../words/errors/books.ts';
import { type Books, usingBooks } from './books.ts';
import { couriersOf } from './couriers.ts';
import { readEachCourier } from './each-courier.ts';
import { recordEvidence } from './record.ts';

/** A courier of the books, as `courier list --json` prints it, with how its invoices show RETURN orders. */
export interface ListedCourier extends ReturnsStanding {
  readonly name: string;
  readonly kind: 'api' | 'files';
  /** The account at the courier; null before its profile was read. */
  readonly account: string | null;
  /** When its last complete sync began; null before the first: one that failed brought nothing to rely on. */
  readonly last_sync: string | null;
  /** Whether the settings name it: one that they no longer name keeps its rows, and is not synced. */
  readonly in_settings: boolean;
}

export async function listCouriers(books: Books): Promise<ListedCourier[]> {
  if (!(await ledgerExists(books.config.ledger))) {
    const named = Object.entries(books.config.couriers).sort(([a], [b]) => (a < b ? -1 : 1));
    return named.map(([name, { kind }]) => {
      const returns = { returns: null, returns_basis: 'undecided' as const, invoices_with_returns: 0 };
      return { name, kind, account: null, ...returns, last_sync: null, in_settings: true };
    });
  }
  const listed = await readEachCourier(books, {}, async (db, { name, config, isSet }): Promise<ListedCourier> => {
    return {
      name,
      kind: config.kind,
      account: (await readAccount(db))?.organisation_name ?? null,
      ...standingOf(await readReturns(db, config.returns)),
      last_sync: (await readLastGoodSync(db))?.started_at ?? null,
      in_settings: isSet,
    };
  });
  return listed.map(({ value }) => value);
}

/**
 * Gives a courier another name. Its rows stay as they are, because they bear its key.
 *
 * @throws UsageError where there is no such courier, or the new name is taken or cannot be a name
 */
export function renameCourier(books: Books, { from, to, by }: { from: string; to: string; by: string }): Promise<void> {
  if (!isCourierName(to)) throw new UsageError(booksError({ id: 'no-courier-name', name: to }));
  return usingBooks(books, { exclusive: 'import', allCouriers: true }, async (ledger) => {
    const couriers = await couriersOf(ledger.db, { ...books.config, courier: null });
    const courier = couriers.find(({ name }) => name === from);
    const names = couriers.map(({ name }) => name);
    if (!courier) throw new UsageError(booksError({ id: 'no-courier', courier: from, couriers: names }));
    const hasOther = couriers.some(({ key, name }) => name === to && key !== courier.key);
    // A table from whose courier nothing came yet may be meant for the renamed one, if that has no table.
    const mayBeItsTable = !courier.isSet && !(await readCouriers(ledger.db)).some(({ name }) => name === to);
    if (hasOther && !mayBeItsTable) {
      throw new UsageError(booksError({ id: 'courier-name-taken', name: to, couriers: names }));
    }
    const renamed = { at: books.now(), kind: 'courier-renamed', actor: by, subject: to, data: { from } } as const;
    await usingTransaction(ledger, (trx) => recordEvidence(ofCourier(trx, courier.key), renamed));
  });
}
