import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Verified, verifyLedger } from '../../src/app/verify/index.ts';
import { openDatabase } from '../../src/base/sqlite.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import { type FakeCourier, invoiceOf, startFakeCourier } from '../helpers/courier.ts';
import { query, syncInto, temporaryFolder } from '../helpers/sync.ts';

/** How many tamperings are tried; more with REMIT_TAMPERINGS. */
const TAMPERINGS = Number(process.env.REMIT_TAMPERINGS ?? 12);

const verify = (file: string, head: string | null = null): Promise<Verified> =>
  usingLedger(file, {}, (ledger) => verifyLedger(ledger, { deep: true, head }));

const order = (id: string, amount: string, state = 'DELIVERED') => ({
  order_id: id,
  reference_id: `R-${id}`,
  workflow: 'STANDARD',
  delivery_state: state,
  payment_state: 'PAID_TO_MERCHANT',
  cod: [['USD', amount]],
  delivery_fee: [['USD', '3.00']],
  merchant_invoice: null,
  statestamps: [{ delivery_state: state, payment_state: 'UNPAID', timestamp: '2026-10-03T01:30:00.123456+03:00' }],
});
const row = (id: string, amount: string) => ({
  order_id: id,
  cod: [['USD', amount]] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
});

/** Two nights: an invoice restated, another vanished, one that cannot be read, an order changed, another gone. */
async function soundLedger(): Promise<string> {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const courier: FakeCourier = await startFakeCourier({
    invoices: [
      invoiceOf(1, '2026-10-01T10:00:00+03:00', [row('A', '25.00'), row('B', '10.00')]),
      invoiceOf(2, '2026-10-02T10:00:00+03:00', [row('C', '30.00')], { status: 'PENDING_PAYMENT' }),
      invoiceOf(3, '2026-10-03T10:00:00+03:00', [row('D', '5.00')]),
    ],
    orders: [order('A', '25.00'), order('B', '10.00'), order('C', '30.00'), order('D', '5.00', 'IN_TRANSIT')],
  });
  try {
    await syncInto(file, courier, { orders: true });
    const { world } = courier;
    world.invoices[0] = invoiceOf(1, '2026-10-01T10:00:00+03:00', [row('A', '25.00'), row('B', '9.00')]);
    world.invoices[1] = { ...world.invoices[1]!, status: 'PAID', detail: { cod: 'none' } };
    world.invoices.pop();
    world.orders = [order('A', '20.00'), order('B', '10.00', 'IN_TRANSIT'), order('C', '30.00')];
    await syncInto(file, courier, { orders: true });
  } finally {
    await courier.close();
  }
  return file;
}

let sound: string;
beforeAll(async () => {
  sound = await soundLedger();
});

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Db = ReturnType<typeof openDatabase>;

/** Lets an attacker write where triggers refuse it, and leaves the triggers as they were. */
function withoutTriggers(db: Db, act: () => void): void {
  const triggers = db
    .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_master where type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`drop trigger "${name}"`);
  act();
  for (const { sql } of triggers) db.exec(sql);
}

const tablesOf = (db: Db) =>
  db
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' and name not like 'kysely%'")
    .all()
    .map(({ name }) => name);

/** Changes something, and says what; null where there was nothing to change. */
type Tamper = (db: Db, random: () => number) => string | null;

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)] as T;

function aRow(db: Db, random: () => number): { table: string; row: Record<string, unknown>; where: string } | null {
  const table = pick(tablesOf(db), random);
  const rows = db.prepare<[], Record<string, unknown>>(`select * from "${table}"`).all();
  if (rows.length === 0) return null;
  const row = pick(rows, random);
  const keys = db
    .prepare<[], { name: string }>(`select name from pragma_table_info('${table}') where pk > 0`)
    .all()
    .map(({ name }) => name);
  const literal = (value: unknown) =>
    Buffer.isBuffer(value)
      ? `x'${value.toString('hex')}'`
      : typeof value === 'number'
        ? String(value)
        : `'${String(value).replaceAll("'", "''")}'`;
  return { table, row, where: keys.map((key) => `"${key}" = ${literal(row[key])}`).join(' and ') };
}

