import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
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
  return createHash('sha256').update(key, 'utf8').digest('hex');
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
