import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startFleet } from '../../helpers/fleet.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

describe.skipIf(!hasPostgres)('a fleet whose nights are jobs of a database', () => {
  it('has the night of every merchant, whoever of its workers is killed; each reason is told', {
    timeout: 120_000,
  }, async () => {
    const folder = scratchFolder();
    const [queue, cell] = [
      await newDatabase({ create: 'template template0' }),
      await newDatabase({ create: 'template template0' }),
    ];
    const address = ({ url }: { url: string }) => JSON.stringify(url.replace('?schema=remit', ''));
    const settings = `database = ${address(queue)}\n[cells.a]\nledger = ${address(cell)}\n[cells.small]\nfolder = "ledgers"\n`;
    const { folder: fleet, merchants, json, report, add } = await startFleet(folder, settings);
    const names = ['m001', 'm002', 'm003', 'm004'];
    for (const [at, name] of names.entries()) await add(name, merchants[at % 2]!, { cell: at < 2 ? 'a' : 'small' });
    await add(
      'dead',
      { url: 'http://127.0.0.1:9/v1/external/', key: 'never-looked-at' },
      { settings: 'max_attempts = 1\n' },
    );
    await add('wrong', { url: merchants[0]!.url, key: 'no-key-of-theirs' });

    const work = () => {
      const args = [
        path.resolve('dist/bin/main.js'),
        '-C',
        fleet,
        'fleet',
        'night',
        '--jobs',
        '2',
        '--limit',
        '60',
        '--quiet',
      ];
      const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, TZ: 'UTC' } });
      return { child, ended: new Promise<number | null>((resolve) => child.on('close', resolve)) };
    };
    const [victim, other] = [work(), work()];
    for (let waited = 0; waited < 200; waited += 1) {
      const held = await queue.query('select 1 from graphile_worker.jobs where locked_by is not null').catch(() => []);
      if (held.length > 1) break;
      await sleep(50);
    }
    victim.child.kill('SIGKILL');
    // The worst merchant's.
    expect(await other.ended).toBe(1);

    type Status = {
      merchant: string;
      cell: string;
      exit_code: number;
      reason: string | null;
      last_good_sync: string | null;
    };
    const { merchants: status } = await json<{ merchants: Status[] }>('status');
    // The worst first.
    expect(
      status
        .slice(0, 2)
        .map(({ merchant }) => merchant)
        .sort(),
    ).toEqual(['dead', 'wrong']);
    expect(status.find(({ merchant }) => merchant === 'dead')).toMatchObject({
      exit_code: 1,
      reason: expect.stringContaining('refuses connections'),
      last_good_sync: null,
    });
    expect(status.find(({ merchant }) => merchant === 'wrong')).toMatchObject({
      exit_code: 1,
      reason: expect.stringContaining('refused the API key'),
    });
    for (const { exit_code, reason } of status.slice(2))
      expect([exit_code === 0 || exit_code === 3, reason]).toEqual([true, null]);
    const nights = await queue.query<{ merchant: string; attempts: number; done: number }>(
      'select merchant, count(*)::integer as attempts, sum(is_done)::integer as done from fleet.night group by merchant order by merchant',
    );
    expect(nights.map(({ merchant, done }) => [merchant, done])).toEqual([
      ['dead', 0],
      ...names.map((name) => [name, 1]),
      ['wrong', 0],
    ]);
    // The first time, and three times again.
    expect(nights.find(({ merchant }) => merchant === 'dead')!.attempts).toBe(4);
    expect(await queue.query('select 1 from graphile_worker.jobs where locked_by is not null')).toEqual([]);

    await json('lake');
    const { rows } = await json<{ rows: Record<string, unknown>[] }>('query', 'totals');
    for (const name of ['m001', 'm003']) {
      const own = await report(name, 'totals');
      const ofLake = rows.filter(({ merchant }) => merchant === name);
      expect(ofLake.map(({ net_due_to_merchant }) => net_due_to_merchant)).toEqual(
        own.map((row) => row.net_due_to_merchant),
      );
      expect(ofLake.length).toBeGreaterThan(1);
    }
    const moved = await json<{ to: string }>('move', 'm001', '--to', 'small');
    expect(moved.to).toContain('m001.db');
    expect(await report('m001', 'totals')).toHaveLength(rows.filter(({ merchant }) => merchant === 'm001').length);
    expect(await cell.query("select 1 from pg_namespace where nspname = 'm001'")).toHaveLength(1);
    await json('drop', 'm001', '--cell', 'a', '--yes');
    expect(await cell.query("select 1 from pg_namespace where nspname = 'm001'")).toEqual([]);
  });
});
