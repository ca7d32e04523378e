import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { remit } from '../../helpers/cli.ts';
import { duckdb, hasDuckDb } from '../../helpers/duckdb.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

const MERCHANTS = Number(process.env.REMIT_FLEET ?? 4);

interface Merchant {
  readonly name: string;
  readonly url: string;
  readonly key: string;
}

/** Merchants of made-up services, two a service. */
async function makeMerchants(folder: string, count: number): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  for (let seed = 1; merchants.length < count; seed += 1) {
    const file = path.join(folder, `service-${seed}.db`);
    const args = ['--data', file, '--months', '2026-09..2026-10', '--orders', '30', '--seed', String(seed), '--json'];
    const { stdout } = await remit(['sandbox', 'seed', ...args], { cwd: folder });
    const seeded = JSON.parse(stdout) as { merchants: { key: string }[] };
    const sandbox = await startSandbox({ file, port: 0, host: '127.0.0.1', results: 'flat' });
    onTestFinished(() => sandbox.close());
    for (const [at, { key }] of seeded.merchants.entries())
      merchants.push({ name: `m${String(seed).padStart(3, '0')}-${at}`, url: sandbox.url, key });
  }
  return merchants.slice(0, count);
}

/** A service that takes connections and never answers. */
async function startSilentService(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address() as { port: number };
  return `http://127.0.0.1:${address.port}/v1/external/`;
}

/** A books folder whose ledger is a schema of the fleet's database. */
function makeBooks(folder: string, { name, url, key }: Merchant, ledger: string): void {
  const books = path.join(folder, name);
  mkdirSync(books, { recursive: true });
  writeFileSync(path.join(books, 'api-key'), key, { mode: 0o600 });
  const address = new URL(ledger);
  address.searchParams.set('schema', name.replace('-', '_'));
  const settings = { api_url: url, api_key_file: 'api-key', ledger: address.href, time_zone: 'UTC' };
  const lines = Object.entries(settings).map(([setting, value]) => `${setting} = ${JSON.stringify(value)}\n`);
  writeFileSync(path.join(books, 'remit.toml'), lines.join(''));
}

/** The query of docs/fleet.md that reads from something. */
function documentedQuery(source: string): string {
  const queries = readFileSync(path.resolve('docs/fleet.md'), 'utf8').matchAll(/```sql\n(select.*?);\n```/gs);
  return [...queries].map(([, query]) => query!).find((query) => query.includes(source))!;
}

