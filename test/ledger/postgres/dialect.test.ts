import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyLedger } from '../../../src/app/verify/index.ts';
import { LedgerBusyError, LedgerError } from '../../../src/base/errors.ts';
import { placeOf, type ServerPlace } from '../../../src/base/place.ts';
import { backupLedger, copyLedger } from '../../../src/ledger/copy.ts';
import { dialectOf } from '../../../src/ledger/dialect/index.ts';
import { dumpHash } from '../../../src/ledger/dump.ts';
import { type Ledger, readHead, usingLedger, usingTransaction } from '../../../src/ledger/index.ts';
import type { LedgerOptions } from '../../../src/ledger/open.ts';
import { readOwnCods } from '../../../src/ledger/queries/imports.ts';
import { insertRows } from '../../../src/ledger/write/insert.ts';
import { CHECK_FIXTURES } from '../../fixtures/checks.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { withLedgerAt } from '../../helpers/ledger.ts';
import { hasPostgres, ICU, newDatabase } from '../../helpers/postgres.ts';

const SPEC = CHECK_FIXTURES['order-restated']!;

describe.skipIf(!hasPostgres)('a ledger on PostgreSQL', () => {
  it('is made in its own schema, beside others of the same database', async () => {
    const { place, query } = await newDatabase({ create: 'template template0' });
    expect(await (await dialectOf(place)).exists(place)).toBe(false);
    await withLedgerAt(place, SPEC, async () => {});
    const second: ServerPlace = { ...place, schema: 'Second "ledger"' };
    await withLedgerAt(second, CHECK_FIXTURES['invoice-net']!, async (ledger) => {
      expect((await verifyLedger(ledger, { deep: true, head: null })).problems.map(({ where }) => where)).not.toContain(
        'schema',
      );
    });
    const counts = await query<{ tables: string }>(
      "select count(*) as tables from pg_tables where schemaname in ('remit', 'Second \"ledger\"') group by schemaname",
    );
    expect(counts).toEqual([counts[0], counts[0]]);
    await usingLedger(place, {}, async (ledger) => {
      expect(await ledger.db.selectFrom('invoice').selectAll().execute()).not.toEqual([]);
    });
  });

  it('keeps a second writer out until the first has ended, and readers never', async () => {
    const { place } = await newDatabase();
    await usingLedger(place, { exclusive: 'import' }, async () => {
      const second = usingLedger(place, { exclusive: 'sync' }, async () => {});
      await expect(second).rejects.toThrow(LedgerBusyError);
      await expect(second).rejects.toThrow(/^an import is at work on .*, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
      await usingLedger(place, { readOnly: true }, async () => {});
    });
    await usingLedger(place, { exclusive: 'sync' }, async () => {});
  });

  it('lets a writer that has lost its lock write no more', async () => {
    const { place, query } = await newDatabase();
    const write = usingLedger(place, { exclusive: 'sync' }, async (ledger) => {
      await query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted");
      // Until the news has come.
      for (;;) await ledger.db.transaction().execute(async () => {});
    });
    await expect(write).rejects.toThrow(/the lock on .* was lost/);
  });

  it('refuses to change, remove or empty what is append-only', async () => {
    const { place, query } = await newDatabase();
    await withLedgerAt(place, SPEC, async () => {});
    for (const statement of [
      "update remit.evidence set subject = 'x'",
      'delete from remit.evidence_part',
      'truncate remit.mismatch_event',
      'truncate remit.evidence, remit.evidence_body',
    ]) {
      await expect(query(statement)).rejects.toThrow(/is append-only/);
    }
  });

  it.each([
    ['a trigger', 'alter table remit.evidence disable trigger all', 'trigger evidence_refuses_change'],
    ['an index', 'drop index remit.courier_order_by_reference', 'index courier_order_by_reference'],
    ['a column', 'alter table remit.invoice add column note text', 'table invoice'],
    [
      'a view',
      'drop view remit.mismatches; create view remit.mismatches as select * from remit.mismatch',
      'view mismatches',
    ],
    ['a table', 'create table remit.mine (id int)', 'table mine'],
    [
      'the function',
      "create or replace function remit.remit_refuses_change() returns trigger language plpgsql as 'begin return new; end'",
      'function remit_refuses_change',
    ],
  ])('verify names %s that is not as remit makes it', async (_what, statement, where) => {
    const { place, query } = await newDatabase();
    const verify = () => usingLedger(place, {}, (ledger) => verifyLedger(ledger, { deep: true, head: null }));
    expect((await verify()).problems).toEqual([]);
    await query(statement);
    expect((await verify()).problems.map((problem) => problem.where)).toContain(where);
  });

  it('shows money as decimals beside the units', async () => {
    const { place, query } = await newDatabase();
    await withLedgerAt(place, CHECK_FIXTURES['invoice-net']!, async () => {});
    const [row] = await query<{ cod: string; cod_units: string }>(
      'select cod, cod_units from remit.invoices order by number limit 1',
    );
    expect(row).toEqual({ cod: expect.stringMatching(/^\d+\.\d{4}$/), cod_units: expect.stringMatching(/^\d+0000$/) });
  });

  it('is copied to a file and back, whole, with the same head, also through a database with other rules of order', async () => {
    const [first, second] = [await newDatabase(), await newDatabase({ create: ICU })];
    const folder = scratchFolder();
    const read = (where: Parameters<typeof usingLedger>[0]) =>
      usingLedger(where, {}, async (ledger) => [await dumpHash(ledger.db), await readHead(ledger.db)]);
    await withLedgerAt(first.place, SPEC, async () => {});
    const was = await read(first.place);
    const file = placeOf('copy.db', folder);
    const copied = await copyLedger(first.place, file);
    expect([copied.hash, copied.head]).toEqual(was);
    expect(await read(file)).toEqual(was);
    await copyLedger(file, second.place);
    expect(await read(second.place)).toEqual(was);
    await usingLedger(second.place, {}, async (ledger) => {
      expect((await verifyLedger(ledger, { deep: false, head: null })).problems).toEqual([]);
    });
    await expect(copyLedger(file, second.place)).rejects.toThrow(/holds a ledger already/);
    const backup = path.join(folder, 'backup.db');
    await backupLedger(second.place, backup);
    expect(await read(backup)).toEqual(was);
  });

  it('is copied with each character that a text may have', async () => {
    const [{ place }, other] = [await newDatabase(), await newDatabase()];
    const folder = scratchFolder();
    const controls = Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join('');
    const texts = [
      controls,
      '',
      '\\N',
      '"\\N"',
      'a\\vb \\\\ c:\\new',
      '[1,"2"]\n],[',
      '\u007f\u0085\u2028',
      'بيروت 😀',
      '\\',
    ];
    const rows = texts.map((name, number) => ({ key: 'courier', evidence_id: number, name }));
    await withLedgerAt(place, { periods: ['2026-10'] }, async ({ db }) => {
      await db.deleteFrom('courier_name').execute();
      await db.insertInto('courier_name').values(rows).execute();
    });
    const namesIn = (where: Parameters<typeof usingLedger>[0]) =>
      usingLedger(where, {}, async ({ db }) =>
        (await db.selectFrom('courier_name').select('name').orderBy('evidence_id').execute()).map(({ name }) => name),
      );
    const [backup, copy] = [path.join(folder, 'backup.db'), placeOf('copy.db', folder)];
    await backupLedger(place, backup);
    await copyLedger(place, copy);
    await copyLedger(copy, other.place);
    for (const where of [backup, copy, other.place]) expect(await namesIn(where)).toEqual(texts);
  });

  it('does a transaction again that only failed because others wrote at the same time', async () => {
    const { place } = await newDatabase();
    await usingLedger(place, {}, async (ledger) => {
      let tries = 0;
      await usingTransaction(ledger, async () => {
        tries += 1;
        if (tries < 3)
          throw Object.assign(new Error('could not serialize access'), { code: '40001', severity: 'ERROR' });
      });
      expect(tries).toBe(3);
    });
  });

  it('takes rows while the next are made: of those that fail the first is told, and nothing of the transaction stays', async () => {
    const { place } = await newDatabase();
    await usingLedger(place, {}, async ({ db }) => {
      await sql`create table first (number integer primary key)`.execute(db);
      await sql`create table second (number integer references first)`.execute(db);
      const numbers = (...all: number[]) => all.map((number) => ({ number })) as never;
      const insert = (then: (trx: typeof db) => Promise<unknown>) =>
        db.transaction().execute(async (trx) => {
          await insertRows(trx, 'first' as never, numbers(1, 2));
          await insertRows(trx, 'second' as never, numbers(2, 3));
          await insertRows(trx, 'first' as never, numbers(4));
          await then(trx);
        });
      const rowsOf = async (handle: typeof db) => (await sql`select number from first order by 1`.execute(handle)).rows;
      await expect(insert(rowsOf)).rejects.toThrow(/violates foreign key constraint/);
      // Nothing follows but the end of the transaction.
      await expect(insert(async () => {})).rejects.toThrow(/violates foreign key constraint/);
      expect(await rowsOf(db)).toEqual([]);
      await db.transaction().execute(async (trx) => {
        for (const each of [1, 2, 3]) await insertRows(trx, 'first' as never, numbers(each));
        await insertRows(trx, 'second' as never, numbers(3, 2));
        expect(await rowsOf(trx)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
      });
      expect(await rowsOf(db)).toHaveLength(3);
    });
  });

  it('is known to the planner once very many rows came at once: a check right after would go by guesses', async () => {
    const { place, query } = await newDatabase();
    const fill = (count: number) =>
      usingLedger(place, {}, async ({ db }) => {
        await sql`create table if not exists many (number integer)`.execute(db);
        await insertRows(db, 'many' as never, Array.from({ length: count }, (_, number) => ({ number })) as never);
      });
    const isKnown = async () =>
      (await query<{ known: boolean }>("select reltuples > 0 as known from pg_class where relname = 'many'"))[0];
    await fill(9_999);
    expect(await isKnown()).toEqual({ known: false });
    await usingLedger(place, {}, async ({ db }) => {
      await db.transaction().execute(async (trx) => {
        await sql`lock table many in share update exclusive mode`.execute(trx);
        // Another session is at it: that is no reason to wait for ever, nor to fail.
        await fill(10_000);
      });
    });
    expect(await isKnown()).toEqual({ known: false });
    await fill(10_000);
    expect(await isKnown()).toEqual({ known: true });
  });

  it('is not sound if a row points to none, though another of its courier is there', async () => {
    const { place, query } = await newDatabase();
    const invoices = [1, 2].map((number) => ({ number, rows: [{ order_id: `O${number}` }] }));
    await withLedgerAt(place, { invoices }, async (ledger) => {
      const problems = async () => (await verifyLedger(ledger, { deep: false, head: null })).problems;
      expect(await problems()).toEqual([]);
      await query('alter table remit.invoice disable trigger all; delete from remit.invoice where number = 2');
      const found = (await problems()).map(({ what }) => what);
      expect(found).toContain('a row of invoice_order (2) points to no invoice');
    });
  });

  it('is asked about more orders of an own book than a statement may have parameters', async () => {
    const { place } = await newDatabase();
    const orders = ['SO-1,2026-10-01,handed_over,USD,25.00,Beirut'];
    await withLedgerAt(place, { ...SPEC, own: { orders } }, async ({ db }) => {
      const references = ['SO-1', ...Array.from({ length: 70_000 }, (_, at) => `ref-${at}`)];
      expect(await readOwnCods(db, references)).toEqual([{ key: 'SO-1', currency: 'USD', cod: '250000' }]);
    });
  });

  it('works with a lease where advisory locks do nothing: a holder that was thought dead cannot write', async () => {
    const { place: plain, query } = await newDatabase();
    const place: ServerPlace = { ...plain, lock: 'lease' };
    const first = usingLedger(place, { exclusive: 'close' }, async (ledger) => {
      const second = usingLedger(place, { exclusive: 'sync' }, async () => {});
      await expect(second).rejects.toThrow(/^a close is at work on .*, since .* UTC$/);
      // Whoever comes in the middle of its transaction is told at once, and does not wait for its end.
      await ledger.db.transaction().execute(async () => {
        await expect(usingLedger(place, { exclusive: 'import' }, async () => {})).rejects.toThrow(
          /^a close is at work/,
        );
        const ofOne = { exclusive: 'sync', exclusiveOf: 'swift' } as const;
        await expect(usingLedger(place, ofOne, async () => {})).rejects.toThrow(/^a close is at work/);
      });
      // It stalls for longer than its lease, and another takes over.
      await query("update remit.remit_lease set until = now() - interval '1 second'");
      await usingLedger(place, { exclusive: 'sync' }, async () => {});
      await ledger.db.transaction().execute(async () => {});
    });
    await expect(first).rejects.toThrow(LedgerError);
    await expect(first).rejects.toThrow(/was lost/);
  });

  describe('a lease of one courier and a lease of the whole ledger', () => {
    const whole = { exclusive: 'import' } as const;
    const swift = { exclusive: 'sync', exclusiveOf: 'swift' } as const;
    const cedar = { exclusive: 'sync', exclusiveOf: 'cedar' } as const;

    async function leasedLedger() {
      const { place, query } = await newDatabase();
      const leased: ServerPlace = { ...place, lock: 'lease' };
      return {
        query,
        using: (options: LedgerOptions, use: (ledger: Ledger) => Promise<unknown>) => usingLedger(leased, options, use),
        /** As if the holder had been frozen for longer than its lease. */
        lapse: (name: string) =>
          query(`update remit.remit_lease set until = now() - interval '1 second' where purpose = '${name}'`),
      };
    }
    const write = ({ db }: Ledger) => db.transaction().execute(async () => {});

    it.each([
      ['of a courier, then the whole ledger', swift, 'work/swift', whole],
      ['of the whole ledger, then a courier', whole, 'work', swift],
    ])('fence each other: %s', async (_, frozen, name, taker) => {
      const { using, lapse } = await leasedLedger();
      const first = using(frozen, async (ledger) => {
        await write(ledger);
        await lapse(name);
        await using(taker, async (second) => {
          await write(second);
          await expect(write(ledger)).rejects.toThrow(/was lost/);
        });
        await write(ledger);
      });
      await expect(first).rejects.toThrow(/was lost/);
    });

    it('are lost to nobody who was refused, and not to another courier', async () => {
      const { using, lapse } = await leasedLedger();
      await using(swift, async (ledger) => {
        await using(cedar, async () => {
          await lapse('work/swift');
          await expect(using(whole, async () => {})).rejects.toThrow(/^a sync is at work/);
        });
        await lapse('work/swift');
        await using(cedar, write);
        await write(ledger);
      });
    });

    it('are taken over by nobody in the middle of a transaction', async () => {
      const { using, lapse } = await leasedLedger();
      for (const [frozen, name, taker] of [
        [swift, 'work/swift', whole],
        [whole, 'work', swift],
      ] as const) {
        await using(frozen, async ({ db }) => {
          await lapse(name);
          await db.transaction().execute(async () => {
            await expect(using(taker, async () => {})).rejects.toThrow(LedgerBusyError);
          });
        });
      }
    });

    it('are renewed from the end of a transaction, if the renewal waited for it', async () => {
      const { using, query } = await leasedLedger();
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      await using(swift, async ({ db }) => {
        let ended = '';
        await db.transaction().execute(async () => {
          vi.advanceTimersByTime(10_000);
          await sleep(1_500);
          ended = (await query<{ now: string }>('select clock_timestamp()::text as now'))[0]!.now;
        });
        await expect
          .poll(
            () =>
              query(
                `select until >= '${ended}'::timestamptz + interval '30 seconds' as renewed from remit.remit_lease
                  where purpose = 'work/swift'`,
              ),
            { timeout: 5_000 },
          )
          .toEqual([{ renewed: true }]);
      });
    });
  });
});
