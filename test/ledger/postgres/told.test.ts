import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { cursorsOf } from '../../../src/ledger/dialect/postgres/batch.ts';
import { ledgerPostgresDialect } from '../../../src/ledger/dialect/postgres/driver.ts';
import { insertRows } from '../../../src/ledger/write/insert.ts';
import { startCuttingProxy } from '../../helpers/cutting-proxy.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

interface Tables {
  readonly first: { number: number; text: string | null; bytes: Buffer | null };
}

async function opened(url: string, isPostgres = true): Promise<Kysely<Tables>> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  const habits = { atBegin: ["set local lock_timeout = '9s'"], isPostgres, isShared: false };
  const db = new Kysely<Tables>({
    dialect: ledgerPostgresDialect({ pool, cursor: cursorsOf(pg.Query) }, null, habits),
  });
  await sql`create table if not exists first (number bigint primary key, text text, bytes bytea)`.execute(db);
  return db;
}

const numbersIn = async (db: Kysely<Tables>) =>
  (await db.selectFrom('first').select('number').orderBy('number').execute()).map(({ number }) => Number(number));
const insert = (trx: Kysely<Tables>, number: number) =>
  trx
    .insertInto('first')
    .values({ number, text: 'a\t\\N "$1"', bytes: Buffer.from([0, 9, 255]) })
    .execute();
const copy = (trx: Kysely<Tables>, ...all: number[]) => {
  const rows = all.map((number) => ({ number, text: 'a\t\\N "$1"', bytes: Buffer.from([0, 9, 255]) }));
  return insertRows(trx as never, 'first' as never, rows as never);
};

describe.skipIf(!hasPostgres)('a transaction that only writes', () => {
  it('asks a server that is far away as often as it asks and ends, however much it writes', async () => {
    const { url, place } = await newDatabase();
    const proxy = await startCuttingProxy(place.port!);
    proxy.cutAt(null);
    const db = await opened(proxy.through(url));
    const before = proxy.count();
    await db.transaction().execute(async (trx) => {
      for (const number of [1, 2, 3]) await insert(trx, number);
      await trx.updateTable('first').set({ number: 4 }).where('number', '=', 3).execute();
      await trx.deleteFrom('first').where('number', '=', 1).execute();
      expect(await numbersIn(trx)).toEqual([2, 4]);
      expect(await trx.selectFrom('first').select('number').where('number', '>', 90).execute()).toEqual([]);
      await copy(trx, 7, 8);
      await insert(trx, 9);
    });
    expect(proxy.count() - before).toBe(3);
    expect(await numbersIn(db)).toEqual([2, 4, 7, 8, 9]);
    const rows = await db.selectFrom('first').select(['text', 'bytes']).distinct().execute();
    expect(rows).toEqual([{ text: 'a\t\\N "$1"', bytes: Buffer.from([0, 9, 255]) }]);
    await db.destroy();
    await proxy.close();
  });

  it('is told the first failure with the next question or at its end, and nothing of it stays', async () => {
    const { url } = await newDatabase();
    const db = await opened(url);
    const twice = (then: (trx: Kysely<Tables>) => Promise<unknown>) =>
      db.transaction().execute(async (trx) => {
        await insert(trx, 1);
        await copy(trx, 2, 1);
        await then(trx);
      });
    const often = (then: (trx: Kysely<Tables>) => Promise<unknown>) =>
      db.transaction().execute(async (trx) => {
        for (let number = 0; number < 50; number += 1) await insert(trx, number % 40);
        await then(trx);
      });
    // What was sent while something else was waited for.
    const meanwhile = (then: (trx: Kysely<Tables>) => Promise<unknown>) =>
      twice(async (trx) => {
        await sleep(100);
        await then(trx);
      });
    // What follows a failure that nobody has heard of yet.
    const afterwards = (then: (trx: Kysely<Tables>) => Promise<unknown>) =>
      meanwhile(async (trx) => {
        await insert(trx, 3);
        await sleep(100);
        await then(trx);
      });
    for (const failing of [twice, often, meanwhile, afterwards]) {
      await expect(failing(numbersIn)).rejects.toThrow(/duplicate key/);
      await expect(failing(async () => {})).rejects.toThrow(/duplicate key/);
      expect(await numbersIn(db)).toEqual([]);
    }
    // What waits when it is given up is not sent, and fails nothing that comes after.
    const givenUp = db.transaction().execute(async (trx) => {
      await insert(trx, 1);
      await insert(trx, 1);
      throw new Error('given up');
    });
    await expect(givenUp).rejects.toThrow('given up');
    const noValue = { number: 2, text: {} as string, bytes: null };
    const refused = db.transaction().execute((trx) => trx.insertInto('first').values(noValue).execute());
    await expect(refused).rejects.toThrow('a object is no value of the ledger');
    await db.transaction().execute((trx) => insert(trx, 1));
    expect(await numbersIn(db)).toEqual([1]);
    await db.destroy();
  });

  it('waits for each write on an engine that only speaks the protocol, and copies alone', async () => {
    const { url } = await newDatabase();
    const db = await opened(url, false);
    await db.transaction().execute(async (trx) => {
      await copy(trx, 1, 2);
      await insert(trx, 3);
      await copy(trx, 4);
      expect(await numbersIn(trx)).toEqual([1, 2, 3, 4]);
    });
    const failing = db.transaction().execute(async (trx) => {
      await insert(trx, 5);
      await expect(insert(trx, 5)).rejects.toThrow(/duplicate key/);
      throw new Error('given up');
    });
    await expect(failing).rejects.toThrow('given up');
    await expect(db.transaction().execute((trx) => copy(trx, 5, 4))).rejects.toThrow(/duplicate key/);
    await copy(db, 6);
    expect(await numbersIn(db)).toEqual([1, 2, 3, 4, 6]);
    await db.destroy();
  });
});
