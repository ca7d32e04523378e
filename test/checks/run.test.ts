import { describe, expect, it } from 'vitest';
import { recordEvidence } from '../../src/app/record.ts';
import { UsageError } from '../../src/base/errors.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { needsOwnSide } from '../../src/checks/requirement.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { readMismatchHistory } from '../../src/ledger/queries/findings/history.ts';
import { fill, type InvoiceSpec, withLedger } from '../helpers/ledger.ts';
import { check, OPTIONS } from './options.ts';

const OCTOBER = { ...OPTIONS, periods: ['2026-10'] };
/** Nothing but the header against its rows: a restated invoice is a finding of its own. */
const HEADER = { ...OCTOBER, only: ['invoice-cod-total'] };

/** An invoice whose header states this much COD where its row has 25.00. */
const stating = (cod: string): InvoiceSpec => ({
  number: 1,
  rows: [{ order_id: 'A', amounts: { USD: ['25.00', '0'] } }],
  header: { USD: [cod, '0', cod] },
});

/** What a person decides, as evidence. */
async function settle(ledger: Ledger, to_status: 'acknowledged' | 'resolved', note: string): Promise<string> {
  const { id } = await ledger.db.selectFrom('mismatch').select('id').executeTakeFirstOrThrow();
  const decision = { ids: [id], to_status, note };
  await ledger.db.transaction().execute(async (trx) => {
    const at = new Date('2026-11-19T00:00:00.000Z');
    await recordEvidence(trx, { at, kind: 'decision', actor: 'Rana', subject: id, data: decision });
  });
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
      const { open, mismatches } = await check(ledger, HEADER);
      expect(open).toEqual({ error: 1, warning: 0, info: 0 });
      expect(mismatches).toHaveLength(1);
      expect(await history(ledger)).toEqual(['remit: null → open']);
    });
  });

  it('writes nothing when nothing has changed', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      const first = await check(ledger, HEADER);
      const changes = async () => (await ledger.db.selectFrom('mismatch_event').selectAll().execute()).length;
      const before = await changes();
      // An update of a row, even to what it was, would be refused here.
      const { sql } = await import('kysely');
      await sql`create trigger frozen before update on mismatch begin select raise(abort, 'written'); end`.execute(
        ledger.db,
      );
      const later = new Date(HEADER.now.getTime() + 86_400_000);
      expect(await check(ledger, { ...HEADER, now: later })).toEqual({
        ...first,
        ...{ new: 0, changed: [], changedGroups: { shown: [], resolved: [] } },
      });
      expect(await changes()).toBe(before);
    });
  });

  it('is resolved by itself when the data is mended, and opens again with its history when it shows again', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      const { mismatches: before } = await check(ledger, HEADER);
      await restate(ledger, '25.00');
      expect((await check(ledger, HEADER)).mismatches).toEqual([]);
      expect((await statusNow(ledger)).status).toBe('resolved');
      expect((await check(ledger, HEADER)).mismatches).toEqual([]);
      await restate(ledger, '30.00');
      expect((await check(ledger, HEADER)).mismatches).toEqual(before);
      expect(await history(ledger)).toEqual(['remit: null → open', 'remit: open → resolved', 'remit: resolved → open']);
    });
  });

  it('keeps its figures up to date while it is open', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await check(ledger, HEADER);
      await restate(ledger, '31.00');
      const { mismatches } = await check(ledger, HEADER);
      expect(mismatches).toMatchObject([{ actual: '31.00', effect: '6.00', status: 'open' }]);
      expect(await history(ledger)).toEqual(['remit: null → open']);
    });
  });

  it('stays acknowledged while its figures are the same, and opens when they change; its note survives', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await check(ledger, HEADER);
      await settle(ledger, 'acknowledged', 'asked on Monday');
      const again = await check(ledger, HEADER);
      expect(again.open.error).toBe(0);
      expect(again.mismatches).toMatchObject([{ status: 'acknowledged', note: 'asked on Monday' }]);
      await restate(ledger, '31.00');
      await check(ledger, HEADER);
      expect(await statusNow(ledger)).toEqual({ status: 'open', note: 'asked on Monday', actual: '31.00' });
    });
  });

  it('stays resolved by a person while its figures are the same, and opens when they change', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await check(ledger, HEADER);
      await settle(ledger, 'resolved', 'agreed by phone');
      expect((await check(ledger, HEADER)).mismatches).toEqual([]);
      await restate(ledger, '31.00');
      expect((await check(ledger, HEADER)).mismatches).toMatchObject([{ status: 'open', note: 'agreed by phone' }]);
    });
  });

  it('opens again after a person resolved it, the data was mended, and it shows once more', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await check(ledger, HEADER);
      await settle(ledger, 'resolved', 'they will correct it');
      await restate(ledger, '25.00');
      await check(ledger, HEADER);
      await check(ledger, HEADER);
      await restate(ledger, '30.00');
      expect((await check(ledger, HEADER)).open.error).toBe(1);
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
      await check(ledger, { ...OCTOBER, only: ['payment-overdue'] });
      await settle(ledger, 'acknowledged', 'they pay on the 25th');
      const now = new Date('2026-11-24T12:00:00Z');
      const { mismatches } = await check(ledger, { ...OCTOBER, now, only: ['payment-overdue'] });
      expect(mismatches).toMatchObject([{ status: 'acknowledged', actual: '54' }]);
    });
  });

  it('shows an order that is billed again in the month of each of its invoices, and follows it to the latest', async () => {
    const twice = (number: number, period: string) => ({ number, period, rows: [{ order_id: 'A' }] });
    const invoices = [twice(1, '2026-08'), twice(2, '2026-09')];
    await withLedger({ invoices }, async (ledger) => {
      const run = (...periods: string[]) => check(ledger, { ...OPTIONS, periods, only: ['order-on-two-invoices'] });
      for (const month of ['2026-08', '2026-09']) {
        expect((await run(month)).mismatches).toMatchObject([{ period: '2026-09', actual: '2', effect: '22.00' }]);
      }
      await fill(ledger.db, { invoices: [twice(3, '2026-10')] });
      expect((await run('2026-09')).mismatches).toMatchObject([{ period: '2026-10', actual: '3', effect: '44.00' }]);
      expect(await ledger.db.selectFrom('mismatch').select(['period', 'status']).execute()).toEqual([
        { period: '2026-10', status: 'open' },
      ]);
      expect(await history(ledger)).toEqual(['remit: null → open']);
    });
  });

  it('is not resolved by a look at fewer months than it shows in', async () => {
    const invoices = [
      { number: 1, period: '2026-09', rows: [{ order_id: 'A' }] },
      { number: 2, period: '2026-10', rows: [{ order_id: 'A' }] },
    ];
    await withLedger({ invoices }, async (ledger) => {
      const run = (...periods: string[]) => check(ledger, { ...OPTIONS, periods, only: ['order-on-two-invoices'] });
      await run('2026-09', '2026-10');
      await fill(ledger.db, { invoices: [{ number: 2, period: '2026-10', rows: [{ order_id: 'B' }] }] });
      expect((await run('2026-10')).mismatches).toMatchObject([{ status: 'open' }]);
      expect((await run('2026-09', '2026-10')).mismatches).toEqual([]);
    });
  });

  it('is not resolved because one of its documents is gone', async () => {
    const invoices = [
      { number: 1, rows: [{ order_id: 'A' }] },
      { number: 2, rows: [{ order_id: 'A' }] },
    ];
    await withLedger({ invoices }, async (ledger) => {
      const run = () => check(ledger, { ...OCTOBER, only: ['order-on-two-invoices'] });
      await run();
      await fill(ledger.db, { gone: [2] });
      expect((await run()).mismatches).toMatchObject([{ status: 'open', effect: null }]);
    });
  });

  it('is left alone by a check that did not run', async () => {
    await withLedger(
      { invoices: [stating('30.00'), { number: 2, rows: [{ order_id: 'B', book: null }] }] },
      async (ledger) => {
        await check(ledger, { ...OCTOBER, only: ['invoice-cod-total', 'order-unknown'] });
        await restate(ledger, '25.00');
        await fill(ledger.db, { orders: [{ order_id: 'B', merchant_invoice: '2' }] });
        const { mismatches } = await check(ledger, { ...OCTOBER, only: ['order-unknown'] });
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
  it('skips the checks against an order book that there is none of, and says why', async () => {
    const invoices = [{ number: 1, rows: [{ order_id: 'A', book: null }] }];
    await withLedger({ orderBook: 'none', invoices }, async (ledger) => {
      const { skipped, mismatches, bridge } = await check(ledger, OCTOBER);
      // Of one courier, and without webhooks, it is not asked at all.
      const unmet = CHECKS.filter(({ requires }) => requires.length > 0)
        .map(({ code }) => code)
        .filter((code) => !['order-at-two-couriers', 'webhook-missed'].includes(code));
      expect(skipped.map(({ code }) => code)).toEqual(unmet);
      expect(skipped.find(({ code }) => code === 'order-unknown')!.why).toContain('remit sync --orders');
      expect(mismatches).toEqual([]);
      expect(bridge).toMatchObject([{ courier: '22.00', ours: null, unexplained: null, short: '0.00' }]);
    });
  });

  it('says of every check how much it compared', async () => {
    await withLedger({ invoices: [stating('30.00')], nights: [{}] }, async (ledger) => {
      const { coverage } = await check(ledger, OCTOBER);
      const expected = CHECKS.filter((each) => !needsOwnSide(each) && !each.needsWebhooks).map(({ code }) => code);
      expect(coverage.map(({ code }) => code)).toEqual(expected);
      expect(coverage[0]).toEqual({ code: 'invoice-cod-total', compared: 1, not_comparable: 0, found: 1 });
    });
  });

  it('goes on finding what is wrong inside an invoice that has vanished, and takes its money once', async () => {
    await withLedger({ invoices: [stating('30.00')] }, async (ledger) => {
      await check(ledger, OCTOBER);
      await fill(ledger.db, { gone: [1] });
      const { mismatches, bridge } = await check(ledger, OCTOBER);
      expect(mismatches.map(({ code, effect }) => [code, effect])).toEqual([
        ['order-invoice-link', null],
        ['invoice-cod-total', null],
        ['invoice-vanished', '-30.00'],
      ]);
      expect(bridge).toMatchObject([{ courier: '0.00', ours: '0.00', unexplained: '0.00', short: '-30.00' }]);
    });
  });

  it('keeps out an invoice whose amounts add up to more than the ledger holds, and goes on with the others', async () => {
    const rows = ['A', 'B'].map((order_id) => ({ order_id, amounts: { USD: ['600000000000000', '0'] } as const }));
    const header = { USD: ['1.00', '0', '1.00'] } as const;
    await withLedger(
      {
        invoices: [
          { number: 1, rows, header },
          { ...stating('30.00'), number: 2 },
        ],
      },
      async (ledger) => {
        const { mismatches, bridge } = await check(ledger, OCTOBER);
        expect(mismatches.map(({ code, invoice_number }) => [code, invoice_number])).toEqual([
          ['document-malformed', 1],
          ['invoice-cod-total', 2],
        ]);
        expect(mismatches[0]!.message).toContain(
          'cannot be read: orders: amounts in USD add up to more than the ledger can',
        );
        expect(bridge).toMatchObject([{ courier: '30.00' }]);
      },
    );
  });

  it('refuses a code that no check has, and lists those there are', async () => {
    await withLedger({ periods: ['2026-10'] }, async (ledger) => {
      const error = await check(ledger, { ...OCTOBER, only: ['invoice-net', 'invoice-nett'] }).catch((e) => e);
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain('"invoice-nett"');
      expect(error.hint).toContain('invoice-net, ');
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
      const { mismatches } = await check(ledger, { only: ['invoice-order-count', 'fee-on-cancelled'] });
      expect(mismatches.map((m) => [m.severity, m.invoice_number, m.order_id])).toEqual([
        ['error', 20, null],
        ['error', 9, null],
        ['warning', 20, 'D'],
        ['warning', 9, 'C'],
        ['warning', 12, null],
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
      const { mismatches } = await check(ledger, { ...OCTOBER, only: ['cod-without-delivery'] });
      expect(mismatches.map(({ currency, actual }) => `${actual} ${currency}`).sort()).toEqual([
        '1.00 LBP',
        '1.00 LBP',
        '1.00 USD',
        '2.00 USD',
      ]);
      expect(new Set(mismatches.map(({ id }) => id)).size).toBe(4);
    });
  });

  it('names no other row when an earlier row of the same order heals', async () => {
    const book = { delivery_state: 'DELIVERED', first_delivered_at: '2026-10-10T08:00:00.000Z' };
    const row = (delivery_state: string) => ({ order_id: 'A', delivery_state, book });
    const rows = [row('CANCELLED'), row('IN_TRANSIT')];
    await withLedger({ invoices: [{ number: 1, rows }] }, async (ledger) => {
      const run = () => check(ledger, { ...OCTOBER, only: ['cod-without-delivery'] });
      const before = (await run()).mismatches.find(({ message }) => message.includes('In transit'));
      await fill(ledger.db, { invoices: [{ number: 1, rows: [row('DELIVERED'), row('In transit')] }] });
      expect((await run()).mismatches.map(({ id }) => id)).toEqual([before!.id]);
    });
  });

  it('cuts text from outside short and takes its control characters out', async () => {
    const reference_id = `x\u001b[31m\n\u202e${'y'.repeat(500)}`;
    await withLedger(
      { invoices: [{ number: 1, rows: [{ order_id: 'A', reference_id, book: null }, { order_id: 'B' }] }] },
      async (ledger) => {
        const { mismatches } = await check(ledger, { ...OCTOBER, only: ['order-unknown'] });
        expect(mismatches[0]!.reference_id).toBe(reference_id);
        expect(mismatches[0]!.message).toContain('(reference "x␛[31m yyy');
        expect(mismatches[0]!.message.length).toBeLessThan(300);
        expect(mismatches[0]!.message).not.toMatch(/[\p{Cc}\u202e]/u);
      },
    );
  });
});
