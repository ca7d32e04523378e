import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyRow } from './rows.ts';
import type { Store } from './store.ts';
import { timestamp } from './timestamp.ts';

/** How much of a key is kept readable: its kind and enough letters to tell two apart, far too few to guess the rest. */
const PREFIX_LENGTH = 12;

/** A new random key: a readable mark of its kind, then 256 random bits. */
export function newKey(mark: 'dlv' | 'opr'): string {
  return `${mark}_${randomBytes(32).toString('base64url')}`;
}

/** The form in which keys are stored and looked up: the hex SHA-256 of the text. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The part of a key that may be shown. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}

/** Whether two hashes are the same, in a time that does not tell how much of them is. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Makes a key for a merchant and returns its text, which is stored nowhere. */
export function createApiKey(store: Store, merchantId: number, now: Date): string {
  const key = newKey('dlv');
  store.write(() =>
    store.run(
      'insert into api_key (merchant_id, hash, prefix, created_at) values (?, ?, ?, ?)',
      merchantId,
      hashKey(key),
      keyPrefix(key),
      timestamp(now),
    ),
  );
  return key;
}

/** The merchant whose unrevoked key has this hash. */
export function merchantOfKeyHash(store: Store, hash: string): number | undefined {
  const row = store.get<Pick<ApiKeyRow, 'merchant_id' | 'hash'>>(
    'select merchant_id, hash from api_key where hash = ? and revoked_at is null',
    hash,
  );
  return row && sameHash(row.hash, hash) ? row.merchant_id : undefined;
}

/** A merchant's keys, oldest first, without what would let anyone use or find them. */
export function listApiKeys(
  store: Store,
  merchantId: number,
): Pick<ApiKeyRow, 'prefix' | 'created_at' | 'revoked_at'>[] {
  return store.all('select prefix, created_at, revoked_at from api_key where merchant_id = ? order by id', merchantId);
}

/** Revokes those of a merchant's keys in use whose prefix starts with a text (all, where it is empty); returns how many. */
export function revokeApiKeys(store: Store, merchantId: number, prefix: string, now: Date): number {
  return store.write(() => {
    const inUse = store
      .all<ApiKeyRow>('select * from api_key where merchant_id = ? and revoked_at is null', merchantId)
      .filter((key) => key.prefix.startsWith(prefix.slice(0, PREFIX_LENGTH)));
    for (const { id } of inUse) store.run('update api_key set revoked_at = ? where id = ?', timestamp(now), id);
    return inUse.length;
  });
}
