import { hash, randomBytes } from 'node:crypto';
import { timestamp } from '../calendar.ts';
import { DISTRICTS, ensureSharedAreas } from './areas.ts';
import type { ApiKeyRow, AreaRow, MerchantRow } from './rows.ts';
import type { Store } from './store.ts';

/** Brand colours, given to merchants in turn. */
const COLORS = ['#0F766E', '#B91C1C', '#1D4ED8', '#A16207', '#7E22CE', '#15803D'];

export function findMerchant(store: Store, name: string): MerchantRow | undefined {
  return store.get<MerchantRow>('select * from merchant where name = ?', name);
}

/** Finds the merchant with this name, or makes it, with one pickup location and the shared areas. */
export function ensureMerchant(store: Store, name: string, now: Date): MerchantRow {
  return store.write(() => {
    const existing = findMerchant(store, name);
    if (existing) return existing;
    ensureSharedAreas(store);
    const color = COLORS[store.count('merchant') % COLORS.length];
    const id = store.insert('merchant', { name, brand: name, primary_color: color, created_at: timestamp(now) });
    const area = store.get<AreaRow>('select * from area where merchant_id is null order by id limit 1') as AreaRow;
    store.insert('pickup_location', {
      merchant_id: id,
      name: name.slice(0, 200),
      address: `${area.name_en}, ${area.district}`,
      contact_person: name.slice(0, 200),
      district: area.district,
      governorate: DISTRICTS[area.district] ?? '',
      city: area.name_en,
      is_default: 1,
      area_id: area.id,
    });
    return findMerchant(store, name) as MerchantRow;
  });
}

/** The readable start of a key: enough to tell two apart, too little to guess the rest. */
const PREFIX_LENGTH = 12;

/** A new key: a readable mark of its kind, then 256 random bits. */
function newKey(mark: 'dlv' | 'opr'): string {
  return `${mark}_${randomBytes(32).toString('base64url')}`;
}

/**
 * The form in which keys are stored and looked up: the hex SHA-256 of the text. How long a look-up takes says nothing
 * about a key of 256 random bits.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What is stored of a new key. */
function keptOf(key: string, now: Date) {
  return { hash: hashKey(key), prefix: key.slice(0, PREFIX_LENGTH), created_at: timestamp(now) };
}

/** Makes a key for a merchant and returns its text, which is not stored. */
export function createApiKey(store: Store, merchantId: number, now: Date): string {
  const key = newKey('dlv');
  store.write(() => store.insert('api_key', { merchant_id: merchantId, ...keptOf(key, now) }));
  return key;
}

export function merchantOfKeyHash(store: Store, keyHash: string): number | undefined {
  const sql = 'select merchant_id from api_key where hash = ? and revoked_at is null';
  return store.get<Pick<ApiKeyRow, 'merchant_id'>>(sql, keyHash)?.merchant_id;
}

/** A merchant's keys, oldest first: what may be shown of them. */
export function listApiKeys(store: Store, merchantId: number) {
  const sql = 'select prefix, created_at, revoked_at from api_key where merchant_id = ? order by id';
  return store.all<Pick<ApiKeyRow, 'prefix' | 'created_at' | 'revoked_at'>>(sql, merchantId);
}

/**
 * Revokes a merchant's keys that start with a text, or all for an empty text. A whole key will do: of a longer text
 * only as much counts as is stored.
 *
 * @returns how many were in use
 */
export function revokeApiKeys(store: Store, merchantId: number, prefix: string, now: Date): number {
  return store.write(() => {
    const keys = store.all<ApiKeyRow>('select * from api_key where merchant_id = ? and revoked_at is null', merchantId);
    const inUse = keys.filter((key) => key.prefix.startsWith(prefix.slice(0, PREFIX_LENGTH)));
    for (const { id } of inUse) store.run('update api_key set revoked_at = ? where id = ?', timestamp(now), id);
    return inUse.length;
  });
}

/** Makes the operator's key, revokes every earlier one, and returns its text, which is not stored. */
export function createOperatorKey(store: Store, now: Date): string {
  const key = newKey('opr');
  store.write(() => {
    store.run('update operator_key set revoked_at = ? where revoked_at is null', timestamp(now));
    store.insert('operator_key', keptOf(key, now));
  });
  return key;
}

export function isOperatorKey(store: Store, key: string): boolean {
  const sql = 'select 1 from operator_key where hash = ? and revoked_at is null';
  return store.get(sql, hashKey(key)) !== undefined;
}
