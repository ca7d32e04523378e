import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it, onTestFinished } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { LAST_MONTH, startFleet } from '../../helpers/fleet.ts';
import { scratchFolder } from '../../helpers/folder.ts';

const TWO_FOLDERS = '[cells.a]\nfolder = "ledgers"\nmost = 2\n[cells.b]\nfolder = "more"\n';

it('a fleet begins with one cell of files, and refuses names that cannot be one', async () => {
  const cwd = scratchFolder();
  expect((await remit(['fleet', 'init', 'fleet', '--quiet'], { cwd })).code).toBe(0);
  expect((await remit(['fleet', 'init', 'fleet'], { cwd })).stderr).toContain('is there already');
  const add = (...words: string[]) => remit(['-C', 'fleet', 'fleet', 'add', ...words], { cwd });
  for (const name of ['../m', 'pg_m', 'public', 'a b', '']) expect((await add(name)).code, name).toBe(2);
  expect((await add('m001', '--cell', 'none')).stderr).toContain('there is no cell "none"');
  const added = await add('m001', '--json');
  expect(JSON.parse(added.stdout)).toMatchObject({ merchant: 'm001', cell: 'small' });
  expect((await add('M001')).stderr).toContain('the fleet has a merchant "m001" already');
  expect(readFileSync(path.join(cwd, 'fleet/books/m001/remit.toml'), 'utf8')).toMatch(
    /^ledger = "\.\.\/\.\.\/ledgers\/m001\.db"\n/,
  );
  const status = JSON.parse((await remit(['-C', 'fleet', 'fleet', 'status', '--json'], { cwd })).stdout);
  expect(status.merchants).toMatchObject([
    { merchant: 'm001', exit_code: null, reason: 'it had no night yet', last_good_sync: null },
  ]);
});