const editValue: Tamper = (db, random) => {
  const found = aRow(db, random);
  if (!found) return null;
  const column = pick(Object.keys(found.row), random);
  const value = found.row[column];
  let changed: unknown;
  if (typeof value === 'number') changed = value + 1;
  else if (typeof value === 'string') {
    const at = Math.floor(random() * value.length);
    const other = value[at] === '0' ? '1' : '0';
    changed = value === '' ? 'x' : value.slice(0, at) + other + value.slice(at + 1);
  } else if (Buffer.isBuffer(value)) {
    const copy = Buffer.from(value);
    // Past the header of a gzip body, whose time says nothing about its content.
    const at = copy.length > 32 ? 12 + Math.floor(random() * (copy.length - 12)) : Math.floor(random() * copy.length);
    copy[at] = copy[at]! ^ (1 << Math.floor(random() * 8));
    changed = copy;
  } else {
    const type = db
      .prepare<[], { type: string }>(`select type from pragma_table_info('${found.table}') where name = '${column}'`)
      .get()!.type;
    changed = type.toLowerCase() === 'integer' ? 1 : '2026-10-01T00:00:00.000Z';
  }
  try {
    db.prepare(`update "${found.table}" set "${column}" = ? where ${found.where}`).run(changed);
  } catch (error) {
    // A key that another row has: the database itself refuses it.
    if ((error as { code?: string }).code?.startsWith('SQLITE_CONSTRAINT')) return null;
    throw error;
  }
  return `${found.table}.${column} of ${found.where}`;
};

const removeRow: Tamper = (db, random) => {
  const found = aRow(db, random);
  if (!found) return null;
  db.exec(`delete from "${found.table}" where ${found.where}`);
  return `the row of ${found.table} with ${found.where}`;
};

const addRow: Tamper = (db, random) => {
  const found = aRow(db, random);
  if (!found) return null;
  const row: Record<string, unknown> = { ...found.row };
  for (const { name } of db
    .prepare<[], { name: string }>(`select name from pragma_table_info('${found.table}') where pk > 0`)
    .all()) {
    const value = row[name];
    row[name] =
      typeof value === 'number'
        ? value + 100_000
        : Buffer.isBuffer(value)
          ? Buffer.alloc(value.length, 7)
          : `${String(value)}9`;
  }
  const columns = Object.keys(row);
  db.prepare(`insert into "${found.table}" values (${columns.map(() => '?').join(', ')})`).run(
    ...columns.map((c) => row[c]),
  );
  return `a row of ${found.table} beside ${found.where}`;
};

/** The same amount in the row, the header and the list, so that the figures still agree with each other. */
const editTogether: Tamper = (db, random) => {
  const by = 10_000 * (1 + Math.floor(random() * 50));
  const changed = db
    .prepare(`update invoice_order_amount set cod = cod + ${by} where invoice_number = 1 and position = 0`)
    .run();
  for (const table of ['invoice_amount', 'invoice_listed_amount']) {
    db.exec(
      `update ${table} set cod = cod + ${by}, net_due_to_merchant = net_due_to_merchant + ${by} where invoice_number = 1`,
    );
  }
  return changed.changes === 0 ? null : 'row, header and list of invoice 1, together';
};

const cutTail: Tamper = (db, random) => {
  const last = db.prepare<[], { id: number }>('select max(id) as id from evidence').get()!.id;
  const from = last - Math.floor(random() * 5);
  db.exec(`delete from evidence where id >= ${from}`);
  const head = db.prepare<[], { chain: string }>(`select chain from evidence where id = ${from - 1}`).get()!.chain;
  db.exec(`update chain set evidence_id = ${from - 1}, head = '${head}'`);
  return `evidence from ${from} on`;
};

const dropObject: Tamper = (db, random) => {
  const objects = db
    .prepare<[], { type: string; name: string }>(
      "select type, name from sqlite_master where sql is not null and type in ('trigger', 'index', 'view') and tbl_name not like 'kysely%'",
    )
    .all();
  const { type, name } = pick(objects, random);
  db.exec(`drop ${type} "${name}"`);
  return `${type} ${name}`;
};

const plantObject: Tamper = (db, random) => {
  const table = pick(tablesOf(db), random);
  db.exec(
    random() < 0.5
      ? `create trigger planted after insert on "${table}" begin select 1; end`
      : `create view planted as select * from "${table}"`,
  );
  return `something planted on ${table}`;
};

