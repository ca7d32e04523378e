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
