/**
 * Refuses two couriers that share one account at the courier: every invoice would count twice. They may have the same
 * API key (`refuseSameKey`), or two keys that open the same invoices (`refuseHeldAccount`). A courier's `key` is its id
 * in the ledger; the API key is the `secret`, which is read from its `keySource`.
 */
import { AccountHeldError, ConfigError } from '../base/errors.ts';
import { groupBy } from '../base/group.ts';
import type { Config } from '../config/index.ts';
import type { Client } from '../courier/index.ts';
import { readInvoiceList } from '../derive/invoice-list.ts';
import { type Ledger, ofCourier } from '../ledger/index.ts';
import { readAccount, readCourierNameHistory, readCouriers } from '../ledger/queries/couriers.ts';
import { readLastListed } from '../ledger/queries/invoices/listed.ts';
import { holdsAny, type LedgerReader } from '../ledger/queries/snapshot.ts';
import { syncingError } from '../words/errors/syncing.ts';
import type { Books } from './books.ts';
import { type Courier, ledgerOf } from './couriers.ts';
import { courierRecord, isSame } from './settings-record.ts';

/**
 * Refuses two couriers of the settings that have the same address and the same key.
 *
 * @param couriers those whose invoices are fetched
 * @throws AccountHeldError naming the one that holds the account
 */
export async function refuseSameKey(
  ledger: Ledger,
  { key: readKey }: Pick<Books, 'key'>,
  couriers: readonly Courier<Config>[],
): Promise<void> {
  const hasInvoices = new Map<string, boolean>();
  for (const { key } of couriers) hasInvoices.set(key, await holdsAny(ledgerOf(ledger, { key }).db, 'invoice_listed'));
  // A courier with invoices comes first: it holds the account, and the error names it.
  const ordered = [...couriers].sort((a, b) => Number(hasInvoices.get(b.key)) - Number(hasInvoices.get(a.key)));
  const sharing = ordered.filter((courier) =>
    couriers.some((other) => other !== courier && isAt(other, courier.config.apiUrl)),
  );
  const holders = new Map<string, Courier<Config>>();
  for (const courier of sharing) {
    const secret = await readKey(courier.config.keySource).catch((error) => {
      // The sync that needs the key reports why it cannot be read.
      if (error instanceof ConfigError) return null;
      throw error;
    });
    if (secret === null) continue;
    const account = `${addressOf(courier.config.apiUrl!)} ${secret}`;
    const holder = holders.get(account);
    if (holder) throw refusal('same-key', courier, holder.name);
    holders.set(account, courier);
  }
}

/**
 * Refuses a new courier whose list holds an invoice of another courier at the same address. Its list of the last month
 * that the other one has is read for that.
 *
 * @param lend lends a client that uses the courier's key
 * @throws AccountHeldError naming that other courier; ApiError, AuthError or ContractError where the list cannot be
 * read
 */
export async function refuseHeldAccount(
  ledger: Ledger,
  courier: Courier<Config>,
  lend: (use: (client: Client) => Promise<void>) => Promise<void>,
): Promise<void> {
  const lastLists = await listsAtAddress(ledger, courier);
  if (lastLists.length === 0) return;
  await lend(async (client) => {
    for (const { name, ...lastList } of lastLists) {
      const invoice = await findInvoiceOf(lastList, client);
      if (invoice !== null) throw refusal('same-invoice', courier, name, invoice);
    }
  });
}

/**
 * The last lists of the other couriers at a new courier's address; none where it has invoices already, and is not new.
 */
async function listsAtAddress(ledger: Ledger, courier: Courier<Config>) {
  if (await holdsAny(ledgerOf(ledger, courier).db, 'invoice_listed')) return [];
  const lists = [];
  for (const { key, name } of await readCouriers(ledger.db)) {
    if (key === courier.key) continue;
    const otherDb = ofCourier(ledger.db, key);
    if (!isAt(courier, (await readAccount(otherDb))?.api_url ?? null)) continue;
    const lastList = await readLastList(otherDb);
    if (lastList !== null) lists.push({ name, ...lastList });
  }
  return lists;
}

