/** A real PgBouncer in transaction mode before a PostgreSQL server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOwner, freePort, OWNER, ordinaryUser, PASSWORD } from './postgres-server.ts';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** Few connections behind many clients: each statement may run on another one than the last. */
export class PgBouncer {
  readonly port: number;
  readonly #ini: string;
  #child: ChildProcess | null = null;

  private constructor(port: number, ini: string) {
    this.port = port;
    this.#ini = ini;
  }

  /** @param folder its files' */
  static async start(folder: string, serverPort: number): Promise<PgBouncer> {
    const port = await freePort();
    const [ini, users] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')];
    writeFileSync(users, `"${OWNER}" "${PASSWORD}"\n`);
    writeFileSync(
      ini,
      `[databases]
* = host=127.0.0.1 port=${serverPort}
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
    const user = ordinaryUser();
    if ('uid' in user) for (const each of [folder, ini, users]) chownSync(each, user.uid, user.gid);
    const bouncer = new PgBouncer(port, ini);
    await bouncer.startAgain();
    return bouncer;
  }

  async startAgain(): Promise<void> {
    this.#child = spawn('pgbouncer', [this.#ini], { stdio: 'ignore', cwd: path.dirname(this.#ini), ...ordinaryUser() });
    for (let waited = 0; ; waited += 1) {
      try {
        await asOwner(this.port, 'postgres', async () => {});
        return;
      } catch (error) {
        if (waited > 100) throw error;
        await sleep(50);
      }
    }
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}
