import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../src/checks/index.ts';
import { runChecks } from '../../src/checks/run.ts';
import { LedgerError, UsageError } from '../../src/errors.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { readMismatchHistory } from '../../src/ledger/reader/index.ts';
import { fill, type InvoiceSpec, withLedger } from '../helpers/ledger.ts';
import { OPTIONS } from './options.ts';

const OCTOBER = { ...OPTIONS, periods: ['2026-10'] };

/** An invoice whose header states this much COD where its row has 25.00. */
const stating = (cod: string): InvoiceSpec => ({
  number: 1,
  rows: [{ order_id: 'A', amounts: { USD: ['25.00', '0'] } }],
  header: { USD: [cod, '0', cod] },
});

async function settle(ledger: Ledger, status: 'acknowledged' | 'resolved', note: string): Promise<string> {
  const { id, status: from_status } = await ledger.db.selectFrom('mismatch').selectAll().executeTakeFirstOrThrow();
  await ledger.db.updateTable('mismatch').set({ status, note }).where('id', '=', id).execute();
  const event = {
    mismatch_id: id,
    at: '2026-11-19T00:00:00.000Z',
    actor: 'Rana',
    from_status,
    to_status: status,
    note,
  };
  await ledger.db.insertInto('mismatch_event').values(event).execute();
  return id;
}

async function history(ledger: Ledger): Promise<string[]> {
  const { id } = await ledger.db.selectFrom('mismatch').select('id').executeTakeFirstOrThrow();
  return (await readMismatchHistory(ledger.db, id)).map(
    (event) => `${event.actor}: ${event.from_status} → ${event.to_status}`,
  );
}

const restate = (ledger: Ledger, cod: string) => fill(ledger.db, { invoices: [stating(cod)] });
const statusNow = async (ledger: Ledger) =>
  await ledger.db.selectFrom('mismatch').select(['status', 'note', 'actual']).executeTakeFirstOrThrow();

