import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PgBouncer } from '../../test/helpers/pgbouncer.ts';
import {
  asOwner,
  findPrograms,
  killServer,
  makeServer,
  PASSWORD,
  type Server,
  urlOf,
} from '../../test/helpers/postgres-server.ts';
import type { Stage, Struck } from './stage.ts';

const BLOWS = ['the client killed', 'PgBouncer killed', 'the back ends ended', 'the client frozen'] as const;

/** A PostgreSQL server behind a PgBouncer that pools transactions. */
export class Bounced implements Stage {
  readonly blows = BLOWS;
  readonly secret = PASSWORD;
  readonly settings = 'ledger_lock = "lease"\n';
  readonly #server: Server;
  readonly #bouncer: PgBouncer;

  private constructor(server: Server, bouncer: PgBouncer) {
    this.#server = server;
    this.#bouncer = bouncer;
  }

  /** @throws Error where it does not come up */
  static async start(folder: string): Promise<Bounced> {
    if (findPrograms() === null) throw new Error('no PostgreSQL server is installed here (initdb was not found)');
    const [data, pool] = [path.join(folder, 'server'), path.join(folder, 'pool')];
    for (const each of [data, pool]) mkdirSync(each);
    const server = await makeServer(data);
    return new Bounced(server, await PgBouncer.start(pool, server.port));
  }

  url(database: string, schema = 'remit'): string {
    return urlOf(this.#bouncer.port, database, { schema });
  }

  async directUrl(database: string): Promise<string> {
    return urlOf(this.#server.port, database);
  }

  async strike(blow: (typeof BLOWS)[number], { commands, work }: Struck): Promise<void> {
    if (blow === 'PgBouncer killed') {
      this.#bouncer.kill();
      await sleep(1_000);
      await this.#bouncer.startAgain();
    } else if (blow === 'the back ends ended') {
      await this.#ask(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'books' and pid <> pg_backend_pid()",
      );
    } else if (blow === 'the client killed') {
      for (const each of commands) each.kill('SIGKILL');
    } else {
      for (const each of commands) each.kill('SIGSTOP');
      await this.untilWhole();
      await work();
      for (const each of commands) each.kill('SIGCONT');
    }
  }

  /** Waits until no lease is held: whoever took one may be dead or frozen. */
  async untilWhole(): Promise<void> {
    const isHeld = "select 1 from remit.remit_lease where purpose = 'work' and until >= now()";
    while ((await this.#ask(isHeld)).length > 0) await sleep(250);
  }

  async stop(): Promise<void> {
    this.#bouncer.kill();
    await killServer(this.#server);
  }

  #ask(statement: string): Promise<readonly unknown[]> {
    return asOwner(this.#server.port, 'books', async (client) => (await client.query(statement)).rows);
  }
}
