import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { invoiceOf, startFakeCourier } from '../helpers/courier.ts';
import { ownBooks } from '../helpers/own-books.ts';
import { syncInto } from '../helpers/sync.ts';

it('a page that cannot show every row has all of them in a CSV beside it', async () => {
  const order = (i: number) => ({
    order_id: `O${i}`,
    cod: [['USD', '10.00']] as [string, string][],
    delivery_fee: [['USD', '3.00']] as [string, string][],
  });
  const orders = Array.from({ length: 2_001 }, (_, i) => order(i + 1));
  const courier = await startFakeCourier({ invoices: [invoiceOf(10001, '2026-10-01T10:00:00+03:00', orders)] });
  const books = ownBooks();
  try {
    await syncInto(path.join(books.folder, 'ledger.db'), courier);
  } finally {
    await courier.close();
  }
  const at = (name: string) => path.join(books.folder, name);
  const { stderr } = await books.remit(['report', 'orders', '2026-10', '--out', 'orders.html']);
  expect(stderr).toContain(at('orders.csv'));
  expect(readFileSync(at('orders.html'), 'utf8')).toContain('<a href="./orders.csv">');
  expect(readFileSync(at('orders.csv'), 'utf8').trim().split('\n')).toHaveLength(2_002);

  await books.remit(['report', 'invoices', '2026-10', '--out', 'invoices.html']);
  expect(existsSync(at('invoices.csv'))).toBe(false);
  expect((await books.remit(['report', 'orders', '2026-10', '--format', 'html'])).stdout).toContain(
    '<code>remit report orders 2026-10 --format csv</code>',
  );
});
