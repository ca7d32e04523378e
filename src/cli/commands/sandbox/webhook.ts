import { Argument, Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { UsageError } from '../../../base/errors.ts';
import { readRegularFile } from '../../../base/files/read.ts';
import type { MerchantRow } from '../../../sandbox/store/rows.ts';
import type { Store } from '../../../sandbox/store/store.ts';
import { example, printAnswer, type Start } from '../../command.ts';
import type { Session, Texts } from '../../session.ts';
import { dataOption, usingStore } from './data.ts';

export const declare = (start: Start) =>
  new Command('webhook')
    .summary('tell an address of each change of an order')
    .description(
      'Adds, lists or removes the addresses that are told when an order is created, updated or cancelled, each message signed with the secret of its address. The running service sends them, and sends again what was not taken.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(['add', 'list', 'remove'] as const))
    .argument('[url]', 'the address; for remove, its id as list shows it will do')
    .addOption(dataOption())
    .option('--merchant <name>', 'for add: whose orders (default: the only merchant)')
    .option('--secret-file <file>', 'for add: the file with the secret that signs the messages')
    .addHelpText(
      ...example(
        'remit sandbox webhook add http://127.0.0.1:8377/hooks/courier --secret-file secret --data courier.db',
        'remit sandbox webhook list --data courier.db',
      ),
    )
    .action((action, url, options) => start('sandbox webhook', { action, url, ...options }, webhook));

interface WebhookInput extends Texts<'url' | 'merchant' | 'secretFile'> {
  readonly action: 'add' | 'list' | 'remove';
  readonly data: string;
}

async function webhook(session: Session, input: WebhookInput): Promise<number> {
  const { action, merchant, secretFile } = input;
  if (action === 'add') return add(session, input);
  const unused = (merchant !== undefined && '--merchant') || (secretFile !== undefined && '--secret-file');
  if (unused) throw new UsageError(`${action} does not take ${unused}`, SEE_HELP);
  return action === 'list' ? list(session, input) : remove(session, input);
}

async function list(session: Session, { data }: WebhookInput): Promise<number> {
  const { listWebhooks } = await import('../../../sandbox/webhooks/sender.ts');
  const webhooks = await usingStore(session, data, { mustExist: true }, listWebhooks);
  const lines = webhooks.map(
    ({ id, merchant, url, waiting, delivered, given_up }) =>
      `${id}  ${merchant}  ${url}  ${delivered} delivered, ${waiting} waiting, ${given_up} given up`,
  );
  return printAnswer(session, { webhooks }, () => lines, lines.length > 0);
}

async function remove(session: Session, { data, url = '' }: WebhookInput): Promise<number> {
  const { removeWebhook } = await import('../../../sandbox/webhooks/sender.ts');
  const removed = await usingStore(session, data, { mustExist: true }, (store) => removeWebhook(store, url));
  if (removed === 0)
    throw new UsageError(`no webhook has the address or id ${JSON.stringify(url)}`, 'See: remit sandbox webhook list');
  return printAnswer(session, { removed }, () => `${counted(removed, 'webhook')} removed`);
}

async function add(session: Session, { data, url = '', merchant, secretFile }: WebhookInput): Promise<number> {
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) {
    throw new UsageError(`${JSON.stringify(url)} is no web address`, 'Such as http://127.0.0.1:8377/hooks/courier.');
  }
  const file = session.file(secretFile);
  if (file === null) throw new UsageError('the messages need a secret', 'Name its file with --secret-file.');
  const secret = await readSecret(file);
  const { addWebhook } = await import('../../../sandbox/webhooks/sender.ts');
  const id = await usingStore(session, data, { mustExist: true }, (store) =>
    addWebhook(store, { merchant: merchantOf(store, merchant).id, url, secret, now: session.io.now() }),
  );
  return printAnswer(session, { id, url }, () => `webhook ${id}  ${url}`);
}

const SEE_HELP = 'See: remit sandbox webhook --help';

async function readSecret(file: string): Promise<string> {
  const text = await readRegularFile(file, { maxBytes: 4_096 }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`the secret cannot be read from ${file} (${error.code ?? error.message})`, 'Check the file.');
  });
  const secret = text.trim();
  if (secret !== '') return secret;
  throw new UsageError(`the secret in ${file} is empty`, 'Make one with: openssl rand -hex 32');
}

function merchantOf(store: Store, name: string | undefined): MerchantRow {
  const all = store.all<MerchantRow>('select * from merchant order by name');
  const found = all.filter((merchant) => name === undefined || merchant.name === name);
  if (found.length === 1) return found[0]!;
  const names = all.map((merchant) => merchant.name).join(', ');
  const message = `there is no merchant ${JSON.stringify(name)}`;
  throw new UsageError(
    name === undefined ? 'whose orders the address is told of is not said' : message,
    all.length > 0 ? `Add --merchant; the merchants are ${names}.` : 'Make one with: remit sandbox key create',
  );
}