describe.skipIf(!hasPostgres)('a fleet of merchants', () => {
  it('has its night as jobs of one database; one that hangs or fails stops no other', {
    timeout: 3_000_000,
  }, async () => {
    const folder = scratchFolder();
    const { url } = await newDatabase();
    const books = path.join(folder, 'books');
    const merchants = await makeMerchants(folder, MERCHANTS);
    const hanging = { name: 'hanging', url: await startSilentService(), key: 'never-looked-at' };
    const failing = { name: 'failing', url: 'http://127.0.0.1:9/v1/external/', key: 'never-looked-at' };
    for (const merchant of [hanging, failing, ...merchants]) makeBooks(books, merchant, url);

    // The example as it is, with what `npm install` would bring, and `remit` on its PATH.
    const fleet = path.join(folder, 'fleet');
    cpSync(path.resolve('examples/fleet'), fleet, { recursive: true });
    symlinkSync(path.resolve('node_modules'), path.join(fleet, 'node_modules'));
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    const shim = `#!/bin/sh\nexec "${process.execPath}" "${path.resolve('dist/bin/main.js')}" "$@"\n`;
    writeFileSync(path.join(bin, 'remit'), shim, { mode: 0o755 });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(readFileSync(path.join(fleet, 'schema.sql'), 'utf8'));

    const worker = path.join(fleet, 'node_modules', 'graphile-worker', 'dist', 'cli.js');
    const work = () =>
      new Promise<number | null>((resolve) => {
        const env = {
          ...process.env,
          PATH: `${bin}${path.delimiter}${process.env.PATH}`,
          FLEET_BOOKS: books,
          FLEET_LIMIT_SECONDS: '20',
        };
        const args = [worker, '--once', '--connection', url, '--jobs', '3'];
        spawn(process.execPath, args, { cwd: fleet, env, stdio: 'ignore' }).on('close', resolve);
      });
    await work(); // makes its tables
    await client.query("select graphile_worker.add_job('nights')");
    expect(await work()).toBe(0);

    const { rows } = await client.query(
      'select merchant, exit_code, summary is not null as has_summary, stderr from fleet.last_night order by merchant',
    );
    const names = merchants.map(({ name }) => name);
    expect(rows.map(({ merchant }) => merchant)).toEqual(['failing', 'hanging', ...names].sort());
    for (const { merchant, exit_code, has_summary } of rows.filter((row) => names.includes(row.merchant)))
      expect({ merchant, has_summary, done: [0, 3].includes(exit_code) }).toEqual({
        merchant,
        has_summary: true,
        done: true,
      });
    expect(rows.find(({ merchant }) => merchant === 'failing').exit_code).toBe(1);
    expect(rows.find(({ merchant }) => merchant === 'hanging').stderr).toMatch(/^ended after \d+ s$/);
    // Both are tried again, three times at most; nothing else is left to do.
    const left = await client.query('select key, attempts from graphile_worker.jobs order by key');
    expect(left.rows.map(({ key }) => key)).toEqual(['night:failing', 'night:hanging']);
    for (const { attempts } of left.rows) expect(attempts).toBeLessThanOrEqual(3);

    // The morning's list names them, and one whose night was killed.
    await client.query("insert into fleet.night (merchant, attempt, stderr) values ('killed', 1, 'ended after 20 s')");
    const morning = await client.query(documentedQuery('fleet.last_night'));
    expect(morning.rows.map(({ merchant }) => merchant)).toEqual(
      expect.arrayContaining(['failing', 'hanging', 'killed']),
    );

    // A night of the fleet gives the figures that the merchant's own books give.
    const [first] = merchants;
    const env = { REMIT_API_URL: first!.url, REMIT_API_KEY: first!.key, REMIT_LEDGER: path.join(folder, 'own.db') };
    await remit(['night', '--quiet'], { cwd: folder, env });
    const totals = ['report', 'totals', '2026-10', '--format', 'csv'];
    const alone = await remit(totals, { cwd: folder, env });
    const inFleet = await remit(['-C', path.join(books, first!.name), ...totals], { cwd: folder });
    expect(alone.stdout.split('\n').length, alone.stderr).toBeGreaterThan(2);
    expect(inFleet.stdout).toBe(alone.stdout);

    // One lake of all ledgers: what DuckDB sums over it is what the reports say, merchant by merchant.
    if (!hasDuckDb) return;
    mkdirSync(path.join(folder, 'lake'));
    const figures: string[][] = [];
    for (const { name } of merchants) {
      const of = ['-C', path.join(books, name)];
      await remit([...of, 'export', 'parquet', path.join(folder, 'lake', `merchant=${name}`)], { cwd: folder });
      const { stdout } = await remit([...of, 'report', 'totals', '2026', '--format', 'json'], { cwd: folder });
      // A month without an invoice is in no row of the lake.
      for (const row of (JSON.parse(stdout) as { rows: Record<string, string>[] }).rows)
        if (Number(row.invoices) > 0)
          figures.push([name, row.period!, row.currency!, row.net_due_to_merchant!, row.outstanding!]);
    }
    const sums = duckdb(documentedQuery('read_parquet'), folder);
    expect(sums.map((row) => [...row.slice(0, 3), Number(row[3]).toFixed(2)])).toEqual(
      figures.map((row) => row.slice(0, 4)),
    );
  });
});
