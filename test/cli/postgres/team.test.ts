import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyLedger } from '../../../src/ledger/copy.ts';
import type { Place } from '../../../src/place.ts';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase, PASSWORD, type TestDatabase } from '../../helpers/postgres.ts';
import { startRemit } from '../../helpers/remit.ts';
import { dumpLedger } from '../../helpers/sync.ts';

const INVOICES = 30;

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

  it('syncs, reads and decides at once, and all of it ends right', { timeout: 120_000 }, async () => {
    const { url } = await newDatabase();
    expect((await run(url, 'sync', '2026-10')).code).toBe(0);
    expect((await run(url, 'check', '2026-10')).code).toBe(3);
    const { stdout } = await run(url, 'report', 'mismatches', '2026-10', '--json');
    const ids = (JSON.parse(stdout) as { rows: { id: string }[] }).rows.map(({ id }) => id);
    courier.world.invoices.push(invoiceOf(99, '2026-10-20T09:00:00Z', []));
    const outcomes = await Promise.all([
      run(url, 'sync', '2026-10', '--full'),
      run(url, 'sync', '2026-10', '--full'),
      run(url, 'report', 'totals', '2026-10'),
      run(url, 'report', 'mismatches', '2026-10'),
      run(url, 'check', '2026-10'),
      ...ids
        .slice(0, 6)
        .map((id, index) =>
          run(url, 'mismatch', 'ack', id, '--by', index % 2 ? 'Rana' : 'Omar', '--note', 'asked', '--yes'),
        ),
    ]);
    const codes = outcomes.map(({ code }) => code);
    // Two syncs: one waits for nobody and gives way, or comes when the other has ended.
    expect([
      [0, 4],
      [4, 0],
      [0, 0],
    ]).toContainEqual(codes.slice(0, 2));
    expect(codes.slice(2, 4)).toEqual([0, 0]);
    expect(codes[4]).toBe(3);
    expect(outcomes.slice(5).map(({ code, stderr }) => [code, stderr])).toEqual(
      ids.slice(0, 6).map(() => [0, expect.any(String)]),
    );
    await expectSound(url);
    const after = JSON.parse((await run(url, 'report', 'mismatches', '2026-10', '--json')).stdout) as {
      rows: { id: string; status: string }[];
    };
    for (const id of ids.slice(0, 6)) expect(after.rows.find((row) => row.id === id)?.status).toBe('acknowledged');
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