describe('the workflow of a mismatch', () => {
  it('opens, with its first event', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      const { open, mismatches } = await runChecks(ledger, OCTOBER);
      expect(open).toEqual({ error: 1, warning: 0, info: 0 });
      expect(mismatches).toHaveLength(1);
      expect(await history(ledger)).toEqual(['remit: null → open']);
    });
  });

  it('writes nothing when nothing has changed', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      const first = await runChecks(ledger, OCTOBER);
      const changes = async () => (await ledger.db.selectFrom('mismatch_event').selectAll().execute()).length;
      const before = await changes();
      // An update of a row, even to what it was, would be refused here.
      const { sql } = await import('kysely');
      await sql`create trigger frozen before update on mismatch begin select raise(abort, 'written'); end`.execute(
        ledger.db,
      );
      const later = new Date(OCTOBER.now.getTime() + 86_400_000);
      expect(await runChecks(ledger, { ...OCTOBER, now: later })).toEqual(first);
      expect(await changes()).toBe(before);
    });
  });

  it('is resolved by itself when the data is mended, and opens again with its history when it shows again', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      const { mismatches: before } = await runChecks(ledger, OCTOBER);
      await restate(ledger, '25.00');
      expect((await runChecks(ledger, OCTOBER)).mismatches).toEqual([]);
      expect((await statusNow(ledger)).status).toBe('resolved');
      expect((await runChecks(ledger, OCTOBER)).mismatches).toEqual([]);
      await restate(ledger, '30.00');
      expect((await runChecks(ledger, OCTOBER)).mismatches).toEqual(before);
      expect(await history(ledger)).toEqual(['remit: null → open', 'remit: open → resolved', 'remit: resolved → open']);
    });
  });

  it('keeps its figures up to date while it is open', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await runChecks(ledger, OCTOBER);
      await restate(ledger, '31.00');
      const { mismatches } = await runChecks(ledger, OCTOBER);
      expect(mismatches).toMatchObject([{ actual: '31.00', effect: '6.00', status: 'open' }]);
      expect(await history(ledger)).toEqual(['remit: null → open']);
    });
  });

  it('stays acknowledged while its figures are the same, and opens when they change; its note survives', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await runChecks(ledger, OCTOBER);
      await settle(ledger, 'acknowledged', 'asked on Monday');
      const again = await runChecks(ledger, OCTOBER);
      expect(again.open.error).toBe(0);
      expect(again.mismatches).toMatchObject([{ status: 'acknowledged', note: 'asked on Monday' }]);
      await restate(ledger, '31.00');
      await runChecks(ledger, OCTOBER);
      expect(await statusNow(ledger)).toEqual({ status: 'open', note: 'asked on Monday', actual: '31.00' });
    });
  });

  it('stays resolved by a person while its figures are the same, and opens when they change', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await runChecks(ledger, OCTOBER);
      await settle(ledger, 'resolved', 'agreed by phone');
      expect((await runChecks(ledger, OCTOBER)).mismatches).toEqual([]);
      await restate(ledger, '31.00');
      expect((await runChecks(ledger, OCTOBER)).mismatches).toMatchObject([
        { status: 'open', note: 'agreed by phone' },
      ]);
    });
  });

  it('opens again after a person resolved it, the data was mended, and it shows once more', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await runChecks(ledger, OCTOBER);
      await settle(ledger, 'resolved', 'they will correct it');
      await restate(ledger, '25.00');
      await runChecks(ledger, OCTOBER);
      await runChecks(ledger, OCTOBER);
      await restate(ledger, '30.00');
      expect((await runChecks(ledger, OCTOBER)).open.error).toBe(1);
      expect(await history(ledger)).toEqual([
        'remit: null → open',
        'Rana: open → resolved',
        'remit: resolved → resolved',
        'remit: resolved → open',
      ]);
    });
  });

  it('does not open again only because another day has passed', async () => {
    const unpaid: InvoiceSpec = {
      number: 1,
      status: 'PENDING_PAYMENT',
      issued_at: '2026-10-01T00:00:00Z',
      rows: [{ order_id: 'A' }],
    };
    await withLedger({ invoices: [unpaid] }, async (ledger) => {
      await runChecks(ledger, OCTOBER);
      await settle(ledger, 'acknowledged', 'they pay on the 25th');
      const now = new Date('2026-11-24T12:00:00Z');
      const { mismatches } = await runChecks(ledger, { ...OCTOBER, now });
      expect(mismatches).toMatchObject([{ status: 'acknowledged', actual: '54' }]);
    });
  });

  it('follows an order that is billed again to the later month', async () => {
    const twice = (number: number, period: string) => ({ number, period, rows: [{ order_id: 'A' }] });
    const invoices = [twice(1, '2026-08'), twice(2, '2026-09')];
    await withLedger({ invoices }, async (ledger) => {
      const run = (...periods: string[]) => runChecks(ledger, { ...OPTIONS, periods, only: ['order-on-two-invoices'] });
      expect((await run('2026-08')).mismatches).toEqual([]);
      expect((await run('2026-09')).mismatches).toMatchObject([{ period: '2026-09', actual: '2' }]);
      await fill(ledger.db, { invoices: [twice(3, '2026-10')] });
      expect((await run('2026-09')).mismatches).toEqual([]);
      expect(await ledger.db.selectFrom('mismatch').select(['period', 'status']).execute()).toEqual([
        { period: '2026-10', status: 'open' },
      ]);
      expect((await run('2026-10')).mismatches).toMatchObject([{ period: '2026-10', actual: '3' }]);
      expect(await history(ledger)).toEqual(['remit: null → open']);
    });
  });

  it('is left alone by a check that did not run', async () => {
    await withLedger(
      { invoices: [stating('30.00'), { number: 2, rows: [{ order_id: 'B', book: null }] }] },
      async (ledger) => {
        await runChecks(ledger, OCTOBER);
        await restate(ledger, '25.00');
        await fill(ledger.db, { orders: [{ order_id: 'B', merchant_invoice: '2' }] });
        const { mismatches } = await runChecks(ledger, { ...OCTOBER, only: ['order-unknown'] });
        expect(mismatches).toEqual([]);
        const stored = await ledger.db.selectFrom('mismatch').select(['code', 'status']).orderBy('code').execute();
        expect(stored).toEqual([
          { code: 'invoice-cod-total', status: 'open' },
          { code: 'order-unknown', status: 'resolved' },
        ]);
      },
    );
  });
});

