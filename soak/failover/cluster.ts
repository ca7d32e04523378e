import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPrograms, freePort, ordinaryUser, processesOf } from '../../test/helpers/postgres-server.ts';
import type { Stage } from './stage.ts';

const SECRET = 'the-secret-of-the-cluster';
const OWNER = 'remit_owner';
/** How long a leader that says nothing keeps its key. */
const TTL_SECONDS = 8;

const BLOWS = [
  'the leader killed',
  'the leader frozen',
  'the leader switched over',
  'the leader killed without its Patroni',
] as const;

interface Member {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  patroni: ChildProcess;
}

interface Seen {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Three PostgreSQL servers that replicate synchronously, led by Patroni, with their agreement kept in etcd. */
export class Cluster implements Stage {
  readonly blows = BLOWS;
  readonly secret = SECRET;
  readonly settings = '';
  readonly #members: Member[];
  readonly #etcd: ChildProcess;

  private constructor(etcd: ChildProcess, members: Member[]) {
    this.#etcd = etcd;
    this.#members = members;
  }

  /** @throws Error where it does not come up */
  static async start(folder: string): Promise<Cluster> {
    const [client, peer] = [await freePort(), await freePort()];
    const [clientUrl, peerUrl] = [client, peer].map((port) => `http://127.0.0.1:${port}`) as [string, string];
    const store = place(folder, 'etcd');
    // By its second interface: with the third, Patroni 3.0.2 lets a leader that was frozen take its key back.
    const etcd = start(store, 'etcd', [
      '--enable-v2',
      ...['--name', 'one', '--data-dir', path.join(store, 'data'), '--log-level', 'error'],
      ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `one=${peerUrl}`],
    ]);
    const cluster = new Cluster(etcd, []);
    try {
      for (const name of ['a', 'b', 'c']) {
        const own = place(folder, name);
        const [port, restPort] = [await freePort(), await freePort()];
        writeFileSync(path.join(own, 'patroni.yml'), settings(name, own, { port, restPort, etcd: client }));
        cluster.#members.push({ name, folder: own, port, restPort, patroni: patroniOf(own) });
        if (name === 'a') await cluster.#until('has a leader', async () => (await cluster.#leader()) !== null);
      }
      await cluster.untilWhole();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The address with all hosts, whoever leads. */
  url(database: string, schema = 'remit'): string {
    const hosts = this.#members.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgresql://${OWNER}:${SECRET}@${hosts}/${database}?schema=${schema}`;
  }

  async directUrl(database: string): Promise<string> {
    const leader = await this.#leader();
    if (leader === null) throw new Error('the cluster has no leader');
    return `postgresql://${OWNER}:${SECRET}@127.0.0.1:${leader.port}/${database}?schema=remit`;
  }

  async strike(blow: (typeof BLOWS)[number]): Promise<void> {
    const leader = await this.#leader();
    if (leader === null) throw new Error('there is no leader to strike');
    const servers = processesOf({ port: leader.port, pid: postmasterOf(leader) });
    const patroni = leader.patroni.pid!;
    if (blow === 'the leader killed') {
      signal([patroni, ...servers], 'SIGKILL');
      await sleep((TTL_SECONDS + 4) * 1_000);
      leader.patroni = patroniOf(leader.folder);
    } else if (blow === 'the leader frozen') {
      signal([patroni, ...servers], 'SIGSTOP');
      await sleep((TTL_SECONDS + 12) * 1_000);
      signal([patroni, ...servers], 'SIGCONT');
    } else if (blow === 'the leader switched over') {
      await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name }),
        headers: { 'content-type': 'application/json' },
      });
    } else {
      signal(servers, 'SIGKILL');
    }
  }

  /** Waits until there is a leader, and two others that follow it, one of them synchronously. */
  async untilWhole(): Promise<void> {
    await this.#until('is whole', async () => {
      const seen = await this.#seen();
      const follow = seen.filter(({ role, state }) => role !== 'leader' && /running|streaming/.test(state));
      return (
        seen.some(({ role, state }) => role === 'leader' && state === 'running') &&
        follow.length === this.#members.length - 1 &&
        follow.some(({ role }) => role === 'sync_standby')
      );
    });
  }

  async stop(): Promise<void> {
    for (const member of this.#members) {
      const servers = processesOf({ port: member.port, pid: postmasterOf(member) });
      signal([member.patroni.pid!, ...servers], 'SIGKILL');
    }
    this.#etcd.kill('SIGKILL');
    await sleep(500);
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 90_000; !(await isSo()); await sleep(250)) {
      if (Date.now() > end) throw new Error(`no cluster that ${what}: ${JSON.stringify(await this.#seen())}`);
    }
  }

  async #leader(): Promise<Member | null> {
    const name = (await this.#seen()).find(({ role, state }) => role === 'leader' && state === 'running')?.name;
    return this.#members.find((member) => member.name === name) ?? null;
  }

  /** The members as one of them that answers sees them. */
  async #seen(): Promise<readonly Seen[]> {
    for (const { restPort } of this.#members) {
      try {
        const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
        return ((await answer.json()) as { members?: Seen[] }).members ?? [];
      } catch {}
    }
    return [];
  }
}

function settings(name: string, folder: string, ports: { port: number; restPort: number; etcd: number }): string {
  const [server, rest] = [`127.0.0.1:${ports.port}`, `127.0.0.1:${ports.restPort}`];
  // JSON is YAML.
  return JSON.stringify({
    scope: 'books',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd: { host: `127.0.0.1:${ports.etcd}` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 40, shared_buffers: '32MB' } },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: server,
      connect_address: server,
      data_dir: path.join(folder, 'data'),
      bin_dir: path.dirname(realpathSync(path.join(findPrograms()!, 'postgres'))),
      pgpass: path.join(folder, 'pgpass'),
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
      authentication: {
        superuser: { username: OWNER, password: SECRET },
        replication: { username: 'replicator', password: SECRET },
      },
      parameters: { unix_socket_directories: folder },
    },
  });
}

function place(folder: string, name: string): string {
  const own = path.join(folder, name);
  mkdirSync(own);
  const user = ordinaryUser();
  if ('uid' in user) chownSync(own, user.uid, user.gid);
  return own;
}

const patroniOf = (folder: string) => start(folder, 'patroni', [path.join(folder, 'patroni.yml')]);

function start(folder: string, program: string, args: readonly string[]): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: folder };
  return spawn(program, args, { cwd: folder, stdio: 'ignore', env, ...ordinaryUser() });
}

/** -1, which no process has, where there is none. */
function postmasterOf({ folder }: Member): number {
  try {
    return Number(readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return -1;
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    if (pid <= 1) continue;
    try {
      process.kill(pid, name);
    } catch {}
  }
}
