import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '../helpers/cutting-proxy.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { randomFrom } from '../helpers/random.ts';
import { startTeam, type Team } from '../helpers/team.ts';

/** At how many moments each command is hit; more by `REMIT_KILL_ROUNDS=200`, other moments by `REMIT_KILL_SEED`. */
const ROUNDS = Number(process.env.REMIT_KILL_ROUNDS ?? 1);
const SEED = Number(process.env.REMIT_KILL_SEED ?? 1);

/** What works on a ledger, in the order in which a team would; and the files that it makes. */
const COMMANDS: readonly (readonly string[])[] = [
  ['sync', '2026-10', '--orders', '--full', '--quiet'],
  ['import', 'orders', 'orders.csv', '--by', 'Rana'],
  ['import', 'receipts', 'receipts.csv', '--by', 'Rana'],
  ['import', 'tariff', 'tariff.csv', '--by', 'Rana'],
  ['match'],
  ['match', 'add', '3', '10002', '--by', 'Omar'],
  ['match', 'remove', '1', '--reason', 'wrong one', '--by', 'Omar'],
  ['check'],
  ['check', '--as-of', '2026-11-20'],
  ['mismatch', 'ack', '--code', 'invoice-cod-total', '--by', 'Omar', '--yes'],
  ['report', 'totals', '--out', 'totals.json'],
  ['statement', '2026-10', '--out', 'statement.xlsx'],
  ['night', '--quiet'],
  ['verify', '--deep'],
  ['changes'],
  ['show', 'invoice', '10001'],
  ['backup', 'copy.db'],
  ['export', 'parquet', 'tables'],
];

let team: Team;
let proxy: CuttingProxy;
beforeEach(async () => {
  team = await startTeam();
});
afterEach(async () => {
  await team.courier.close();
  await proxy.close();
});

const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe.skipIf(!hasPostgres)('a server that goes away', () => {
  it(`in the middle of any command, ${ROUNDS} times each: one sentence, nothing half-written, and the next run ends as if nothing had been`, {
    timeout: 120_000 + ROUNDS * 60_000,
  }, async () => {
    const [{ url }, clean] = [await newDatabase(), await newDatabase()];
    proxy = await startCuttingProxy(Number(new URL(url).port));
    const random = randomFrom(SEED);
    let cut = 0;
    for (const argv of COMMANDS) {
      const name = argv.join(' ');
      // How much it says to the server, where nothing happens to it.
      proxy.cutAt(null);
      const whole = await team.run(proxy.through(clean.url), ...argv);
      expect([name, whole.code, whole.stderr]).toEqual([name, expect.toBeOneOf([0, 3]), expect.any(String)]);
      const messages = proxy.count();
      clear(team.folder);
      const before = filesOf(team.folder);
      for (let round = 0; round < ROUNDS; round += 1) {
        proxy.cutAt(1 + Math.floor(random() * messages), random() < 0.5 ? 'before' : 'after');
        const { code, stdout, stderr } = await team.run(proxy.through(url), ...argv);
        expect(stderr + stdout).not.toMatch(/\n\s+at |should not have happened|undefined/);
        // It may have been at its end: then it is done. What an earlier round did may be done already.
        expect([name, code, stderr]).toEqual([name, expect.toBeOneOf([0, 1, 2, 3]), expect.any(String)]);
        if (code === 1) {
          cut += 1;
          expectTold(name, stdout, stderr);
          expect([name, filesOf(team.folder)]).toEqual([name, before]);
        }
        clear(team.folder);
      }
      const { code, stderr } = await team.run(url, ...argv);
      expect([name, code, stderr]).toEqual([name, expect.toBeOneOf([0, 2, 3]), expect.any(String)]);
      clear(team.folder);
    }
    expect(cut).toBeGreaterThan((ROUNDS * COMMANDS.length) / 2);
    for (const report of ['totals', 'mismatches', 'orders', 'ageing', 'roll-forward']) {
      const [there, right] = [
        await team.run(url, 'report', report, '--json'),
        await team.run(clean.url, 'report', report, '--json'),
      ];
      expect([report, there]).toEqual([report, right]);
    }
    const matches = [
      await team.run(url, 'match', 'list', '--json'),
      await team.run(clean.url, 'match', 'list', '--json'),
    ];
    expect(matches[0]).toEqual(matches[1]);
    const verified = await team.run(url, 'verify', '--deep', '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, problems: [] });
  });
});

/** One sentence that names the ledger, and what to do. */
function expectTold(name: string, stdout: string, stderr: string): void {
  const told = name.startsWith('night') ? stdout + stderr : stderr;
  expect([name, told]).toEqual([name, expect.stringMatching(/postgresql:\/\/remit_owner@127\.0\.0\.1/)]);
  expect([name, told]).toEqual([
    name,
    expect.stringMatching(/→ (Run the command again|Check host and port|Run the sync)/),
  ]);
}

/** What commands wrote beside the books. */
function clear(folder: string): void {
  for (const made of ['totals.json', 'statement.xlsx', 'copy.db', 'tables']) {
    if (existsSync(path.join(folder, made))) rmSync(path.join(folder, made), { recursive: true, force: true });
  }
}
