import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describePlace, placeOf } from '../../src/base/place.ts';
import { copyRows } from '../../src/ledger/copy-rows.ts';
import type { Connection } from '../../src/ledger/dialect/dialect.ts';
import { dialectOf } from '../../src/ledger/dialect/index.ts';
import { dumpHash } from '../../src/ledger/dump.ts';
import { describeNew, describeSchema, usingLedger } from '../../src/ledger/index.ts';
import { tableNames } from '../../src/ledger/schema-state.ts';
import { ALL_TABLES, type TableShape } from '../../src/ledger/tables.ts';
import { migrate } from '../../src/ledger/upgrade.ts';
import { remit } from '../helpers/cli.ts';
import { collectedBooks, firstBooks } from '../helpers/first-ledger.ts';
import { copyInstallation, type Installation, plant } from '../helpers/installation.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { type Ended, runProgram } from '../helpers/remit.ts';

const WORKS = `
  await db.schema.alterTable('invoice').addColumn('remark', 'text').execute();
  await db.schema.createTable('remark').addColumn('text', 'text').execute();
  await db.insertInto('remark').values({ text: 'seen' }).execute();`;
const HALF = `
  await db.schema.alterTable('invoice').addColumn('remark', 'text').execute();
  await db.schema.dropTable('receipt_replacement').execute();
  await db.updateTable('invoice').set({ status: 'LOST' }).execute();`;
const FAILS = `${HALF}
  throw new Error('what is planned for 0006 does not work');`;
const IS_KILLED = `${HALF}
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});`;

/** A later version of remit: this one with one more migration. It is planted in the built program alone. */
function plantMigration(installation: Installation, body: string): void {
  plant(installation, '"0004_order_changes",\n\t"0005_references"', ', "0006_trial"');
  plant(installation, '"0005_references": references()', `, "0006_trial": { async up(db) {${body}\n} }`);
}

/** Opens a ledger in the schema that it has, and lends it with the shapes of its tables. */
async function asItIs<T>(file: string, use: (db: Connection['db'], tables: Record<string, TableShape>) => Promise<T>) {
  const dialect = await dialectOf(placeOf(file));
  const from = await dialect.open(placeOf(file), { create: false, readOnly: false, scratch: false, lock: null });
  const held = await tableNames(dialect, from);
  try {
    return await use(from.db, Object.fromEntries(Object.entries(ALL_TABLES).filter(([table]) => held.includes(table))));
  } finally {
    await from.close();
  }
}

/** Makes the ledger of 1.0.0 that a file holds on a server, in the schema of 1.0.0. */
async function fillFirst(url: string, file: string): Promise<void> {
  const place = placeOf(url);
  const how = { create: true, readOnly: false, scratch: false, lock: null };
  const to = await (await dialectOf(place)).open(place, how);
  await migrate({ place, db: to.db }, { last: '0001_schema' });
  await asItIs(file, (db, tables) => copyRows(db, to.db, url, tables));
  await to.close();
}

/** Books of the first schema, with this version and the next. */
interface Books {
  readonly folder: string;
  /** The ledger, as messages name it. */
  readonly ledger: string;
  now(...argv: string[]): Promise<Ended>;
  next(body: string, ...argv: string[]): Promise<Ended>;
  /** All rows. */
  rows(): Promise<string>;
  /** All rows and the schema. */
  state(place?: string): Promise<unknown>;
}

function booksOf(folder: string, ledger: string, env: Record<string, string>): Books {
  const surroundings = { TZ: 'UTC', ...env };
  return {
    folder,
    ledger: describePlace(placeOf(ledger)),
    now: (...argv) => remit(argv, { cwd: folder, env: surroundings }),
    next: (body, ...argv) => {
      const installation = copyInstallation();
      plantMigration(installation, body);
      return runProgram(installation.main, argv, surroundings, folder);
    },
    rows: () => usingLedger(ledger, { readOnly: true }, ({ db }) => dumpHash(db)),
    state: (place = ledger) =>
      usingLedger(place, { readOnly: true }, async (open) => [await dumpHash(open.db), await describeSchema(open)]),
  };
}

