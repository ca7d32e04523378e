import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Argument, Command, Option } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { UsageError } from '../../../base/errors.ts';
import type { RequestEntry } from '../../../sandbox/app.ts';
import type { ResultShape } from '../../../sandbox/index.ts';
import { OPERATOR_ACTIONS, type OperatorAction } from '../../../sandbox/operator/moves.ts';
import type { MerchantRow } from '../../../sandbox/store/rows.ts';
import type { Store } from '../../../sandbox/store/store.ts';
import type { DayResult } from '../../../sandbox/world/day.ts';
import { example, type Start, wholeNumber } from '../../command.ts';
import type { Session } from '../../session.ts';
import { stopped } from '../../stopped.ts';
import { declare as declareSeed } from './seed.ts';
import { declare as declareWebhook } from './webhook.ts';

/** `--data`, which every command of the service takes. */
export const dataOption = () => new Option('--data <file>', "the service's file").makeOptionMandatory();

/**
 * Opens the service file that `--data` names, relative to the current folder, and closes it after the work.
 *
 * @throws FileError when it cannot be opened or written, or with `mustExist` is not there
 */
export async function usingStore<T>(
  session: Session,
  data: string,
  options: { mustExist?: boolean },
  work: (store: Store) => T,
): Promise<T> {
  const [{ openStore }, { explainStoreFault }] = await Promise.all([
    import('../../../sandbox/store/open.ts'),
    import('../../../sandbox/store/sqlite-errors.ts'),
  ]);
  const file = path.resolve(session.io.cwd, data);
  const store = openStore(file, options);
  try {
    return work(store);
  } catch (error) {
    throw explainStoreFault(error, file);
  } finally {
    store.close();
  }
}