describe('what is checked', () => {
  it.each([
    ['none', 'was never synced'],
    ['partial', 'the whole order book'],
  ] as const)('skips the checks against an order book that is %s, and says why', async (orderBook, why) => {
    await withLedger(
      { orderBook, invoices: [{ number: 1, rows: [{ order_id: 'A', book: null }] }] },
      async (ledger) => {
        const { skipped, mismatches } = await runChecks(ledger, OCTOBER);
        expect(skipped.map(({ code }) => code)).toEqual(
          CHECKS.filter(({ needs }) => needs !== 'invoices').map(({ code }) => code),
        );
        expect(skipped.every((skip) => skip.why.includes(why) && skip.why.includes('remit sync --orders'))).toBe(true);
        expect(mismatches).toEqual([]);
      },
    );
  });

  it('leaves vanished invoices out of every check', async () => {
    const bad: InvoiceSpec = {
      number: 1,
      rows: [
        { order_id: 'A', delivery_state: 'CANCELLED', payment_state: 'UNPAID', book: null },
        { order_id: 'A', delivery_state: 'CANCELLED', book: null },
      ],
      header: { USD: ['1', '2', '3'] },
      list: { status: 'X', issued_at: '2020-01-01T00:00:00Z', order_count: 9, amounts: {} },
    };
    await withLedger({ invoices: [bad] }, async (ledger) => {
      expect((await runChecks(ledger, OCTOBER)).mismatches.length).toBeGreaterThan(8);
      await fill(ledger.db, { invoices: [{ ...bad, vanished: true }] });
      expect((await runChecks(ledger, OCTOBER)).mismatches).toEqual([]);
    });
  });

  it('refuses a code that no check has, and lists those there are', async () => {
    await withLedger({ periods: ['2026-10'] }, async (ledger) => {
      const error = await runChecks(ledger, { ...OCTOBER, only: ['invoice-net', 'invoice-nett'] }).catch((e) => e);
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain('"invoice-nett"');
      expect(error.hint).toContain('invoice-net, ');
    });
  });

  it('refuses months that were never synced, and checks the others', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      const error = await runChecks(ledger, { ...OCTOBER, periods: ['2026-07', '2026-08'] }).catch((e) => e);
      expect(error).toBeInstanceOf(LedgerError);
      expect(error.message).toContain('2026-07..2026-08');
      expect(error.hint).toContain('remit sync 2026-07..2026-08');
      const result = await runChecks(ledger, { ...OCTOBER, periods: ['2026-09', '2026-10'] });
      expect(result).toMatchObject({ period: '2026-09..2026-10', notSynced: ['2026-09'], open: { error: 1 } });
    });
  });

  it('sorts by severity, month, invoice and order', async () => {
    const cancelled = (...ids: string[]) =>
      ids.map((order_id) => ({ order_id, delivery_state: 'CANCELLED', amounts: { USD: ['0', '1'] } as const }));
    const invoices: InvoiceSpec[] = [
      { number: 12, rows: cancelled('B', 'A') },
      { number: 9, rows: cancelled('C'), list: { order_count: 2 } },
      { number: 20, period: '2026-09', rows: cancelled('D'), list: { order_count: 2 } },
    ];
    await withLedger({ invoices }, async (ledger) => {
      const { mismatches } = await runChecks(ledger, OPTIONS);
      expect(mismatches.map((m) => [m.severity, m.invoice_number, m.order_id])).toEqual([
        ['error', 20, null],
        ['error', 9, null],
        ['warning', 20, 'D'],
        ['warning', 9, 'C'],
        ['warning', 12, 'A'],
        ['warning', 12, 'B'],
      ]);
    });
  });

  it('gives each of an order’s repeated rows a mismatch of its own', async () => {
    const row = (cod: string) => ({
      order_id: 'A',
      amounts: { USD: [cod, '0'], LBP: ['1', '0'] } as const,
      delivery_state: 'CANCELLED',
    });
    await withLedger({ invoices: [{ number: 1, rows: [row('1.00'), row('2.00')] }] }, async (ledger) => {
      const { mismatches } = await runChecks(ledger, { ...OCTOBER, only: ['cod-without-delivery'] });
      expect(mismatches.map(({ currency, actual }) => `${actual} ${currency}`).sort()).toEqual([
        '1.00 LBP',
        '1.00 LBP',
        '1.00 USD',
        '2.00 USD',
      ]);
      expect(new Set(mismatches.map(({ id }) => id)).size).toBe(4);
    });
  });

  it('cuts text from outside short and takes its control characters out', async () => {
    const reference_id = `x\u001b[31m\n\u202e${'y'.repeat(500)}`;
    await withLedger(
      { invoices: [{ number: 1, rows: [{ order_id: 'A', reference_id, book: null }] }] },
      async (ledger) => {
        const { mismatches } = await runChecks(ledger, OCTOBER);
        expect(mismatches[0]!.reference_id).toBe(reference_id);
        expect(mismatches[0]!.message).toContain('(reference "x [31m yyy');
        expect(mismatches[0]!.message.length).toBeLessThan(300);
        expect(mismatches[0]!.message).not.toMatch(/[\p{Cc}\u202e]/u);
      },
    );
  });
});