/** In this version's schema. */
const inFile = async () => {
  const folder = firstBooks();
  expect((await remit(['verify', '--quiet'], { cwd: folder })).code).toBe(0);
  return booksOf(folder, path.join(folder, 'ledger.db'), {});
};

const onServer = async () => {
  const { folder, now } = await inFile();
  const { url } = await newDatabase();
  expect(await now('ledger', 'copy', url, '--quiet')).toMatchObject({ code: 0, stderr: '' });
  return booksOf(folder, url, { REMIT_LEDGER: url });
};

const byName = (schema: Awaited<ReturnType<typeof describeNew>>) =>
  schema.toSorted((a, b) => (a.name < b.name ? -1 : 1));
const schemaOf = (ledger: string) =>
  usingLedger(ledger, { readOnly: true }, async (open) => byName(await describeSchema(open)));
const newSchema = async (ledger: string) => byName(await describeNew(placeOf(ledger)));

const FIGURES = ['report', 'totals', '--format', 'csv'];
const KEPT = 'ledger.before-0006.db';

describe('a ledger of 1.0.0', () => {
  const verified = { code: 0, stderr: '', stdout: expect.stringContaining('sound') };

  it('is kept as it was, and becomes what this version makes of its evidence', async () => {
    const folder = firstBooks();
    const { now } = booksOf(folder, path.join(folder, 'ledger.db'), {});
    const kept = path.join(folder, 'ledger.before-0002.db');
    const note = `the ledger was brought up to date for this version of remit; as it was before, it is kept in ${kept}`;
    const before = await asItIs(path.join(folder, 'ledger.db'), dumpHash);
    expect(await now('verify', '--deep')).toEqual({ ...verified, stderr: `${note}\n` });
    expect(await asItIs(kept, dumpHash)).toBe(before);
    expect(await now('verify', '--deep')).toEqual(verified);
    expect(JSON.parse((await now('rebuild', '--json')).stdout)).toMatchObject({ changed: 0 });
    expect(await schemaOf(path.join(folder, 'ledger.db'))).toEqual(await newSchema('ledger.db'));
  });

  it.each([
    ['file', true],
    ['server', hasPostgres],
  ] as const)('counts what was collected at the warehouse, in a %s', async (kind, isThere) => {
    if (!isThere) return;
    const folder = collectedBooks();
    const file = path.join(folder, 'ledger.db');
    const ledger = kind === 'file' ? file : (await newDatabase({ create: 'template template0' })).url;
    if (kind === 'server') await fillFirst(ledger, file);
    const { now } = booksOf(folder, ledger, { REMIT_LEDGER: ledger });
    const json = async (...argv: string[]) => JSON.parse((await now(...argv, '--json')).stdout);
    // B's 30.00 are due as invoiced; C's 40.00 less 3.00 were missed.
    const { bridge, resolved, mismatches } = await json('check', '2026-10');
    expect(bridge).toMatchObject([{ courier: '49.00', ours: '49.00', unexplained: '0.00', short: '-37.00' }]);
    expect([resolved, mismatches.map((one: Record<string, unknown>) => [one.code, one.order_id, one.effect])]).toEqual([
      1,
      [['delivered-not-invoiced', 'C', '-37.00']],
    ]);
    expect((await json('report', 'not-invoiced', '2026-10')).rows).toMatchObject([{ order_id: 'C', net: '37.00' }]);
    expect((await json('report', 'returns', '2026-10')).rows).toMatchObject([{ orders: 2, returned: 0 }]);
    const { rows: onTheWay } = await json('report', 'cash-forecast', '2026-10');
    expect(JSON.stringify(onTheWay)).not.toContain('in-transit');
    expect(await now('verify', '--deep')).toMatchObject({ code: 0, stderr: '' });
  });

  it.skipIf(!hasPostgres)('becomes the same on a server', async () => {
    const folder = firstBooks();
    const { url } = await newDatabase({ create: 'template template0' });
    await fillFirst(url, path.join(folder, 'ledger.db'));
    const onServer = booksOf(folder, url, { REMIT_LEDGER: url });
    expect(await onServer.now('verify', '--deep')).toMatchObject({ code: 0 });
    const inFile = booksOf(folder, path.join(folder, 'ledger.db'), {});
    expect(await inFile.now('verify')).toMatchObject({ code: 0 });
    expect(await onServer.rows()).toEqual(await inFile.rows());
    expect(await schemaOf(url)).toEqual(await newSchema((await newDatabase()).url));
  });
});