export const declareOperate = (start: Start) =>
  new Command('operate')
    .summary('do what the delivery company does: move, bill, pay')
    .description(
      'One action of the operator; the service may be running or stopped. A move takes an order one step: assign, scan, pickup, warehouse, dispatch, deliver, fail, return, handover or collect ORDER_ID. `invoice --merchant NAME` bills what is delivered, `pay INVOICE_NUMBER` pays an invoice, `key` prints a new key for the API of the operator (serve --operator-port) and revokes the last.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(OPERATOR_ACTIONS))
    .argument('[target]', 'the order, or the invoice to pay')
    .addOption(dataOption())
    .option('--merchant <name>', 'for invoice: the merchant to bill')
    .option('--date <date>', 'for invoice: the day of issue (default: now)')
    .addHelpText(
      'after',
      example(
        'remit sandbox operate deliver 7K2MQ4XHTB --data courier.db',
        'remit sandbox operate invoice --merchant "Cedar Threads" --data courier.db',
      ),
    )
    .action((action, target, options) => start('sandbox operate', { action, target, ...options }, operate));

interface OperateInput {
  readonly action: OperatorAction;
  /** The order's id for a move, the invoice's number for `pay`. */
  readonly target?: string | undefined;
  readonly data: string;
  /** For `invoice`: the merchant's name. */
  readonly merchant?: string | undefined;
  /** For `invoice`: the day of issue, `2026-10-31`; now unless given. */
  readonly date?: string | undefined;
}

/** One action of the delivery company, on a stopped or a running service alike. */
async function operate(session: Session, input: OperateInput): Promise<number> {
  const act = await actionOf(input, session.io.now());
  const { line, json } = await usingStore(session, input.data, { mustExist: true }, act);
  if (session.json) session.resultJson(json);
  else session.result(line);
  return 0;
}

interface Outcome {
  line: string;
  json: object;
}

/** What to do in the file. @throws UsageError before it is opened, when the action lacks something or takes less than was given */
async function actionOf(input: OperateInput, now: Date): Promise<(store: Store) => Outcome> {
  const { action, target, merchant, date } = input;
  refuseUnused(input);
  const { timestamp } = await import('../../../sandbox/store/store.ts');
  if (action === 'key') {
    const { createOperatorKey } = await import('../../../sandbox/store/keys.ts');
    return (store) => {
      const key = createOperatorKey(store, now);
      return { line: key, json: { key } };
    };
  }
  if (action === 'invoice') {
    if (!merchant) throw missing('invoice', "the merchant's name", 'invoice --merchant NAME');
    const { issueInvoice } = await import('../../../sandbox/operator/invoicing.ts');
    const { momentOfIssue } = await import('../../../sandbox/operator/invoicing.ts');
    return (store) => {
      const invoice = issueInvoice(store, merchant, momentOfIssue(store, now, date));
      const totals = invoice.totals.map((t) => `${t.net_due_to_merchant} ${t.currency} due`).join(', ');
      return {
        line: `invoice ${invoice.number}  ${shortTime(invoice.issued_at)}  ${invoice.order_count} orders  ${totals}`,
        json: invoice,
      };
    };
  }
  if (action === 'pay') {
    if (!target) throw missing('pay', "the invoice's number", 'pay INVOICE_NUMBER');
    if (!/^\d{1,15}$/.test(target)) {
      throw new UsageError(
        `${JSON.stringify(target)} is not an invoice number`,
        'Write it as the API lists it, such as 10001.',
      );
    }
    const { payInvoice } = await import('../../../sandbox/operator/paying.ts');
    return (store) => {
      const paid = payInvoice(store, Number(target), timestamp(now));
      return { line: `invoice ${paid.number}  ${paid.status}  ${shortTime(paid.paid_at)}`, json: paid };
    };
  }
  if (!target) throw missing(action, "the order's id", `${action} ORDER_ID`);
  const { moveOrder } = await import('../../../sandbox/operator/move-order.ts');
  return (store) => {
    const states = moveOrder(store, target, action, timestamp(now));
    return {
      line: `order ${target}  ${states.delivery_state}  ${states.payment_state}`,
      json: { order_id: target, ...states },
    };
  };
}

/** What was typed must not be silently ignored. */
function refuseUnused({ action, target, merchant, date }: OperateInput): void {
  const unused =
    (action !== 'invoice' && merchant !== undefined && '--merchant') ||
    (action !== 'invoice' && date !== undefined && '--date') ||
    ((action === 'invoice' || action === 'key') && target !== undefined && target);
  if (unused) throw new UsageError(`${action} does not take ${unused}`, 'See: remit sandbox operate --help');
}

/** `2026-10-31 12:00 UTC`. */
function shortTime(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;
}

function missing(action: string, what: string, usage: string): UsageError {
  return new UsageError(`${action} needs ${what}`, `Write: remit sandbox operate ${usage} --data FILE`);
}

export const declareRunDay = (start: Start) =>
  new Command('run-day')
    .summary('let days of the business pass')
    .description('New orders, pickups, deliveries, returns, weekly invoices and payments, a simulated day at a time.')
    .addOption(dataOption())
    .option('--days <n>', 'how many days', wholeNumber(1), 1)
    .addHelpText('after', example('remit sandbox run-day --data courier.db --days 7'))
    .action((options) => start('sandbox run-day', options, runDays));

/** Runs days of the world, from the day after its latest event. Each day is saved when it is done. */
async function runDays(session: Session, input: { readonly data: string; readonly days: number }): Promise<number> {
  const { runDay } = await import('../../../sandbox/world/day.ts');
  const days: DayResult[] = [];
  for (let i = 0; i < input.days; i++) {
    // Lets Ctrl-C arrive between two days.
    await setImmediate();
    session.io.signal.throwIfAborted();
    const day = await usingStore(session, input.data, { mustExist: true }, (store) =>
      runDay(store, { now: session.io.now() }),
    );
    days.push(day);
    const { date, created, moved, invoices, payments } = day;
    if (!session.json) {
      const parts = [
        counted(created, 'new order'),
        counted(moved, 'move'),
        counted(invoices, 'invoice'),
        counted(payments, 'payment'),
      ];
      session.result(`${date}  ${parts.join(', ')}`);
    }
  }
  if (session.json) session.resultJson({ days });
  return 0;
}

export const declareKey = (start: Start) =>
  new Command('key')
    .summary("make, list and revoke a merchant's API keys")
    .description(
      'Makes, lists or revokes the API keys of a merchant; `create` makes a new merchant too. A new key is printed once, alone on standard output.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(['create', 'list', 'revoke'] as const))
    .addOption(dataOption())
    .requiredOption('--merchant <name>', "the merchant's name")
    .option('--prefix <text>', 'for revoke: the start of the key, as list shows it (default: all keys of the merchant)')
    .addHelpText('after', example('remit sandbox key create --data courier.db --merchant "My Shop"'))
    .action((action, options) => start('sandbox key', { action, ...options }, key));

interface KeyInput {
  readonly action: 'create' | 'list' | 'revoke';
  readonly data: string;
  readonly merchant: string;
  /** For `revoke`: the start of the key, as `list` shows it; all of the merchant's keys unless given. */
  readonly prefix?: string | undefined;
}

/** What the service's file holds of merchants and keys, loaded when the work begins. */
type Held = typeof import('../../../sandbox/store/keys.ts') & typeof import('../../../sandbox/store/merchants.ts');

/** Makes, lists and revokes the API keys of a merchant of the service. */
async function key(session: Session, input: KeyInput): Promise<number> {
  if (input.merchant.trim() === '') throw new UsageError('a merchant has a name', 'Name it with --merchant NAME.');
  if (input.prefix !== undefined && input.action !== 'revoke') {
    throw new UsageError(`${input.action} does not take --prefix`, 'See: remit sandbox key --help');
  }
  const held: Held = {
    ...(await import('../../../sandbox/store/keys.ts')),
    ...(await import('../../../sandbox/store/merchants.ts')),
  };
  const mustExist = input.action !== 'create';
  return usingStore(session, input.data, { mustExist }, (store) => {
    if (input.action === 'create') create(session, held, store, input.merchant);
    else if (input.action === 'list') list(session, held, store, input.merchant);
    else revoke(session, held, store, input);
    return 0;
  });
}

function create(session: Session, held: Held, store: Store, name: string): void {
  const now = session.io.now();
  const merchant = held.ensureMerchant(store, name, now);
  const key = held.createApiKey(store, merchant.id, now);
  if (session.json) session.resultJson({ merchant: name, key });
  else session.result(key);
}

function list(session: Session, held: Held, store: Store, name: string): void {
  const keys = held.listApiKeys(store, known(held, store, name).id);
  if (session.json) session.resultJson({ merchant: name, keys });
  else {
    for (const { prefix, created_at, revoked_at } of keys) {
      session.result(
        `${prefix}…  made ${created_at.slice(0, 19)}Z${revoked_at ? `  revoked ${revoked_at.slice(0, 19)}Z` : ''}`,
      );
    }
  }
}

function revoke(session: Session, held: Held, store: Store, { merchant: name, prefix }: KeyInput): void {
  const revoked = held.revokeApiKeys(store, known(held, store, name).id, prefix ?? '', session.io.now());
  if (revoked === 0) {
    throw new UsageError(
      `${name} has no key in use${prefix ? ` that starts with ${prefix}` : ''}`,
      'List its keys with: remit sandbox key list',
    );
  }
  if (session.json) session.resultJson({ merchant: name, revoked });
  else session.result(revoked === 1 ? '1 key revoked' : `${revoked} keys revoked`);
}

function known(held: Held, store: Store, name: string): MerchantRow {
  const merchant = held.findMerchant(store, name);
  if (merchant) return merchant;
  const names = store.all<MerchantRow>('select * from merchant order by name').map((row) => row.name);
  throw new UsageError(
    `there is no merchant ${JSON.stringify(name)}`,
    names.length > 0 ? `The merchants are ${names.join(', ')}.` : 'Make one with: remit sandbox key create',
  );
}

export const declareServe = (start: Start) =>
  new Command('serve')
    .summary('serve the API until stopped')
    .description('Serves the API; when it is ready, prints its base URL. Stop it with Ctrl-C.')
    .addOption(dataOption())
    .option('--port <n>', 'the port; 0 chooses a free one', wholeNumber(0), 0)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .addOption(
      new Option('--results <shape>', 'how lists are wrapped')
        .choices(['flat', 'array', 'wrapper', 'object'] as const)
        .default('flat' as const),
    )
    .option('--operator-port <n>', "serve the operator's API too, on this machine only", wholeNumber(0))
    .option('--faults <spec>', 'fail on demand, such as 500=0.1,latency=20..80,seed=7')
    .addHelpText('after', example('remit sandbox serve --data courier.db --port 8080'))
    .action((options) => start('sandbox serve', options, serve));

interface ServeInput {
  readonly data: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly host: string;
  readonly results: ResultShape;
  readonly operatorPort?: number | undefined;
  /** Faults on demand, such as `500=0.1,latency=20..80,seed=7`; see `parseFaults`. */
  readonly faults?: string | undefined;
}

/** Runs the delivery company's service until it is stopped; prints its base URL once it is ready. */
async function serve(session: Session, input: ServeInput): Promise<number> {
  const [{ parseFaults }, { startSandbox }] = await Promise.all([
    import('../../../sandbox/faults/parse.ts'),
    import('../../../sandbox/index.ts'),
  ]);
  const { io } = session;
  const log = new RequestLog(session);
  const sandbox = await startSandbox({
    file: path.resolve(io.cwd, input.data),
    port: input.port,
    host: input.host,
    results: input.results,
    operatorPort: input.operatorPort,
    now: io.now,
    ...(input.faults === undefined ? {} : { faults: parseFaults(input.faults) }),
    ...(session.quiet ? {} : { log: (entry) => log.add(entry) }),
  });
  try {
    if (session.json) {
      session.resultJson({ url: sandbox.url, docs_url: sandbox.docsUrl, operator_url: sandbox.operatorUrl });
    } else {
      session.result(sandbox.url);
      session.note(`The API is described at ${sandbox.docsUrl}; stop the service with Ctrl-C.`);
      if (sandbox.operatorUrl) session.note(`The operator's API is at ${sandbox.operatorUrl}`);
    }
    await stopped(io.signal);
  } finally {
    await sandbox.close();
    log.flush();
  }
  return 0;
}

/** Lines are collected this long and written together. */
const FLUSH_AFTER_MS = 100;

class RequestLog {
  readonly #session: Session;
  #lines: string[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  add(entry: RequestEntry): void {
    if (this.#lines.length === 0) setTimeout(() => this.flush(), FLUSH_AFTER_MS).unref();
    this.#lines.push(lineOf(entry));
  }

  flush(): void {
    if (this.#lines.length > 0) this.#session.note(this.#lines.join('\n'));
    this.#lines = [];
  }
}

function lineOf(entry: RequestEntry): string {
  const { id, merchant, method, path: at, status, milliseconds, error } = entry;
  const line = `${id} merchant ${merchant ?? '-'} ${method} ${at} ${status} ${milliseconds} ms`;
  return error === undefined ? line : `${line}: ${error instanceof Error ? error.message : String(error)}`;
}

/** The commands of `remit sandbox`, in the order of the help. */
const COMMANDS = [declareSeed, declareKey, declareServe, declareOperate, declareRunDay, declareWebhook];

/** The delivery company's service: its world, its keys, its server, its operator. */
export const declare = (start: Start) => {
  const sandbox = new Command('sandbox')
    .summary("run the delivery company's own service on this machine")
    .description(
      "The delivery company's whole service on this machine, with its own data, to try remit or build against.",
    )
    .addHelpText(
      'after',
      example('remit sandbox seed --data courier.db --plant', 'remit sandbox serve --data courier.db --port 8080'),
    );
  for (const command of COMMANDS) sandbox.addCommand(command(start));
  return sandbox;
};
