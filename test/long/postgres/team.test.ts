import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../../../src/base/place.ts';
import { copyLedger } from '../../../src/ledger/copy.ts';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase, PASSWORD, type TestDatabase } from '../../helpers/postgres.ts';
import { startRemit } from '../../helpers/remit.ts';
import { dumpLedger } from '../../helpers/sync.ts';

const INVOICES = 30;
/** How often all work at once; more by `REMIT_TEAM_ROUNDS=20`. */
const ROUNDS = Number(process.env.REMIT_TEAM_ROUNDS ?? 1);

/** Every third invoice states a dollar too much. */
function invoices() {
  return Array.from({ length: INVOICES }, (_, index) => {
    const number = index + 1;
    const rows = [1, 2].map((row) => ({
      order_id: `O${number}-${row}`,
      cod: [['USD', '25.00']] as [string, string][],
      delivery_fee: [['USD', '3.00']] as [string, string][],
    }));
    const wrong = number % 3 === 0 ? { cod: [['USD', '51.00']] as [string, string][] } : {};
    return invoiceOf(number, '2026-10-05T09:00:00Z', rows, wrong);
  });
}

let courier: FakeCourier;
beforeEach(async () => {
  courier = await startFakeCourier({ invoices: invoices() });
});
afterEach(() => courier.close());

const environment = (ledger: string) => ({ REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: ledger });
const run = async (ledger: string, ...argv: string[]) => {
  const outcome = await remit(argv, { cwd: scratchFolder(), env: environment(ledger) });
  expect(outcome.stdout + outcome.stderr).not.toContain(PASSWORD);
  return outcome;
};

async function expectSound(ledger: string): Promise<void> {
  const { stdout } = await run(ledger, 'verify', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: [] });
}

/** What a ledger says, however it came to it. */
async function contentOf(place: Place): Promise<Record<string, unknown[]>> {
  const file = path.join(scratchFolder(), 'copy.db');
  await copyLedger(place, { kind: 'file', file });
  return dumpLedger(file);
}

