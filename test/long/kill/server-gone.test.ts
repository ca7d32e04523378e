import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '../../helpers/cutting-proxy.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { randomFrom } from '../../helpers/random.ts';
import { startTeam, type Team } from '../../helpers/team.ts';

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
  ['dispute', '2026-10', '--again', '--yes', '--out', 'claim.csv', '--by', 'Omar'],
  ['dispute', 'answer', '{10005}', '--accepted', '--note', 'on the next one', '--by', 'Omar'],
  ['dispute', 'write-off', '{10005}', '--reason', 'too little', '--by', 'Omar'],
  ['close', '2026-10', '--first', '--with-open', 'it is late', '--by', 'Rana'],
  ['reopen', '2026-10', '--reason', 'too early', '--by', 'Rana'],
  ['close', '2026-10', '--first', '--with-open', 'now it is', '--by', 'Omar'],
  ['statement', '--close-pack', '2026-10', '--out', 'pack', '--by', 'Omar'],
  ['report', 'totals', '--out', 'totals.json'],
  ['report', 'journal', '2026-10', '--format', 'hledger', '--out', 'j.journal'],
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

/** An earlier round came to its end: what it does is done. */
const isDone = (stderr: string) => /is closed already, by |it is written-off since|is not closed/.test(stderr);

const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe.skipIf(!hasPostgres)('a server that goes away', () => {
  it(`in the middle of any command, ${ROUNDS} times each: one sentence, nothing half-written, and the next run ends as if nothing had been`, {
    timeout: 120_000 + ROUNDS * 60_000,
  }, async () => {
    const [{ url }, clean] = [await newDatabase(), await newDatabase()];
    proxy = await startCuttingProxy(Number(new URL(url).port));
    const random = randomFrom(SEED);
    let cut = 0;
    for (const command of COMMANDS) {
      const argv = await named(clean.url, command);
      const name = command.join(' ');
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
        if (code === 1 && !isDone(stderr)) {
          cut += 1;
          expectTold(name, stdout, stderr);
          expect([name, filesOf(team.folder)]).toEqual([name, before]);
        }
        clear(team.folder);
      }
      const { code, stderr } = await team.run(url, ...argv);
      if (!isDone(stderr)) {
        expect([name, code, stderr]).toEqual([name, expect.toBeOneOf([0, 2, 3]), expect.any(String)]);
      }
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
    for (const list of [
      ['match', 'list'],
      ['dispute', 'list'],
      ['show', 'close', '2026-10'],
    ]) {
      const [there, right] = [await team.run(url, ...list, '--json'), await team.run(clean.url, ...list, '--json')];
      expect([list, decided(there)]).toEqual([list, decided(right)]);
    }
    const verified = await team.run(url, 'verify', '--deep', '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, problems: [] });
  });
});

/** A command with the id of an invoice's wrong header in the place of `{number}`. */
async function named(ledger: string, command: readonly string[]): Promise<string[]> {
  const id = async (invoice: string) => {
    const filter = ['--invoice', invoice, '--code', 'invoice-cod-total', '--json'];
    const { stdout } = await team.run(ledger, 'mismatch', 'list', ...filter);
    return (JSON.parse(stdout) as { mismatches: { id: string }[] }).mismatches[0]!.id;
  };
  return Promise.all(command.map((word) => (/^\{\d+\}$/.test(word) ? id(word.slice(1, -1)) : word)));
}

/** What was decided, without the evidence that holds it: what came through though its answer did not is there twice. */
function decided({ code, stdout }: { code: number; stdout: string }): unknown {
  const LEARNT = /chain|evidence|^id$|^close$|^not_checked$/;
  return [
    code,
    JSON.parse(stdout, (key, value) => {
      if (LEARNT.test(key)) return undefined;
      if (value?.kind === 'import') return { ...value, subject: '', subject_text: '' };
      return key === 'closes' ? (value as unknown[]).slice(-1) : value;
    }),
  ];
}

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
  for (const made of ['totals.json', 'statement.xlsx', 'copy.db', 'tables', 'claim.csv', 'pack', 'j.journal']) {
    if (existsSync(path.join(folder, made))) rmSync(path.join(folder, made), { recursive: true, force: true });
  }
}
