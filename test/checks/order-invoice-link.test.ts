import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.ts';
import { fill, type LedgerSpec, withLedger } from '../helpers/ledger.ts';
import { check, OPTIONS } from './options.ts';

const look = async (ledger: Ledger) => {
  const { mismatches } = await check(ledger, { ...OPTIONS, periods: ['2026-10'], only: ['order-invoice-link'] });
  return mismatches.map(({ order_id, invoice_number, status }) => ({ order_id, invoice_number, status }));
};

const listing = (link: string | null): LedgerSpec => ({
  invoices: [
    { number: 1, rows: [{ order_id: 'A', book: { merchant_invoice: link } }] },
    { number: 2, rows: [{ order_id: 'B' }] },
  ],
});

describe('an order that does not name the invoice that lists it', () => {
  const open = { order_id: 'A', invoice_number: 1, status: 'open' };

  it('is not mended by the invoice going out of its list', async () => {
    await withLedger(listing(null), async (ledger) => {
      expect(await look(ledger)).toEqual([open]);
      await fill(ledger.db, { gone: [1] });
      expect(await look(ledger)).toEqual([open]);
    });
  });

  it('is mended when it names a listed invoice that lists it', async () => {
    await withLedger(listing(null), async (ledger) => {
      await look(ledger);
      await fill(ledger.db, { gone: [1] });
      await look(ledger);
      await fill(ledger.db, {
        invoices: [{ number: 2, rows: [{ order_id: 'B' }, { order_id: 'A', book: { merchant_invoice: '2' } }] }],
      });
      expect(await look(ledger)).toEqual([]);
    });
  });

  it('is mended when the record names it', async () => {
    await withLedger(listing(null), async (ledger) => {
      await look(ledger);
      await fill(ledger.db, listing('1'));
      expect(await look(ledger)).toEqual([]);
    });
  });
});

describe('an order that names an invoice which does not list it', () => {
  const named = (number: number) => ({ order_id: 'A', invoice_number: number, status: 'open' });
  const naming = (link: string): LedgerSpec => ({
    invoices: [{ number: 2, rows: [{ order_id: 'B' }] }],
    orders: [{ order_id: 'A', merchant_invoice: link, first_delivered_at: '2026-10-02T10:00:00Z' }],
  });

  it('is told once, with the invoice that it names now, though it stood on one that is gone', async () => {
    await withLedger(listing('1'), async (ledger) => {
      await fill(ledger.db, { gone: [1] });
      expect(await look(ledger)).toEqual([named(1)]);
      await fill(ledger.db, { orders: [{ order_id: 'A', merchant_invoice: '2' }] });
      expect(await look(ledger)).toEqual([named(2)]);
    });
  });

  it('is not mended by that invoice being read anew without the order book', async () => {
    await withLedger(naming('2'), async (ledger) => {
      expect(await look(ledger)).toEqual([named(2)]);
      await fill(ledger.db, {
        orderBook: 'none',
        invoices: [{ number: 2, rows: [{ order_id: 'B' }, { order_id: 'C', book: null }] }],
      });
      expect(await look(ledger)).toEqual([named(2)]);
      await fill(ledger.db, { orderBook: 'complete', orders: [{ order_id: 'A', merchant_invoice: null }] });
      expect(await look(ledger)).toEqual([]);
    });
  });

  it('is not mended by that invoice coming into a list without having been read', async () => {
    await withLedger({ ...naming('3'), periods: ['2026-10', '2026-11'] }, async (ledger) => {
      expect(await look(ledger)).toEqual([named(3)]);
      await fill(ledger.db, { invoices: [{ number: 3, rows: [{ order_id: 'D' }], detail: 'missing' }] });
      expect(await look(ledger)).toEqual([named(3)]);
    });
  });
});
