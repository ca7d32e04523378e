import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../src/app/check-result.ts';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, type FakeInvoice, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { randomFrom } from '../../helpers/random.ts';
import { startRemit } from '../../helpers/remit.ts';
import { dumpLedger, expectVerified } from '../../helpers/sync.ts';
import { COMMANDS, expectNoHalfFile, type Killed, MONTH, SHORT } from './commands.ts';
import { dumpDecisions, mismatchOf } from './decisions.ts';

/** More by `REMIT_KILL_ROUNDS=200`; other moments by `REMIT_KILL_SEED`. */
const ROUNDS = Number(process.env.REMIT_KILL_ROUNDS ?? 6);
const SEED = Number(process.env.REMIT_KILL_SEED ?? 1);
/** `npm run soak:kill` reads here which command was killed, line by line. */
const COUNTED = process.env.REMIT_KILL_COUNT;

/** Eight rows of 10.25 to 17.25 less 3.00 each; a dollar is missing on those that are short. */
const short = { cod: [['USD', '109.00']], net_due_to_merchant: [['USD', '85.00']] } satisfies Partial<FakeInvoice>;
const invoices = Array.from({ length: 12 }, (_, index) =>
  invoiceOf(
    1000 + index,
    `${MONTH}-${10 + index}T10:00:00+03:00`,
    Array.from({ length: 8 }, (_, position) => ({
      order_id: `O-${index}-${position}`,
      // As in the own book: what a claim holds then does not depend on whether a check came between import and claim.
      reference_id: `O-${index}-${position}`,
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

/** A books folder with a folder for temporary files of its own; its ledger is a file in it, or on a server. */
async function makeBooks(database: Database): Promise<string> {
  const folder = scratchFolder();
  const ledger = database === 'PostgreSQL' ? `ledger = "${(await newDatabase()).url}"\n` : '';
  mkdirSync(path.join(folder, 'tmp'));
  writeFileSync(path.join(folder, 'api-key'), KEY, { mode: 0o600 });
  const own = orders.map(({ order_id, cod }) => `${order_id},${MONTH}-01,handed_over,USD,${cod[0]![1]},Beirut,`);
  writeFileSync(
    path.join(folder, 'own.csv'),
    `reference,ordered_on,status,currency,cod,district,note\n${own.join('\n')}\n`,
  );
  writeFileSync(path.join(folder, 'remit.toml'), `api_url = "${courier.url}"\napi_key_file = "api-key"\n${ledger}`);
  return folder;
}

type Database = 'SQLite' | 'PostgreSQL';

/** The ledger as a file: itself, or what a backup of it is. */
async function ledgerFile(folder: string, database: Database): Promise<string> {
  if (database === 'SQLite') return path.join(folder, 'ledger.db');
  await runWhole(folder, { argv: ['backup', 'whole.db', '--force'] });
  return path.join(folder, 'whole.db');
}

async function expectSound(folder: string, database: Database): Promise<void> {
  if (database === 'SQLite') return expectVerified(path.join(folder, 'ledger.db'));
  const { code, stdout, stderr } = await runHere(folder, ['verify', '--deep', '--json']);
  // Killed before it made the tables: there is nothing to verify.
  if (code === 1 && /there is no ledger|holds no ledger|not been made/.test(stderr)) return;
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('"problems":[]'), stderr]);
}

/** Another command is at work: a server hears a little later that the killed one is gone. */
const AT_WORK = 4;

/** Ids of mismatches by the invoice that they are about, as the clean books have them. */
const ids = new Map<string, string>();

function named({ argv }: Killed): string[] {
  return argv.map((word) => word.replace(/^\{(\d+)\}$/, (_, invoice: string) => ids.get(invoice)!));
}

function start(folder: string, command: Killed) {
  makeRoom(folder, command);
  return startRemit(named(command), { TMPDIR: path.join(folder, 'tmp') }, folder);
}

function makeRoom(folder: string, { out }: Killed): void {
  if (out?.isNew) rmSync(path.join(folder, out.name), { recursive: true, force: true });
}

/** Runs what is not killed in this process: Node need not start for it. */
async function runHere(folder: string, argv: readonly string[]) {
  const { TMPDIR: before } = process.env;
  process.env.TMPDIR = path.join(folder, 'tmp');
  try {
    return await remit(argv, { cwd: folder, env: { TZ: process.env.TZ! } });
  } finally {
    // The folder goes with its test, and what comes after it needs another.
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Runs a command to its end, and looks at what it wrote. */
async function runWhole(folder: string, command: Killed): Promise<void> {
  makeRoom(folder, command);
  let { code, stdout, stderr } = await runHere(folder, named(command));
  for (let tries = 0; code === AT_WORK && tries < 50; tries += 1) {
    await wait(100);
    ({ code, stdout, stderr } = await runHere(folder, named(command)));
  }
  const { argv, done, out } = command;
  if (!isIncompleteMonth(command, code, stdout) && (code !== done?.code || !done.says.test(stdout + stderr)))
    expect([argv.join(' '), code, stdout, stderr]).toEqual([argv.join(' '), expect.toBeOneOf([0, 3]), stdout, stderr]);
  await out?.isWhole(path.join(folder, out.name));
}

/** In ms. */
async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * A month is incomplete, such as that of a sync that was killed before, or this one: a check or a night without open
 * errors ends with 1.
 */
function isIncompleteMonth({ argv }: Killed, code: number | null, stdout: string): boolean {
  if (code !== 1) return false;
  if (argv[0] === 'night') return /no mismatch is open[\s\S]*is incomplete/.test(stdout);
  if (argv[0] !== 'check') return false;
  const { open, incomplete } = JSON.parse(stdout) as Pick<CheckResult, 'open' | 'incomplete'>;
  return open.error === 0 && incomplete.length > 0;
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

describe.each([
  { database: 'SQLite', isThere: true },
  { database: 'PostgreSQL', isThere: hasPostgres },
] as const)('on $database', ({ database, isThere }) => {
  it.skipIf(!isThere)(
    `killed at any moment, ${ROUNDS} times over all commands: what is there is whole, and the next run ends as if nothing had been`,
    { timeout: 300_000 + ROUNDS * 60_000 },
    async () => {
      const clean = await makeBooks(database);
      // Nothing is at work before Node itself has started.
      const soonest = await durationOf(() => start(clean, { argv: ['--version'] }).ended);
      const durations = new Map<Killed, number>();
      for (const command of COMMANDS) {
        durations.set(command, await durationOf(() => runWhole(clean, command)));
        if (command.argv[0] !== 'check') continue;
        const right = await ledgerFile(clean, database);
        for (const invoice of SHORT) ids.set(String(invoice), mismatchOf(right, invoice, 'invoice-cod-total'));
      }
      const sync = COMMANDS[1]!;
      await runWhole(clean, sync);
      const right = await ledgerFile(clean, database);
      const expected = [dumpLedger(right), dumpDecisions(right)];
      expect(temporaryFiles(clean)).toEqual([]);

      const random = randomFrom(SEED);
      let [killed, tries] = [0, 0];
      const isEnough = () => killed >= ROUNDS || tries >= 10 * ROUNDS;
      while (!isEnough()) {
        // Books that begin empty, so that the first sync of each is hit too.
        const folder = await makeBooks(database);
        const shuffled = [...COMMANDS, ...COMMANDS]
          .map((command) => ({ command, at: random() }))
          .sort((a, b) => a.at - b.at);
        for (const { command } of [{ command: sync }, ...shuffled]) {
          if (isEnough()) break;
          tries += 1;
          const moment = soonest + random() * durations.get(command)!;
          if (await runKilled(folder, command, moment)) {
            killed += 1;
            if (COUNTED) appendFileSync(COUNTED, `${command.argv[0]}\n`);
            // It ended first: it is faster now than when it was measured.
          } else durations.set(command, durations.get(command)! * 0.8);
          await expectSound(folder, database);
          await expectNoHalfFile(folder, command);
        }
        for (const command of [sync, ...COMMANDS]) await runWhole(folder, command);
        const file = await ledgerFile(folder, database);
        expect([dumpLedger(file), dumpDecisions(file)]).toEqual(expected);
        await expectSound(folder, database);
        expect(temporaryFiles(folder)).toEqual([]);
      }
      expect(killed).toBe(ROUNDS);
    },
  );
});