describe.skipIf(!hasPostgres)('a team on PostgreSQL', () => {
  it('has four roles, each with its rights and no more', { timeout: 120_000 }, async () => {
    const { url, urlFor, query, name } = await newDatabase();
    const grants = await run(url, 'ledger', 'grants');
    expect(grants.code).toBe(0);
    // It may be run again and again.
    for (let time = 0; time < 2; time += 1) await query(grants.stdout);
    const user = async (role: string): Promise<string> => {
      await query(`create role ${role}_${name} login password '${PASSWORD}' in role remit_${role}`);
      return urlFor(`${role}_${name}`);
    };
    const [syncer, clerk, reader] = [await user('syncer'), await user('clerk'), await user('reader')];
    const refuses = async (as: string, statement: string) =>
      expect(query(`set role ${as}_${name}; ${statement}`)).rejects.toThrow(/permission denied|is append-only/);

    expect((await run(syncer, 'sync', '2026-10')).code).toBe(0);
    await refuses('syncer', "update remit.evidence set subject = 'x'");
    await refuses('syncer', 'truncate remit.evidence_part');
    expect((await run(clerk, 'check', '2026-10')).code).toBe(3);
    const { stdout } = await run(clerk, 'report', 'mismatches', '2026-10', '--json');
    const [first] = (JSON.parse(stdout) as { rows: { id: string }[] }).rows;
    expect((await run(clerk, 'mismatch', 'ack', first!.id, '--by', 'Rana', '--note', 'asked', '--yes')).code).toBe(0);
    // All that is wrong in this month makes up for itself: there is nothing to claim.
    expect((await run(clerk, 'dispute', first!.id, '--by', 'Rana')).code).toBe(1);
    await refuses('clerk', 'delete from remit.claim_event');
    await refuses('clerk', 'delete from remit.invoice');
    await refuses('clerk', 'delete from remit.mismatch_event');
    const sync = await run(clerk, 'sync', '2026-10');
    expect([sync.code, sync.stderr]).toEqual([1, expect.stringContaining('`remit ledger grants`')]);

    expect((await run(reader, 'report', 'totals', '2026-10')).code).toBe(0);
    await expectSound(reader);
    const check = await run(reader, 'check', '2026-10');
    expect([check.code, check.stderr]).toEqual([1, expect.stringContaining('lacks a right')]);
    await refuses('reader', "insert into remit.chain values (2, 0, '')");
    await query(
      ['syncer', 'clerk', 'reader']
        .map((role) => `drop owned by ${role}_${name}; drop role ${role}_${name};`)
        .join(' '),
    );
  });

  it(`syncs, reads and decides at once, ${ROUNDS} times, and all of it ends right`, {
    timeout: 60_000 + ROUNDS * 60_000,
  }, async () => {
    const { url } = await newDatabase();
    expect((await run(url, 'sync', '2026-10')).code).toBe(0);
    expect((await run(url, 'check', '2026-10')).code).toBe(3);
    const { stdout } = await run(url, 'report', 'mismatches', '2026-10', '--json');
    const ids = (JSON.parse(stdout) as { rows: { id: string }[] }).rows.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(6);
    // Two who decide the same, each in an order of its own: whoever is second hears of the first.
    const decide = async (by: string, order: readonly string[]) => {
      const outcomes = [];
      for (const id of order) {
        outcomes.push(await run(url, 'mismatch', 'ack', id, '--by', by, '--note', `asked by ${by}`, '--yes'));
      }
      return outcomes;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      courier.world.invoices.push(invoiceOf(99 + round, '2026-10-20T09:00:00Z', []));
      const chosen = round === 0 ? ids.slice(0, 6) : [];
      const [syncs, reads, checked, rana, omar] = await Promise.all([
        // Processes of their own, as on four machines.
        Promise.all(
          [1, 2, 3, 4].map(() => startRemit(['sync', '2026-10', '--full', '--quiet'], environment(url)).ended),
        ),
        Promise.all([
          run(url, 'report', 'totals', '2026-10', '--json'),
          run(url, 'report', 'mismatches', '2026-10'),
          run(url, 'report', 'orders', '2026-10'),
          run(url, 'changes'),
          run(url, 'verify', '--json'),
          run(url, 'report', 'ageing'),
        ]),
        run(url, 'check', '2026-10'),
        decide('Rana', chosen),
        decide('Omar', [...chosen].reverse()),
      ]);
      // One at a time: whoever finds another at work gives way, and whoever comes when that has ended goes on.
      const codes = syncs.map(({ code }) => code);
      expect([codes.filter((code) => code === 0 || code === 4).length, codes.includes(0)]).toEqual([4, true]);
      for (const { code, stderr } of syncs) {
        expect(stderr).toMatch(code === 0 ? /^$/ : /^remit: a sync is at work on [^\n]+\n {2}→ [^\n]+\n$/);
      }
      expect(reads.map(({ code, stderr }) => [code, stderr])).toEqual(reads.map(() => [0, expect.any(String)]));
      expect(JSON.parse(reads[4]!.stdout)).toMatchObject({ ok: true, problems: [] });
      expect(checked.code).toBe(3);
      expect([...rana, ...omar].map(({ code }) => code)).toEqual([...rana, ...omar].map(() => 0));
    }
    expect(JSON.parse((await run(url, 'verify', '--deep', '--json')).stdout)).toMatchObject({ ok: true, problems: [] });
    const rows = JSON.parse((await run(url, 'report', 'mismatches', '2026-10', '--json')).stdout).rows as {
      id: string;
      status: string;
    }[];
    for (const id of ids.slice(0, 6)) {
      expect(rows.find((row) => row.id === id)?.status).toBe('acknowledged');
    }
    // The figures are those of a ledger that nobody else ever used.
    const alone = await newDatabase();
    expect((await run(alone.url, 'sync', '2026-10')).code).toBe(0);
    for (const report of ['totals', 'invoices', 'orders']) {
      const [shared, right] = [url, alone.url].map((ledger) =>
        run(ledger, 'report', report, '2026-10', '--format', 'csv'),
      );
      expect((await shared!).stdout).toBe((await right!).stdout);
    }
  });

  it('goes on where a sync was killed, as if it had never been', { timeout: 120_000 }, async () => {
    const [killed, clean]: TestDatabase[] = [await newDatabase(), await newDatabase()];
    for (const after of [3, 17]) {
      const { child, ended } = startRemit(['sync', '2026-10', '--full', '--quiet'], environment(killed!.url));
      const from = courier.requests.length;
      for (let waited = 0; waited < 2_000 && courier.requests.length - from < after; waited += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      child.kill('SIGKILL');
      await ended;
      await expectSound(killed!.url);
    }
    // The server frees the lock of who died.
    expect((await run(killed!.url, 'sync', '2026-10')).code).toBe(0);
    expect((await run(clean!.url, 'sync', '2026-10')).code).toBe(0);
    await expectSound(killed!.url);
    expect(await contentOf(killed!.place)).toEqual(await contentOf(clean!.place));
  });
});
