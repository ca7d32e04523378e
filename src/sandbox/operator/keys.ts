import { hashKey, keyPrefix, newKey, sameHash } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { timestamp } from '../store/timestamp.ts';

/** Makes the operator's key, revokes every earlier one, and returns its text, which is stored nowhere. */
export function createOperatorKey(store: Store, now: Date): string {
  const key = newKey('opr');
  store.write(() => {
    store.run('update operator_key set revoked_at = ? where revoked_at is null', timestamp(now));
    store.run(
      'insert into operator_key (hash, prefix, created_at) values (?, ?, ?)',
      hashKey(key),
      keyPrefix(key),
      timestamp(now),
    );
  });
  return key;
}

/** Whether a text is the operator's key of today. */
export function isOperatorKey(store: Store, key: string): boolean {
  const hash = hashKey(key);
  const row = store.get<{ hash: string }>('select hash from operator_key where hash = ? and revoked_at is null', hash);
  return row !== undefined && sameHash(row.hash, hash);
}
