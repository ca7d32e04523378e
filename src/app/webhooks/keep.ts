import type { Client } from '../../courier/index.ts';
import { Deriver } from '../../derive/deriver.ts';
import { ifReadable } from '../../derive/documents.ts';
import { readWebhook } from '../../derive/webhook.ts';
import { type Ledger, sealBody, sha256, usingTransaction } from '../../ledger/index.ts';
import { readHeldMessages, readWaitingOrders } from '../../ledger/queries/webhooks.ts';
import { askForWaiting, faultsOf, storeOrders } from '../../sync/waiting-orders.ts';
import { type Books, usingBooks } from '../books.ts';
import { meterApart, usingClient } from '../client.ts';
import { nightCost } from '../night-cost.ts';
import { recordEvidence } from '../record.ts';

/** A night may cost more requests than it seems now, such as after the day on which an invoice is paid. */
const NIGHT_COST_FACTOR = 2;

/**
 * Fetches the waiting orders of one courier that webhooks named. Of a budget of requests it leaves twice what the
 * remaining nights seem to need: the other orders wait for the next sync, which reads many with few requests.
 *
 * @param books with that one courier
 * @returns how many orders were fetched and how many changed; `faults`: why an order cannot be read or was refused
 * @throws LedgerBusyError while a sync is at work: it fetches them, or they wait until it has finished; ApiError,
 * AuthError, ConfigError
 */
export async function fetchWaitingOf(books: Books) {
  const toRead = { readOnly: true, newSettings: 'unchecked' } as const;
  const fetched = { orders: 0, changed: 0, faults: [] as string[] };
  const hasWaiting = await usingBooks(books, toRead, async ({ db }) => (await readWaitingOrders(db, 1)).length > 0);
  if (!hasWaiting) return fetched;
  const meter = await meterApart(books);
  const fetchAll = async (client: Client) => {
    for (;;) {
      // Throws while a sync is at work: no request is made for what could not be stored now.
      await usingBooks(books, { exclusive: 'webhooks' }, async () => {});
      const left = await meter?.left();
      const answered = await usingBooks(books, toRead, async (ledger) => {
        // There is no budget.
        if (left === undefined) return askForWaiting(client, ledger);
        const most = left - NIGHT_COST_FACTOR * meter!.nightsLeft() * (await nightCost(ledger, books)).requests;
        return most <= 0 ? null : askForWaiting(client, ledger, most);
      });
      // Nothing waits, or the budget has nothing left for it.
      if (answered === null) return;
      const session = { run: null, deriver: new Deriver(), now: books.now };
      const changed = await usingBooks(books, { exclusive: 'webhooks' }, (ledger) =>
        storeOrders(ledger, session, answered),
      );
      // Null: a sync began meanwhile, and nothing was stored. If it is still at work, the next round ends as busy.
      if (changed !== null) {
        fetched.orders += answered.answers.length;
        fetched.changed += changed;
        fetched.faults.push(...faultsOf(answered).map(({ what, error }) => `${what}: ${error.message}`));
      }
      if (answered.failure !== null) throw answered.failure;
    }
  };
  await usingClient(books, fetchAll, { meter });
  return fetched;
}

/** A message of a courier's whose signature is right. */
export interface SignedMessage {
  readonly body: Buffer;
  /** When it was received. */
  readonly at: Date;
  /** Where: `POST /hooks/NAME`. */
  readonly source: string;
}

/**
 * Keeps messages as evidence, in one transaction: once this has returned, all of them are on disk. The same bytes are
 * kept once, however often they come.
 *
 * @param ledger of their courier
 * @returns why some cannot be read; they are kept all the same
 */
export async function keepMessages(ledger: Ledger, messages: readonly SignedMessage[]): Promise<string[]> {
  const distinct = new Map(messages.map((message) => [sha256(message.body), message]));
  const read = await Promise.all(
    [...distinct].map(async ([hash, { body, at, source }]) => {
      const message = await ifReadable(() => readWebhook(body));
      const subject = message.ok ? message.value.order_id : 'unreadable';
      const fault = message.ok ? null : message.fault.message;
      return { hash, evidence: { kind: 'webhook', subject, at, source, body: await sealBody(body), fault } };
    }),
  );
  return usingTransaction(ledger, async (trx) => {
    const heldHashes = await readHeldMessages(trx, [...distinct.keys()]);
    const fresh = read.filter(({ hash }) => !heldHashes.has(hash)).map(({ evidence }) => evidence);
    for (const evidence of fresh) await recordEvidence(trx, evidence);
    return fresh.flatMap(({ fault }) => fault ?? []);
  });
}
