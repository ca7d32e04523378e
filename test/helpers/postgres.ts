/** The run's PostgreSQL server for the tests: one a run, a database of its own for each test. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { placeOf, type ServerPlace } from '../../src/base/place.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import { asOwner, makeServer, type Server, urlOf } from './postgres-server.ts';
import { FOLDER } from './postgres-setup.ts';

export { PASSWORD } from './postgres-server.ts';

/** Whether there is a server to test with: `describe.skipIf(!hasPostgres)`. */
export const hasPostgres = process.env[FOLDER] !== undefined;

/** The run's folder: what is made in it is stopped and removed when the run ends. */
export function runFolder(): string {
  return process.env[FOLDER]!;
}

let running: Promise<Server> | undefined;

/** The run's server, made by whoever needs it first. */
function server(): Promise<Server> {
  running ??= findOrMake(runFolder());
  return running;
}

async function findOrMake(folder: string): Promise<Server> {
  const ready = path.join(folder, 'ready.json');
  let isFirst = true;
  try {
    closeSync(openSync(path.join(folder, 'begun'), 'wx'));
  } catch {
    isFirst = false;
  }
  if (isFirst) {
    const made = await makeServer(folder, { synchronous_commit: 'off', full_page_writes: 'off' });
    await makeTemplate(made);
    writeFileSync(`${ready}.tmp`, JSON.stringify(made));
    renameSync(`${ready}.tmp`, ready);
    return made;
  }
  for (let waited = 0; waited < 1_200 && !existsSync(ready); waited += 1) await sleep(50);
  return JSON.parse(readFileSync(ready, 'utf8')) as Server;
}

/** An empty ledger, of which each test's is a copy: quicker than the migrations. */
async function makeTemplate({ port }: Server): Promise<void> {
  await asOwner(port, 'postgres', (client) => client.query('create database remit_template template template0'));
  await usingLedger(placeOf(urlOf(port, 'remit_template')), { create: true }, async () => {});
}

export interface TestDatabase {
  readonly name: string;
  /** The ledger's address, password and all. */
  readonly url: string;
  readonly place: ServerPlace;
  /** The address for another user, with the same password. */
  urlFor(user: string): string;
  /** Runs a statement as the owner of everything. */
  query<T = Record<string, unknown>>(text: string): Promise<T[]>;
}

let count = 0;

/**
 * A database for one test, dropped after it.
 *
 * @param options `create`: how it is made where it is no copy of the template, which holds an empty ledger
 */
export async function newDatabase(options: { create?: string } = {}): Promise<TestDatabase> {
  const { port } = await server();
  count += 1;
  const name = `t${process.pid}_${count}`;
  await makeDatabase(port, `create database ${name} ${options.create ?? 'template remit_template'}`);
  onTestFinished(async () => {
    await asOwner(port, 'postgres', (client) => client.query(`drop database ${name} with (force)`));
  });
  const url = urlOf(port, name);
  return {
    name,
    url,
    place: placeOf(url) as ServerPlace,
    urlFor: (user) => urlOf(port, name, { user }),
    query: (text) => asOwner(port, name, async (client) => (await client.query(text)).rows),
  };
}

/** A template cannot be copied while somebody else does. */
async function makeDatabase(port: number, statement: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await asOwner(port, 'postgres', (client) => client.query(statement));
      return;
    } catch (error) {
      if (attempt >= 40 || (error as { code?: string }).code !== '55006') throw error;
      await sleep(50);
    }
  }
}

/** A database that sorts text by the rules of a language, where a C database sorts by code point. */
export const ICU = `template template0 encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' locale 'C'`;