const KINDS: readonly Tamper[] = [
  editValue,
  editValue,
  editValue,
  removeRow,
  removeRow,
  addRow,
  editTogether,
  cutTail,
  dropObject,
  plantObject,
];

describe('verify', () => {
  test('finds nothing on a sound ledger, and says what it looked at', async () => {
    const verified = await verify(sound);
    expect(verified).toMatchObject({ ok: true, problems: [] });
    expect(verified.head).toMatch(/^[0-9a-f]{64}$/);
    expect(verified.documents).toBeGreaterThan(10);
    expect(verified.rows_checked).toBeGreaterThan(50);
  });

  test('compares the head with an earlier one', async () => {
    const { head } = await verify(sound);
    expect((await verify(sound, head)).ok).toBe(true);
    expect((await verify(sound, 'f'.repeat(64))).problems).toEqual([expect.objectContaining({ where: 'chain' })]);
    // The chain may have grown since: an earlier head is a link of it.
    const links = query<{ chain: string }>(sound, 'select chain from evidence order by id');
    expect((await verify(sound, links.at(-3)!.chain)).ok).toBe(true);
  });

  test('names each of several hashes of one part of the order book', async () => {
    const file = path.join(temporaryFolder(), 'ledger.db');
    copyFileSync(sound, file);
    const db = openDatabase(file);
    // Of lower and of higher hashes: whichever is read last, the other is noticed.
    const plant = (hash: Buffer) => db.prepare('insert into evidence_part (sha256, part) values (?, 1)').run(hash);
    expect(() => plant(Buffer.alloc(32, 0))).toThrow(/UNIQUE constraint failed: evidence_part.part/);
    db.exec('drop index evidence_part_by_part');
    plant(Buffer.alloc(32, 0));
    plant(Buffer.alloc(32, 255));
    db.close();
    const { problems } = await verify(file);
    expect(problems).toContainEqual({ where: 'evidence_part 1', what: 'it has 3 hashes, and one was expected' });
  });

  test('names a damaged pack of orders once, and none of those that are whole', async () => {
    const packs = query<{ first_part: number }>(sound, 'select first_part from evidence_pack order by first_part');
    expect(packs.length).toBeGreaterThan(1);
    for (const { first_part } of packs) {
      const file = path.join(temporaryFolder(), 'ledger.db');
      copyFileSync(sound, file);
      const db = openDatabase(file);
      withoutTriggers(db, () => db.exec(`update evidence_pack set body = x'00' where first_part = ${first_part}`));
      db.close();
      const { problems } = await verify(file);
      const aboutPacks = problems.map(({ where }) => where).filter((where) => /^evidence_pa/.test(where));
      expect(aboutPacks).toEqual([`evidence_pack ${first_part}`]);
    }
  });

  test('names only the rows of what is at fault, where a courier’s first evidence is at fault', async () => {
    const file = path.join(temporaryFolder(), 'ledger.db');
    copyFileSync(sound, file);
    const db = openDatabase(file);
    withoutTriggers(db, () => db.exec("update evidence set data = '{' where id = 1"));
    db.close();
    const { problems } = await verify(file);
    // The run alone is derived from it.
    expect(problems.map(({ where }) => where)).toEqual(['evidence 1', 'evidence 1', 'run courier, 1']);
  });

  test(`names each of ${TAMPERINGS} tamperings`, { timeout: 600_000 }, async () => {
    const folder = temporaryFolder();
    const missed: string[] = [];
    let done = 0;
    for (let seed = 1; done < TAMPERINGS; seed++) {
      const file = path.join(folder, `${seed}.db`);
      copyFileSync(sound, file);
      const db = openDatabase(file);
      const random = seeded(seed);
      const tamper = KINDS[seed % KINDS.length]!;
      let what: string | null = null;
      db.pragma('foreign_keys = OFF');
      const isSchema = tamper === dropObject || tamper === plantObject;
      if (isSchema) what = tamper(db, random);
      else
        withoutTriggers(db, () => {
          what = tamper(db, random);
        });
      db.close();
      if (what === null) continue;
      done += 1;
      if ((await verify(file)).ok) missed.push(`${seed}: ${what}`);
    }
    expect(missed).toEqual([]);
  });
});
