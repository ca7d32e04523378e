/** One account is one courier: two would count everything twice. */
import { AccountHeldError, ConfigError } from '../base/errors.ts';
import type { Config } from '../config/index.ts';
import type { Client } from '../courier/index.ts';
import { readInvoiceList } from '../derive/invoice-list.ts';
import { type Ledger, ofCourier } from '../ledger/index.ts';
import { readAccount, readCourierNameHistory, readCouriers } from '../ledger/queries/couriers.ts';
import { type ListedNet, readLastListed } from '../ledger/queries/invoices/listed.ts';
import { holdsAny, type LedgerReader } from '../ledger/queries/snapshot.ts';
import { because } from '../words/errors/syncing.ts';
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
  { key: keyOf }: Pick<Books, 'key'>,
  couriers: readonly Courier<Config>[],
): Promise<void> {
  const seen = new Map<string, Courier<Config>>();
  const holds = new Map<string, boolean>();
  for (const { key } of couriers) holds.set(key, await holdsAny(ledgerOf(ledger, { key }).db, 'invoice_listed'));
  // The one that holds the account comes first, and is the one that is named.
  const ordered = [...couriers].sort((a, b) => Number(holds.get(b.key)) - Number(holds.get(a.key)));
  const shared = ordered.filter((one) => couriers.some((other) => other !== one && isAt(other, one.config.apiUrl)));
  for (const courier of shared) {
    const secret = await keyIfAny(() => keyOf(courier.config.keySource));
    if (secret === null) continue;
    const account = `${addressOf(courier.config.apiUrl)} ${secret}`;
    const holder = seen.get(account);
    if (holder) throw refusal('same-key', courier, holder.name);
    seen.set(account, courier);
  }
}

/** A key that cannot be read is the trouble of the sync that needs it. */
async function keyIfAny(read: () => Promise<string>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** The couriers of the ledger, at the address of one of which nothing came yet, that have invoices. */
async function othersAt(ledger: Ledger, courier: Courier<Config>) {
  if (await holdsAny(ledgerOf(ledger, courier).db, 'invoice_listed')) return [];
  const others = [];
  for (const { key, name } of await readCouriers(ledger.db)) {
    const db = ofCourier(ledger.db, key);
    if (key === courier.key || !isAt(courier, (await readAccount(db))?.api_url ?? null)) continue;
    const held = await lastListed(db);
    if (held !== null) others.push({ name, ...held });
  }
  return others;
}

/** Whether a courier is to be asked at all: it is new, and another is at its address. */
export async function mayBeHeld(ledger: Ledger, courier: Courier<Config>): Promise<boolean> {
  return (await othersAt(ledger, courier)).length > 0;
}

/**
 * Refuses a new courier whose list holds an invoice that another courier of the ledger at the same address has: it is asked for that one's
 * last month first.
 *
 * @throws AccountHeldError naming the one that has it; ApiError, AuthError or ContractError where the list cannot be read
 */
export async function refuseHeldAccount(ledger: Ledger, client: Client, courier: Courier<Config>): Promise<void> {
  for (const { name, ...listed } of await othersAt(ledger, courier)) {
    const invoice = await firstOf(listed, client);
    if (invoice !== null) throw refusal('same-invoice', courier, name, invoice);
  }
}

/**
 * Gives two couriers that swapped names each its key, where nothing else tells their tables apart: one address, the same settings. Whose a
 * key is shows in the list that it opens.
 *
 * @param lend a client with the key of a courier's table
 */
export async function withOwnKeys(
  ledger: Ledger,
  couriers: readonly Courier<Config>[],
  lend: <T>(courier: Courier<Config>, use: (client: Client) => Promise<T>) => Promise<T>,
): Promise<Courier<Config>[]> {
  const names = await readCourierNameHistory(ledger.db);
  const bore = (key: string, name: string) => names.some((one) => one.key === key && one.name === name);
  const keys = new Map(couriers.map(({ key, config }) => [key, config.keySource]));
  for (const [place, one] of couriers.entries()) {
    for (const other of couriers.slice(place + 1)) {
      const isSwap = bore(one.key, other.name) && bore(other.key, one.name);
      if (!isSwap || !isSame(courierRecord(one.config, {}), courierRecord(other.config, {}))) continue;
      const listed = await lastListed(ledgerOf(ledger, other).db);
      if (listed === null || (await lend(one, (client) => firstOf(listed, client))) === null) continue;
      keys.set(one.key, other.config.keySource);
      keys.set(other.key, one.config.keySource);
    }
  }
  return couriers.map((one) => ({ ...one, config: { ...one.config, keySource: keys.get(one.key)! } }));
}

/** The first invoice of a month's list that is among those that are held; null where none is. */
async function firstOf({ period, invoices }: Listed, client: Client): Promise<number | null> {
  const [year, month] = period.split('-').map(Number) as [number, number];
  let found: number | null = null;
  await client.walkInvoices({ year, month }, async (page) => {
    for (const { rows } of readInvoiceList({ items: page.items }, { period, run: 0, walk: 0 })) {
      const of = (rows?.amounts ?? []).map((one) => ({ currency: one.currency, net: String(one.net_due_to_merchant) }));
      if (rows && of.length > 0 && invoices.has(identity({ ...rows.listed, of }))) found ??= rows.listed.invoice_number;
    }
  });
  return found;
}

/** The last list of a courier: its month, and its invoices by what tells them apart. */
interface Listed {
  readonly period: string;
  readonly invoices: ReadonlySet<string>;
}

async function lastListed(db: LedgerReader): Promise<Listed | null> {
  const rows = await readLastListed(db);
  if (rows.length === 0) return null;
  const byNumber = new Map<number, ListedNet[]>();
  for (const row of rows) byNumber.set(row.number, [...(byNumber.get(row.number) ?? []), row]);
  const invoices = [...byNumber].map(([invoice_number, of]) =>
    identity({ invoice_number, issued_at: of[0]!.issued_at, of }),
  );
  return { period: rows[0]!.period, invoices: new Set(invoices) };
}

/** Number, instant and net. */
function identity(invoice: {
  readonly invoice_number: number;
  readonly issued_at?: string | null | undefined;
  readonly of: readonly { readonly currency: string; readonly net: string }[];
}): string {
  const nets = invoice.of.map(({ currency, net }) => `${net} ${currency}`).sort();
  return [invoice.invoice_number, Date.parse(invoice.issued_at ?? ''), ...nets].join(' ');
}

function isAt({ config }: Pick<Courier<Config>, 'config'>, url: string | null): boolean {
  return url !== null && config.apiUrl !== null && addressOf(config.apiUrl) === addressOf(url);
}

const addressOf = (url: string | null) => (url === null ? '' : new URL(url).href);

function refusal(id: 'same-key' | 'same-invoice', courier: Courier<Config>, holder: string, invoice = 0) {
  return new AccountHeldError(because({ id, courier: courier.name, holder, address: courier.config.apiUrl!, invoice }));
}
