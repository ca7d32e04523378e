import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres } from '../../helpers/postgres.ts';
import {
  asOwner,
  freePort,
  killServer,
  makeServer,
  ordinaryUser,
  PASSWORD,
  processesOf,
  send,
  startServer,
} from '../../helpers/postgres-server.ts';
import { bringAll, startTeam } from '../../helpers/team.ts';

describe.skipIf(!hasPostgres)('a ledger on several hosts', () => {
  it('is written at the one that takes writes; a frozen server ends the command; a copy is read when no server takes writes', async () => {
    const team = await startTeam();
    const [first, second] = [scratchFolder(), scratchFolder()];
    const primary = await makeServer(first, { wal_level: 'replica' });
    await asOwner(primary.port, 'postgres', (client) => client.query('create database books'));
    mkdirSync(path.join(second, 'home'));
    const user = ordinaryUser();
    if ('uid' in user) for (const each of [second, path.join(second, 'home')]) chownSync(each, user.uid, user.gid);
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'remit_owner', '-D', path.join(second, 'data')];
    execFileSync('pg_basebackup', [...from, '-R', '-c', 'fast', '-X', 'stream'], {
      env: { ...process.env, PGPASSWORD: PASSWORD },
      cwd: second,
      ...user,
    });
    const standby = await startServer(second, await freePort());
    const hosts = [await freePort(), standby.port, primary.port].map((port) => `127.0.0.1:${port}`);
    const url = `postgresql://remit_owner:${encodeURIComponent(PASSWORD)}@${hosts.join(',')}/books`;
    onTestFinished(async () => {
      await team.courier.close();
      for (const server of [primary, standby]) await killServer(server);
    });
    await bringAll(team, url);
    expect(await team.run(url, 'check', '--quiet')).toMatchObject({ code: 3 });
    expect(await team.run(url, 'doctor')).toMatchObject({ stdout: expect.stringContaining('answers in') });

    team.courier.world.invoices[0]!.status = 'PAID';
    const sendAll = (signal: NodeJS.Signals) => {
      for (const pid of processesOf(primary)) send(pid, signal);
    };
    const sync = team.run(url, 'sync', '2026-10', '--quiet');
    sendAll('SIGSTOP');
    const { code, stderr } = await sync;
    sendAll('SIGCONT');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^remit: [^\n]*127\.0\.0\.1[^\n]*\n {2}→ [^\n]*\n$/)]);
    expect(await team.run(url, 'sync', '2026-10', '--quiet')).toMatchObject({ code: 0 });
    expect(await team.run(url, 'verify', '--quiet')).toMatchObject({ code: 0 });

    const before = await team.run(url, 'report', 'totals', '--json');
    await killServer(primary);
    const after = await team.run(url, 'report', 'totals', '--json');
    const rowsOf = ({ stdout }: typeof before) => (JSON.parse(stdout) as { rows: object[] }).rows;
    expect([after.code, rowsOf(after)]).toEqual([0, rowsOf(before)]);
    // Verify makes a ledger to compare with: that it cannot says nothing of this one.
    for (const argv of [['sync', '2026-10', '--quiet'], ['verify']]) {
      const late = await team.run(url, ...argv);
      expect([late.code, late.stdout, late.stderr]).toEqual([
        1,
        '',
        expect.stringContaining('takes writes: those that answer are read-only copies'),
      ]);
    }
  });
});