function isAt({ config }: Pick<Courier<Config>, 'config'>, url: string | null): boolean {
  return url !== null && config.apiUrl !== null && addressOf(config.apiUrl) === addressOf(url);
}

const addressOf = (url: string) => new URL(url).href;

function refusal(id: 'same-key' | 'same-invoice', courier: Courier<Config>, holder: string, invoice = 0) {
  return new AccountHeldError(
    syncingError({ id, courier: courier.name, holder, address: courier.config.apiUrl!, invoice }),
  );
}

/**
 * Mends the keys of two couriers that swapped names in remit.toml, where their tables have the same address and
 * settings, so that only the keys tell them apart: if the first one's key opens the second one's invoice list, the two
 * keys are swapped.
 *
 * @param lend lends a client that uses the key in a courier's table
 */
export async function withSwappedKeys(
  ledger: Ledger,
  couriers: readonly Courier<Config>[],
  lend: <T>(courier: Courier<Config>, use: (client: Client) => Promise<T>) => Promise<T>,
): Promise<Courier<Config>[]> {
  const names = await readCourierNameHistory(ledger.db);
  const hadName = ({ key }: Courier, name: string) => names.some((given) => given.key === key && given.name === name);
  const keySources = new Map(couriers.map(({ key, config }) => [key, config.keySource]));
  for (const [index, first] of couriers.entries()) {
    for (const second of couriers.slice(index + 1)) {
      if (!hadName(first, second.name) || !hadName(second, first.name)) continue;
      if (!isSame(courierRecord(first.config, undefined), courierRecord(second.config, undefined))) continue;
      const secondList = await readLastList(ledgerOf(ledger, second).db);
      if (secondList === null) continue;
      const opensSecond = await lend(first, (client) => findInvoiceOf(secondList, client));
      if (opensSecond === null) continue;
      keySources.set(first.key, second.config.keySource);
      keySources.set(second.key, first.config.keySource);
    }
  }
  return couriers.map((courier) => {
    return { ...courier, config: { ...courier.config, keySource: keySources.get(courier.key)! } };
  });
}

/**
 * The last invoice list of a courier: its month, and each of its invoices as a {@link fingerprintOf}. Two lists with
 * one invoice are of one account.
 */
interface LastList {
  readonly period: string;
  readonly fingerprints: ReadonlySet<string>;
}

/** Null for a courier without invoices. */
async function readLastList(courierDb: LedgerReader): Promise<LastList | null> {
  const listed = await readLastListed(courierDb);
  if (listed.length === 0) return null;
  const fingerprints = [...groupBy(listed, ({ number }) => number)].map(([number, nets]) =>
    fingerprintOf(number, nets[0]!.issued_at, nets),
  );
  return { period: listed[0]!.period, fingerprints: new Set(fingerprints) };
}

/**
 * Reads the client's list of the same month.
 *
 * @returns its first invoice that is in the last list; null where none is
 */
async function findInvoiceOf({ period, fingerprints }: LastList, client: Client): Promise<number | null> {
  const [year, month] = period.split('-').map(Number) as [number, number];
  let invoice: number | null = null;
  await client.walkInvoices({ year, month }, async (page) => {
    // No run and no walk: the rows are compared, and not stored.
    for (const { rows } of readInvoiceList(page.items, { period, run: 0, walk: 0 })) {
      if (invoice !== null || !rows?.amounts?.length) continue;
      const { invoice_number, issued_at } = rows.listed;
      const nets = rows.amounts.map(({ currency, net_due_to_merchant: net }) => ({ currency, net: String(net) }));
      if (fingerprints.has(fingerprintOf(invoice_number, issued_at, nets))) invoice = invoice_number;
    }
  });
  return invoice;
}

/**
 * What tells an invoice apart: number, milliseconds of its date-time, and nets in units of 1/10,000: `10009
 * 1793491200000 12500000 USD` has a net of 1,250.00 USD.
 */
function fingerprintOf(
  number: number,
  issuedAt: string | null | undefined,
  nets: readonly { readonly currency: string; readonly net: string }[],
): string {
  const netTexts = nets.map(({ currency, net }) => `${net} ${currency}`).sort();
  return [number, Date.parse(issuedAt ?? ''), ...netTexts].join(' ');
}
