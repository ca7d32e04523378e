import { UsageError } from '../../errors.ts';
import { createApiKey, listApiKeys, revokeApiKeys } from '../../sandbox/store/keys.ts';
import { ensureMerchant, findMerchant } from '../../sandbox/store/merchants.ts';
import type { MerchantRow } from '../../sandbox/store/rows.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { usingStore } from '../sandbox-store.ts';
import type { Session } from '../session.ts';

export const KEY_ACTIONS = ['create', 'list', 'revoke'] as const;

export interface SandboxKeyInput {
  readonly action: (typeof KEY_ACTIONS)[number];
  readonly data: string;
  readonly merchant: string;
  /** For `revoke`: the start of the key, as `list` shows it; all of the merchant's keys unless given. */
  readonly prefix?: string;
}

/** `remit sandbox key`: makes, lists and revokes the API keys of a merchant of the sandbox. */
export async function sandboxKey(session: Session, input: SandboxKeyInput): Promise<number> {
  if (input.merchant.trim() === '') throw new UsageError('a merchant has a name', 'Name it with --merchant NAME.');
  const mustExist = input.action !== 'create';
  return usingStore(session, input.data, { mustExist }, (store) => {
    if (input.action === 'create') create(session, store, input.merchant);
    else if (input.action === 'list') list(session, store, input.merchant);
    else revoke(session, store, input);
    return 0;
  });
}

function create(session: Session, store: Store, name: string): void {
  const now = session.io.now();
  const merchant = ensureMerchant(store, name, now);
  const key = createApiKey(store, merchant.id, now);
  if (session.json) session.resultJson({ merchant: name, key });
  else session.result(key);
}

function list(session: Session, store: Store, name: string): void {
  const keys = listApiKeys(store, known(store, name).id);
  if (session.json) session.resultJson({ merchant: name, keys });
  else {
    for (const { prefix, created_at, revoked_at } of keys) {
      session.result(
        `${prefix}…  made ${created_at.slice(0, 19)}Z${revoked_at ? `  revoked ${revoked_at.slice(0, 19)}Z` : ''}`,
      );
    }
  }
}

function revoke(session: Session, store: Store, { merchant: name, prefix }: SandboxKeyInput): void {
  const revoked = revokeApiKeys(store, known(store, name).id, prefix ?? '', session.io.now());
  if (revoked === 0) {
    throw new UsageError(
      `${name} has no key in use${prefix ? ` that starts with ${prefix}` : ''}`,
      'List its keys with: remit sandbox key list',
    );
  }
  if (session.json) session.resultJson({ merchant: name, revoked });
  else session.result(revoked === 1 ? '1 key revoked' : `${revoked} keys revoked`);
}

function known(store: Store, name: string): MerchantRow {
  const merchant = findMerchant(store, name);
  if (merchant) return merchant;
  const names = store.all<MerchantRow>('select * from merchant order by name').map((row) => row.name);
  throw new UsageError(
    `there is no merchant ${JSON.stringify(name)}`,
    names.length > 0 ? `The merchants are ${names.join(', ')}.` : 'Make one with: remit sandbox key create',
  );
}
