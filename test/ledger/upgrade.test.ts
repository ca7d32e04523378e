import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Migration } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type MigrationDialect, migrations } from '../../migrations/index.ts';
import { describePlace, type Place, placeOf } from '../../src/base/place.ts';
import { copyLedger } from '../../src/ledger/copy.ts';
import { dumpHash } from '../../src/ledger/dump.ts';
import { usingLedger } from '../../src/ledger/index.ts';
import { invoiceOf, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { syncInto } from '../helpers/sync.ts';

/** This program's migrations, and one of a later version. */
function withLater(up: Migration['up']) {
  return (dialect: MigrationDialect): Record<string, Migration> => ({ ...migrations(dialect), '0002_later': { up } });
}

const later = withLater(async (db) => {
  await db.schema.alterTable('invoice').addColumn('remark', 'text').execute();
  await db.schema.createTable('remark').addColumn('text', 'text').execute();
});
const failing = withLater(async (db) => {
  await db.schema.alterTable('invoice').addColumn('remark', 'text').execute();
  await db.schema.dropTable('period_reopen').execute();
  throw new Error('what is planned for 0002 does not work');
});

/** A ledger of this program with two invoices. */
async function syncedLedger(): Promise<string> {
  const courier = await startFakeCourier({
    invoices: [101, 102].map((number) =>
      invoiceOf(number, '2026-10-05T10:00:00+03:00', [
        { order_id: `O-${number}`, cod: [['USD', '25.75']], delivery_fee: [['USD', '3.00']] },
      ]),
    ),
  });
  const file = path.join(scratchFolder(), 'ledger.db');
  await syncInto(file, courier);
  await courier.close();
  return file;
}

const hashOf = (place: Place | string) => usingLedger(place, { readOnly: true }, ({ db }) => dumpHash(db));

function upgrades(placeFor: (file: string) => Promise<Place>) {
  it('keeps the ledger as it was in a file that this program opens, and then changes the schema', async () => {
    const place = await placeFor(await syncedLedger());
    const before = await hashOf(place);
    const folder = scratchFolder();
    const copies: string[] = [];
    const how = { migrations: later, copiesIn: folder, upgraded: (copy: string) => void copies.push(copy) };
    const numbers = await usingLedger(place, how, async ({ connection }) => {
      await connection.db
        .updateTable('invoice')
        .set({ remark: 'seen' } as never)
        .execute();
      return connection.db.selectFrom('invoice').select('number').orderBy('number').execute();
    });
    expect(numbers).toEqual([{ number: 101 }, { number: 102 }]);
    expect(copies).toEqual([path.join(folder, 'ledger.before-0002.db')]);
    expect(await hashOf(copies[0]!)).toBe(before);
    await expect(hashOf(place)).rejects.toThrow('was made by a newer remit (it holds 0002_later)');
    // The next one finds nothing to do.
    await usingLedger(place, how, async () => {});
    expect(copies).toHaveLength(1);
  });

  it('leaves the ledger as it was where a migration fails', async () => {
    const place = await placeFor(await syncedLedger());
    const before = await hashOf(place);
    const folder = scratchFolder();
    await expect(usingLedger(place, { migrations: failing, copiesIn: folder }, async () => {})).rejects.toThrow(
      `${describePlace(place)} could not be brought up to date: 0002_later failed: what is planned for 0002 does not work`,
    );
    expect(await hashOf(place)).toBe(before);
    expect(await hashOf(path.join(folder, 'ledger.before-0002.db'))).toBe(before);
  });
}

describe('a ledger of an earlier remit, in a file', () => {
  upgrades(async (file) => placeOf(file));

  it('is not touched where it cannot be kept first', async () => {
    const file = await syncedLedger();
    const before = await hashOf(file);
    const copiesIn = path.join(scratchFolder(), 'gone');
    await expect(usingLedger(file, { migrations: later, copiesIn }, async () => {})).rejects.toThrow('gone');
    expect(await hashOf(file)).toBe(before);
    expect(existsSync(copiesIn)).toBe(false);
  });
});

describe.skipIf(!hasPostgres)('a ledger of an earlier remit, on a server', () => {
  upgrades(async (file) => {
    const { place } = await newDatabase();
    await copyLedger(placeOf(file), place);
    return place;
  });

  it('asks for a folder to keep it in', async () => {
    const { place } = await newDatabase();
    await copyLedger(placeOf(await syncedLedger()), place);
    await expect(usingLedger(place, { migrations: later }, async () => {})).rejects.toThrow(
      'was made by an earlier remit, and is kept as a file before it is brought up to date',
    );
  });
});