function upgrades(open: () => Promise<Books>) {
  it('is kept whole as it was, and brought up to date; this version then refuses it', async () => {
    const { folder, ledger, now, next, state } = await open();
    // The first command keeps the settings on record.
    const figures = (await now(...FIGURES)).stdout;
    const before = await state();
    expect(figures.split('\n').length).toBeGreaterThan(5);

    const kept = path.join(folder, KEPT);
    const note = `the ledger was brought up to date for this version of remit; as it was before, it is kept in ${kept}`;
    expect(await next(WORKS, ...FIGURES)).toEqual({ code: 0, stdout: figures, stderr: `${note}\n` });
    // The next command finds nothing to do, and every figure follows from the evidence as before.
    expect(await next(WORKS, 'verify')).toMatchObject({ code: 0, stderr: '' });

    expect(await now(...FIGURES)).toEqual({
      code: 1,
      stdout: '',
      stderr: `remit: ${ledger} was made by a newer remit (it holds 0006_trial)\n  → Update remit on this machine, or use the newer one; nothing was changed.\n`,
    });
    expect(await now(...FIGURES, '--ledger', kept)).toEqual({ code: 0, stdout: figures, stderr: '' });
    // Each database describes its schema in its own words.
    expect(ledger === path.join(folder, 'ledger.db') ? await state(kept) : before).toEqual(before);
  });

  it('is as it was where the change fails half-way, which says what to do', async () => {
    const { folder, ledger, next, state } = await open();
    const before = await state();
    expect(await next(FAILS, ...FIGURES)).toEqual({
      code: 1,
      stdout: '',
      stderr: `remit: ${ledger} could not be brought up to date: 0006_trial failed: what is planned for 0006 does not work\n  → The ledger is as it was: go on with the remit that you had before, and report this.\n`,
    });
    expect(await state()).toEqual(before);
    expect(statSync(path.join(folder, KEPT)).size).toBeGreaterThan(100_000);
  });

  it('is as it was where remit is killed half-way, and the next attempt does it', async () => {
    const { next, state } = await open();
    const before = await state();
    expect((await next(IS_KILLED, ...FIGURES)).code).not.toBe(0);
    expect(await state()).toEqual(before);
    expect((await next(WORKS, ...FIGURES)).code).toBe(0);
  });
}

describe('a ledger that a later version opens, in a file', () => {
  upgrades(inFile);

  it('is not touched where it cannot be kept first', async () => {
    const { folder, next, state } = await inFile();
    const before = await state();
    mkdirSync(path.join(folder, KEPT));
    const { code, stderr } = await next(WORKS, ...FIGURES);
    expect([code, stderr]).toEqual([1, expect.stringContaining(KEPT)]);
    expect(await state()).toEqual(before);
  });
});

describe.skipIf(!hasPostgres)('a ledger that a later version opens, on a server', () => {
  upgrades(onServer);

  it('asks for a folder to keep it in', async () => {
    const { next, state } = await onServer();
    const before = await state();
    const { code, stderr } = await next(WORKS, '-C', '..', ...FIGURES);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('is kept as a file before it is brought up to date\n  → Run any command of remit in its'),
    ]);
    expect(await state()).toEqual(before);
  });
});
