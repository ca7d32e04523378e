import { Deriver } from '../../derive/deriver.ts';
import { readWaitingOrders } from '../../ledger/queries/webhooks.ts';
import { askForWaiting, faultsOf, storeOrders } from '../../sync/waiting-orders.ts';
import { type Books, usingBooks } from '../books.ts';
import { usingClient } from '../client.ts';

/** What was fetched of the orders that a courier's webhooks named. */
export interface FetchedOrders {
  readonly orders: number;
  readonly changed: number;
  /** Of each order that cannot be read or is refused, why. */
  readonly faults: readonly string[];
}

/**
 * Fetches the orders of one courier that webhooks named and that wait.
 *
 * @param books of that courier
 * @throws LedgerBusyError while a sync is at work: it fetches them, or they wait until it has finished; ApiError, AuthError, ConfigError
 */
export async function fetchWaitingOf(books: Books): Promise<FetchedOrders> {
  const looks = { readOnly: true, anyZone: true } as const;
  const fetched = { orders: 0, changed: 0, faults: [] as string[] };
  const waits = () => usingBooks(books, looks, async ({ db }) => (await readWaitingOrders(db, 1)).length > 0);
  if (!(await waits())) return fetched;
  await usingClient(books, async (client) => {
    for (;;) {
      // No request is made for what could not be stored now.
      await usingBooks(books, { exclusive: 'webhooks' }, async () => {});
      const asked = await usingBooks(books, looks, (ledger) => askForWaiting(client, ledger));
      if (asked === null) return;
      const session = { run: null, deriver: new Deriver(), now: books.now };
      const changed = await usingBooks(books, { exclusive: 'webhooks' }, (ledger) =>
        storeOrders(ledger, session, asked),
      );
      if (changed !== null) {
        fetched.orders += asked.answers.length;
        fetched.changed += changed;
        fetched.faults.push(...faultsOf(asked).map(({ what, error }) => `${what}: ${error.message}`));
      }
      if (asked.failure !== null) throw asked.failure;
    }
  });
  return fetched;
}
