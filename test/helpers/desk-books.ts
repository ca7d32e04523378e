import { readFileSync } from 'node:fs';
import path from 'node:path';
import { invoiceOf, startFakeCourier } from './courier.ts';
import { scratchFolder } from './folder.ts';
import { type OwnBooks, ownBooks } from './own-books.ts';
import { syncInto } from './sync.ts';

const order = (id: string, cod: string) => ({
  order_id: id,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
});

/**
 * The file of a ledger of two invoices that nobody paid, of 97.00 and 47.00 USD: synced once, for all tests of a
 * process.
 */
let synced: Promise<Buffer> | undefined;

async function syncLedger(): Promise<Buffer> {
  const ledger = path.join(scratchFolder(), 'ledger.db');
  const courier = await startFakeCourier({
    invoices: [
      {
        ...invoiceOf(10001, '2026-10-01T10:00:00+03:00', [order('A', '100.00')]),
        status: 'PENDING_PAYMENT',
      },
      {
        ...invoiceOf(10002, '2026-10-02T10:00:00+03:00', [order('B', '20.00'), order('C<img src=x>', '33.00')]),
        status: 'PENDING_PAYMENT',
      },
    ],
  });
  const now = () => new Date('2026-11-05T09:00:00Z');
  await syncInto(ledger, courier, { periods: ['2026-10', '2026-11'], now }).finally(() => courier.close());
  return readFileSync(ledger);
}

/** Books with such a ledger, checked once. */
export async function deskBooks(toml = ''): Promise<OwnBooks> {
  const books = ownBooks(toml);
  synced ??= syncLedger();
  books.file('ledger.db', await synced);
  await books.remit(['check']);
  return books;
}
