import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckResult } from '../../../src/app/check.ts';
import { type FakeCourier, type FakeInvoice, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { randomFrom } from '../../helpers/random.ts';
import { type Ended, startRemit } from '../../helpers/remit.ts';
import { dumpLedger, expectVerified } from '../../helpers/sync.ts';
import { COMMANDS, expectNoHalfFile, type Killed, MONTH, SHORT } from './commands.ts';
import { dumpDecisions, mismatchOf } from './decisions.ts';

/** More by `REMIT_KILL_ROUNDS=200`; other moments by `REMIT_KILL_SEED`. */
const ROUNDS = Number(process.env.REMIT_KILL_ROUNDS ?? 6);
const SEED = Number(process.env.REMIT_KILL_SEED ?? 1);

/** Eight rows of 10.25 to 17.25 less 3.00 each; a dollar is missing on those that are short. */
const short = { cod: [['USD', '109.00']], net_due_to_merchant: [['USD', '85.00']] } satisfies Partial<FakeInvoice>;
const invoices = Array.from({ length: 12 }, (_, index) =>
  invoiceOf(
    1000 + index,
    `${MONTH}-${10 + index}T10:00:00+03:00`,
    Array.from({ length: 8 }, (_, position) => ({
      order_id: `O-${index}-${position}`,
      cod: [['USD', `${10 + position}.25`]],
      delivery_fee: [['USD', '3.00']],
    })),
    SHORT.includes(1000 + index) ? short : {},
  ),
);
const orders = invoices.flatMap(({ number, orders }) =>
  orders.map((row) => ({
    ...row,
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    merchant_invoice: number,
    statestamps: [],
  })),
);

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier({ pageSize: 7, invoices, orders });
  // Late answers, so that there is something to be killed between.
  courier.world.intercept = (request, response) => {
    if (request.headers['x-waited']) return false;
    request.headers['x-waited'] = 'yes';
    setTimeout(() => courier.replay(request, response), 4);
    return true;
  };
});
afterAll(() => courier.close());

/** A books folder with a folder for temporary files of its own. */
function makeBooks(): string {
  const folder = scratchFolder();
  mkdirSync(path.join(folder, 'tmp'));
  writeFileSync(path.join(folder, 'api-key'), KEY, { mode: 0o600 });
  const own = orders.map(({ order_id, cod }) => `${order_id},${MONTH}-01,handed_over,USD,${cod[0]![1]},Beirut,`);
  writeFileSync(
    path.join(folder, 'own.csv'),
    `reference,ordered_on,status,currency,cod,district,note\n${own.join('\n')}\n`,
  );
  writeFileSync(path.join(folder, 'remit.toml'), `api_url = "${courier.url}"\napi_key_file = "api-key"\n`);
  return folder;
}

/** Ids of mismatches by the invoice that they are about, as the clean books have them. */
const ids = new Map<string, string>();

function start(folder: string, { argv, out }: Killed) {
  if (out?.isNew) rmSync(path.join(folder, out.name), { recursive: true, force: true });
  const named = argv.map((word) => word.replace(/^\{(\d+)\}$/, (_, invoice: string) => ids.get(invoice)!));
  return startRemit(named, { TMPDIR: path.join(folder, 'tmp') }, folder);
}

/** Runs a command to its end, and looks at what it wrote. @returns how long it took, in ms */
async function runWhole(folder: string, command: Killed): Promise<number> {
  const began = performance.now();
  const { code, stdout, stderr }: Ended = await start(folder, command).ended;
  const took = performance.now() - began;
  const { argv, done, out } = command;
  if (!isIncompleteMonth(command, code, stdout) && (code !== done?.code || !done.says.test(stderr)))
    expect([argv.join(' '), code, stdout, stderr]).toEqual([argv.join(' '), expect.toBeOneOf([0, 3]), stdout, stderr]);
  await out?.isWhole(path.join(folder, out.name));
  return took;
}

/** A sync that was killed before leaves its month incomplete: a check without open errors ends with 1, and its JSON names the month. */
function isIncompleteMonth({ argv }: Killed, code: number | null, stdout: string): boolean {
  if (argv[0] !== 'check' || code !== 1) return false;
  const { open, incomplete } = JSON.parse(stdout) as Pick<CheckResult, 'open' | 'incomplete'>;
  return open.error === 0 && incomplete.some(({ period }) => period === MONTH);
}

async function runKilled(folder: string, command: Killed, afterMs: number): Promise<boolean> {
  const { child, ended } = start(folder, command);
  await Promise.race([wait(afterMs), ended]);
  child.kill('SIGKILL');
  return (await ended).code === null;
}

function isTemporary(name: string): boolean {
  return /\.tmp|^\.remit|^remit-/.test(name);
}

const temporaryFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => isTemporary(path.basename(file)));

it(`killed at any moment, ${ROUNDS} times over all commands: what is there is whole, and the next run ends as if nothing had been`, {
  timeout: 60_000 + ROUNDS * 10_000,
}, async () => {
  const clean = makeBooks();
  const durations = new Map<Killed, number>();
  const right = path.join(clean, 'ledger.db');
  for (const command of COMMANDS) {
    durations.set(command, await runWhole(clean, command));
    if (command.argv[0] !== 'check') continue;
    for (const invoice of SHORT) ids.set(String(invoice), mismatchOf(right, invoice, 'invoice-cod-total'));
  }
  const sync = COMMANDS[1]!;
  await runWhole(clean, sync);
  const expected = [dumpLedger(right), dumpDecisions(right)];
  expect(temporaryFiles(clean)).toEqual([]);

  const random = randomFrom(SEED);
  let [killed, tries] = [0, 0];
  const isEnough = () => killed >= ROUNDS || tries >= 10 * ROUNDS;
  while (!isEnough()) {
    // Books that begin empty, so that the first sync of each is hit too.
    const folder = makeBooks();
    const file = path.join(folder, 'ledger.db');
    const shuffled = COMMANDS.map((command) => ({ command, at: random() })).sort((a, b) => a.at - b.at);
    for (const { command } of [{ command: sync }, ...shuffled]) {
      if (isEnough()) break;
      tries += 1;
      // Not before Node itself has started: nothing is at work then.
      const moment = 60 + random() * Math.max(0, durations.get(command)! - 40);
      if (await runKilled(folder, command, moment)) killed += 1;
      // It ended first: it is faster now than when it was measured.
      else durations.set(command, durations.get(command)! / 2);
      await expectVerified(file);
      await expectNoHalfFile(folder, command);
    }
    for (const command of [sync, ...COMMANDS]) await runWhole(folder, command);
    expect([dumpLedger(file), dumpDecisions(file)]).toEqual(expected);
    await expectVerified(file);
    expect(temporaryFiles(folder)).toEqual([]);
  }
  expect(killed).toBe(ROUNDS);
});
