/** A real PgBouncer in transaction mode before a test's database. */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestDatabase } from './postgres.ts';
import { freePort, ordinaryUser, PASSWORD } from './postgres-server.ts';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** Few connections behind many clients: each statement may run on another one than the last. @returns the ledger's address by way of it */
export async function behindPgBouncer({ url, place }: TestDatabase): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-test-'));
  const user = ordinaryUser();
  const port = await freePort();
  const [ini, users] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')];
  writeFileSync(users, `"${place.user}" "${PASSWORD}"\n`);
  writeFileSync(
    ini,
    `[databases]
* = host=127.0.0.1 port=${place.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
`,
  );
  if ('uid' in user) for (const each of [folder, ini, users]) chownSync(each, user.uid, user.gid);
  const child = spawn('pgbouncer', [ini], { stdio: 'ignore', cwd: folder, ...user });
  onTestFinished(() => void child.kill('SIGKILL'));
  const through = new URL(url);
  through.port = String(port);
  for (let waited = 0; ; waited += 1) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: place.user!,
      password: PASSWORD,
      database: place.database,
    });
    try {
      await client.connect();
      await client.end();
      return through.href;
    } catch (error) {
      if (waited > 100) throw error;
      await sleep(50);
    }
  }
}
