import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { randomFrom } from '../../helpers/random.ts';
import { runRemit, startRemit } from '../../helpers/remit.ts';
import { expectVerified } from '../../helpers/sync.ts';

/** More by `REMIT_KILL_ROUNDS=200`; other moments by `REMIT_KILL_SEED`. */
const ROUNDS = Number(process.env.REMIT_KILL_ROUNDS ?? 6);
const SEED = Number(process.env.REMIT_KILL_SEED ?? 1);
const MONTH = '2024-10';

/** An account a courier. */
let couriers: readonly FakeCourier[];
beforeAll(async () => {
  const orders = (invoice: number) =>
    Array.from({ length: 6 }, (_, at) => ({
      order_id: `O-${invoice}-${at}`,
      cod: [['USD', `${10 + at}.25`]] as [string, string][],
      delivery_fee: [['USD', '3.00']] as [string, string][],
    }));
  const invoices = Array.from({ length: 6 }, (_, at) =>
    invoiceOf(1000 + at, `${MONTH}-1${at}T10:00:00+03:00`, orders(1000 + at)),
  );
  couriers = await Promise.all([0, 1].map(() => startFakeCourier({ pageSize: 3, invoices })));
  // Late answers, so that there is something to be killed between.
  for (const courier of couriers)
    courier.world.intercept = (request, response) => {
      if (request.headers['x-waited']) return false;
      request.headers['x-waited'] = 'yes';
      setTimeout(() => courier.replay(request, response), 4);
      return true;
    };
});
afterAll(() => Promise.all(couriers.map((courier) => courier.close())));

const SHEET = Array.from({ length: 40 }, (_, at) => `${1000 + (at % 4)},${MONTH}-2${at % 4},S-${at},${at}.50,2.00`);

/** Books of two couriers with an API and one that sends sheets, all with the same numbers. */
function makeBooks(): string {
  const folder = scratchFolder();
  mkdirSync(path.join(folder, 'tmp'));
  writeFileSync(path.join(folder, 'api-key'), KEY, { mode: 0o600 });
  writeFileSync(path.join(folder, 'sheet.csv'), `Payout,Date,AWB,COD,Fee\n${SHEET.join('\n')}\n`);
  const api = (name: string, { url }: FakeCourier) =>
    `[couriers.${name}]\napi_url = "${url}"\napi_key_file = "api-key"\n`;
  writeFileSync(
    path.join(folder, 'remit.toml'),
    `time_zone = "UTC"\n${api('cedar', couriers[0]!)}${api('swift', couriers[1]!)}[couriers.sheets]\nkind = "files"\nmap = "sheet"
[maps.sheet]\nkind = "settlement"\ncurrency = "USD"
columns = { invoice = "Payout", issued_on = "Date", order = "AWB", cod = "COD", fee = "Fee" }\n`,
  );
  return folder;
}

const COMMANDS = [
  ['sync', MONTH],
  ['import', 'settlement', 'sheet.csv', '--courier', 'sheets'],
  ['statement', MONTH, '--all'],
  ['courier', 'rename', 'swift', 'swift-express'],
  ['courier', 'rename', 'swift-express', 'swift'],
] as const;

const environment = (folder: string) => ({ TMPDIR: path.join(folder, 'tmp') });

/** Runs a command to its end. What was done already is no fault: a courier that has its new name. */
async function runWhole(folder: string, argv: readonly string[]): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await runRemit(argv, environment(folder), folder);
  const took = performance.now() - began;
  if (argv[1] === 'rename' && code === 2) expect(stderr).toMatch(/there is no courier/);
  else expect([argv.join(' '), code, stderr]).toEqual([argv.join(' '), 0, stderr]);
  return took;
}

/** What the books say of all couriers, whatever evidence brought it. */
async function stateOf(folder: string): Promise<unknown> {
  const { stdout } = await runRemit(['report', 'orders', MONTH, '--json'], environment(folder), folder);
  return JSON.parse(stdout).rows;
}

it(`killed ${ROUNDS} times while several couriers are synced, imported, stated and renamed, the books are whole, and the next run ends as if nothing had been`, {
  timeout: 120_000 + ROUNDS * 60_000,
}, async () => {
  const clean = makeBooks();
  const took = new Map<(typeof COMMANDS)[number], number>();
  for (const command of COMMANDS) took.set(command, await runWhole(clean, command));
  const expected = await stateOf(clean);

  const random = randomFrom(SEED);
  let [killed, tries] = [0, 0];
  while (killed < ROUNDS && tries < 10 * ROUNDS) {
    // Books that begin empty, so that the first of each is hit too.
    const folder = makeBooks();
    const file = path.join(folder, 'ledger.db');
    for (const command of [...COMMANDS, ...COMMANDS]) {
      if (killed >= ROUNDS) break;
      tries += 1;
      const { child, ended } = startRemit(command, environment(folder), folder);
      // Not before Node itself has started: nothing is at work then.
      await Promise.race([wait(60 + random() * Math.max(0, took.get(command)! - 40)), ended]);
      child.kill('SIGKILL');
      if ((await ended).code === null) killed += 1;
      else took.set(command, took.get(command)! / 2);
      await expectVerified(file);
      await runWhole(folder, command);
    }
    for (const command of COMMANDS) await runWhole(folder, command);
    expect(await stateOf(folder)).toEqual(expected);
    await expectVerified(file);
  }
  expect(killed).toBe(ROUNDS);
});