it('every merchant has its night, and the lake says what their own reports say', { timeout: 60_000 }, async () => {
  const { folder, merchants, fleet, json, report, add } = await startFleet(scratchFolder(), TWO_FOLDERS);
  const [one, two] = merchants;
  await add('m001', one!);
  await add('m002', two!);
  // The first cell is full.
  await add('third', one!, { settings: 'recheck_hours = 1\n' });
  expect(readFileSync(path.join(folder, 'fleet.toml'), 'utf8')).toContain(
    '[merchants.third]\nbooks = "books/third"\ncell = "b"\n',
  );

  const night = await json<Record<string, unknown>>('night', '--jobs', '3', '--quiet');
  expect(night).toMatchObject({ run: 1, done: 3, failed: [] });
  type Status = {
    merchant: string;
    not_compared: { code?: string }[];
    last_good_sync: string;
    oldest_open_month: string;
  };
  const { merchants: status } = await json<{ merchants: Status[] }>('status');
  expect(status.map(({ merchant }) => merchant).sort()).toEqual(['m001', 'm002', 'third']);
  for (const { last_good_sync, oldest_open_month, not_compared } of status) {
    expect(last_good_sync).not.toBeNull();
    expect(oldest_open_month).toMatch(/^20\d\d-/);
    // The order book was read: nothing lacks it.
    expect(not_compared.map(({ code }) => code)).not.toContain('delivered-not-invoiced');
  }

  expect((await fleet('query', 'totals')).stderr).toContain('there is no lake');
  const lake = await json<{ run: number; changed: { merchant: string }[] }>('lake');
  expect(lake.changed.map(({ merchant }) => merchant)).toEqual(['m001', 'm002', 'third']);
  expect(await json('lake')).toMatchObject({ run: 2, changed: [], unchanged: 3, failed: [] });
  expect(await json('lake', '--since', '0')).toMatchObject({ unchanged: 0 });

  for (const question of ['totals', 'mismatches', 'ageing', 'custody']) {
    const { rows } = await json<{ rows: Record<string, unknown>[] }>('query', question);
    for (const merchant of ['m001', 'm002', 'third']) {
      const own = rows.filter((row) => row.merchant === merchant).map(({ merchant: _, ...row }) => row);
      const names = Object.keys(own[0] ?? {});
      const theirs = (await report(merchant, question)).map((row) =>
        Object.fromEntries(names.map((name) => [name, row[name]])),
      );
      expect(own, `${question} of ${merchant}`).toEqual(theirs);
    }
  }
  const typed = await json<{ rows: unknown[] }>(
    'query',
    "select distinct typeof(issued_at) i, typeof(cod) c, month, merchant from invoices where merchant = 'm001' order by month",
  );
  expect(typed.rows).toContainEqual({ i: 'TIMESTAMP', c: 'DECIMAL(18,4)', month: LAST_MONTH, merchant: 'm001' });
  const inText = await json<{ rows: unknown[] }>(
    'query',
    `select table_name, column_name from information_schema.columns where data_type = 'VARCHAR' and regexp_matches(column_name,
      '_(at|on)$|^(date|amount|effect|cod|paid|matched|left|outstanding|overdue|opening|closing|net.*|.*fee|open.*|received.*)$')`,
  );
  expect(inText.rows).toEqual([]);
  const [, query = ''] = /```sql\n(select [^;]+);\n```/.exec(readFileSync('docs/fleet.md', 'utf8'))!;
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await duckdb.runAndReadAll(query.replace("'lake/", `'${folder}/lake/`));
  const nets = 'select merchant, currency, sum(net_due_to_merchant) as net from totals group by all order by all';
  expect(
    read.getRowObjectsJson().map(({ net, ...row }) => ({ ...row, net: String(net).replace(/(\.\d\d\d*?)0*$/, '$1') })),
  ).toEqual((await json<{ rows: unknown[] }>('query', nets)).rows);
  const { rows: sums } = await json<{ rows: Record<string, string>[] }>(
    'query',
    'select currency, sum(net_due_to_merchant) as net from totals group by all order by all',
  );
  expect(sums.map(({ net }) => net)).toEqual(sums.map(() => expect.stringMatching(/^-?\d+\.\d{2,4}$/)));
  for (const sql of [
    "select * from read_csv('/etc/passwd')",
    `copy totals to '${folder}/x.csv'`,
    `copy totals to '${folder}/lake/totals/x.parquet'`,
    "explain analyze copy totals to 'lake/totals/x.parquet'",
    '',
    'install httpfs',
    'no sql',
  ])
    expect((await fleet('query', sql)).code, sql).toBe(2);

  // A run that was killed when a part was whole: the next question finds it in its place.
  const part = path.join(folder, 'lake/_remit/m001.json');
  const held = JSON.parse(readFileSync(part, 'utf8'));
  const [file] = Object.keys(held.files).filter((name) => name.startsWith('totals/'));
  const staged = path.join(folder, 'lake/.next/m001');
  mkdirSync(path.dirname(path.join(staged, file!)), { recursive: true });
  renameSync(path.join(folder, 'lake', file!), path.join(staged, `${file}.new`));
  writeFileSync(path.join(staged, 'part.json'), JSON.stringify(held));
  // And another when one was not.
  mkdirSync(path.join(folder, 'lake/.next/m002.part'));
  // And a third when it deleted the folder of a part that it had moved.
  mkdirSync(path.join(folder, 'lake/.next/third/totals'), { recursive: true });
  await json('query', 'totals');
  expect(existsSync(path.join(folder, 'lake', file!))).toBe(true);
  expect(readdirSync(path.join(folder, 'lake/.next'))).toEqual([]);

  // A ledger that cannot be read keeps its part, and a merchant that left takes its own along.
  renameSync(path.join(folder, 'ledgers/m002.db'), path.join(folder, 'ledgers/away.db'));
  writeFileSync(
    path.join(folder, 'fleet.toml'),
    readFileSync(path.join(folder, 'fleet.toml'), 'utf8').replace(/\n\[merchants\.third\][^[]*/, '\n'),
  );
  const partly = await fleet('lake', '--json');
  expect(partly.code).toBe(1);
  expect(JSON.parse(partly.stdout)).toMatchObject({ removed: ['third'], failed: [{ merchant: 'm002' }], unchanged: 1 });
  // What it had written before it failed is told to a program that has not loaded it yet.
  const since = JSON.parse((await fleet('lake', '--since', '0', '--json')).stdout) as {
    changed: { merchant: string }[];
  };
  expect(since.changed.map(({ merchant }) => merchant)).toEqual(['m001', 'm002']);
  const { rows: left } = await json<{ rows: { merchant: string }[] }>(
    'query',
    'select distinct merchant from totals order by all',
  );
  expect(left.map(({ merchant }) => merchant)).toEqual(['m001', 'm002']);
});

it('a night that could not fetch everything says so in the status, though it ends as one with mismatches', async () => {
  const row = { order_id: 'A', cod: [['USD', '9.00']] as [string, string][], delivery_fee: [] };
  const courier = await startFakeCourier({
    invoices: [
      invoiceOf(10001, `${LAST_MONTH}-05T10:00:00+00:00`, [row]),
      invoiceOf(10002, `${LAST_MONTH}-06T10:00:00+00:00`, [row], { cod: [['USD', '9.00 USD']] }),
    ],
  });
  onTestFinished(() => courier.close());
  const { json, add } = await startFleet(scratchFolder(), TWO_FOLDERS);
  await add('m001', { url: courier.url, key: KEY });
  await json('night', '--quiet');
  const { merchants } = await json<{ merchants: object[] }>('status');
  expect(merchants).toMatchObject([
    { merchant: 'm001', last_good_sync: null, reason: expect.stringContaining('is not a decimal amount') },
  ]);
});

it('a ledger moves to another cell and is dropped where it was', async () => {
  const { folder, merchants, fleet, json, add } = await startFleet(scratchFolder(), TWO_FOLDERS);
  await add('m001', merchants[0]!);
  const books = path.join(folder, 'books/m001');
  expect((await remit(['-C', books, 'sync', '2026-10'], { cwd: folder })).code).toBe(0);
  expect((await fleet('drop', 'm001', '--cell', 'a', '--yes')).stderr).toContain('is the ledger that m001 uses');
  const moved = await json<{ to: string; head: string }>('move', 'm001', '--to', 'b');
  expect(moved.to).toBe(path.join(folder, 'more/m001.db'));
  expect((await fleet('move', 'm001', '--to', 'b')).stderr).toContain('is on the cell b already');
  const verified = JSON.parse((await remit(['-C', books, 'verify', '--json'], { cwd: folder })).stdout);
  expect(verified).toMatchObject({ ok: true, head: moved.head });
  // Killed between the two files: the same command goes on.
  const settings = path.join(folder, 'fleet.toml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('cell = "b"', 'cell = "a"'));
  expect((await fleet('move', 'm001', '--to', 'b')).code).toBe(0);
  expect((await fleet('drop', 'm001', '--cell', 'a')).stderr).toContain('Add --yes');
  // What only the old one holds is not thrown away.
  const old = path.join(folder, 'ledgers/m001.db');
  const kept = readFileSync(old);
  expect((await remit(['-C', books, 'sync', '2026-09', '--ledger', old], { cwd: folder })).code).toBe(0);
  expect((await fleet('drop', 'm001', '--cell', 'a', '--yes')).stderr).toContain(
    'holds what the ledger in use does not',
  );
  for (const side of ['-wal', '-shm']) rmSync(`${old}${side}`, { force: true });
  writeFileSync(old, kept);
  expect((await fleet('drop', 'm001', '--cell', 'a', '--yes')).code).toBe(0);
  expect(existsSync(old)).toBe(false);
});
