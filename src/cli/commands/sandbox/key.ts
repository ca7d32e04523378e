import { Argument, Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { UsageError } from '../../../base/errors.ts';
import type { MerchantRow } from '../../../sandbox/store/rows.ts';
import type { Store } from '../../../sandbox/store/store.ts';
import { example, printAnswer, type Start } from '../../command.ts';
import type { Session, Texts } from '../../session.ts';
import { dataOption, usingStore } from './data.ts';

export const declare = (start: Start) =>
  new Command('key')
    .summary("make, list and revoke a merchant's API keys")
    .description(
      'Makes, lists or revokes the API keys of a merchant; `create` makes a new merchant too. A new key is printed once, alone on standard output.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(['create', 'list', 'revoke'] as const))
    .addOption(dataOption())
    .requiredOption('--merchant <name>', "the merchant's name")
    .option('--prefix <text>', 'for revoke: the start of the key, as list shows it (default: all keys of the merchant)')
    .addHelpText(...example('remit sandbox key create --data courier.db --merchant "My Shop"'))
    .action((action, options) => start('sandbox key', { action, ...options }, key));

interface KeyInput extends Texts<'prefix'> {
  readonly action: 'create' | 'list' | 'revoke';
  readonly data: string;
  readonly merchant: string;
}

/** The functions over merchants and keys, which are loaded when the work begins. */
type KeyStore = typeof import('../../../sandbox/store/merchants.ts');

async function key(session: Session, input: KeyInput): Promise<number> {
  if (input.merchant.trim() === '') throw new UsageError('a merchant has a name', 'Name it with --merchant NAME.');
  if (input.prefix !== undefined && input.action !== 'revoke') {
    throw new UsageError(`${input.action} does not take --prefix`, 'See: remit sandbox key --help');
  }
  const keyStore = await import('../../../sandbox/store/merchants.ts');
  const mustExist = input.action !== 'create';
  const act = ACTIONS[input.action];
  const { json, lines } = await usingStore(session, input.data, { mustExist }, (store) =>
    act(keyStore, store, input, session.io.now()),
  );
  return printAnswer(session, { merchant: input.merchant, ...json }, () => lines, lines.length > 0);
}

interface Outcome {
  readonly json: object;
  readonly lines: readonly string[];
}

type Act = (keyStore: KeyStore, store: Store, input: KeyInput, now: Date) => Outcome;

const ACTIONS: Readonly<Record<KeyInput['action'], Act>> = { create, list, revoke };

function create(keyStore: KeyStore, store: Store, { merchant: name }: KeyInput, now: Date): Outcome {
  const merchant = keyStore.ensureMerchant(store, name, now);
  const key = keyStore.createApiKey(store, merchant.id, now);
  return { json: { key }, lines: [key] };
}

function list(keyStore: KeyStore, store: Store, { merchant: name }: KeyInput): Outcome {
  const keys = keyStore.listApiKeys(store, requireMerchant(keyStore, store, name).id);
  const lines = keys.map(({ prefix, created_at, revoked_at }) => {
    const revoked = revoked_at ? `  revoked ${revoked_at.slice(0, 19)}Z` : '';
    return `${prefix}…  made ${created_at.slice(0, 19)}Z${revoked}`;
  });
  return { json: { keys }, lines };
}

function revoke(keyStore: KeyStore, store: Store, { merchant: name, prefix }: KeyInput, now: Date): Outcome {
  const { id } = requireMerchant(keyStore, store, name);
  const revoked = keyStore.revokeApiKeys(store, id, prefix ?? '', now);
  if (revoked === 0) {
    const which = prefix ? ` that starts with ${prefix}` : '';
    throw new UsageError(`${name} has no key in use${which}`, 'List its keys with: remit sandbox key list');
  }
  return { json: { revoked }, lines: [`${counted(revoked, 'key')} revoked`] };
}

function requireMerchant(keyStore: KeyStore, store: Store, name: string): MerchantRow {
  const merchant = keyStore.findMerchant(store, name);
  if (merchant) return merchant;
  const names = store.all<MerchantRow>('select * from merchant order by name').map((row) => row.name);
  const known = `The merchants are ${names.join(', ')}.`;
  const remedy = names.length > 0 ? known : 'Make one with: remit sandbox key create';
  throw new UsageError(`there is no merchant ${JSON.stringify(name)}`, remedy);
}
