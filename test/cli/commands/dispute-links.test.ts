import { afterEach, beforeEach, expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, type Pair, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';

let courier: FakeCourier;
let books: OwnBooks;
beforeEach(async () => {
  courier = await startFakeCourier();
  books = ownBooks();
});
afterEach(() => courier.close());

const usd = (amount: string): Pair[] => [['USD', amount]];
const row = (order_id: string) => ({
  order_id,
  reference_id: `SO-${order_id}`,
  cod: usd('60.00'),
  delivery_fee: usd('3.00'),
});

const run = (now: string, ...argv: string[]) =>
  remit(argv, { cwd: books.folder, now: new Date(now), env: { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY } });

it('a claim says what is wrong with the invoice that an order names', async () => {
  const invoice = invoiceOf(10005, '2026-10-25T10:00:00Z', [row('N014')]);
  courier.world.orders = [
    {
      ...row('N014'),
      workflow: 'STANDARD',
      delivery_state: 'DELIVERED',
      payment_state: 'UNPAID',
      merchant_invoice: 10005,
      statestamps: [{ delivery_state: 'DELIVERED', payment_state: 'UNPAID', timestamp: '2026-10-20T08:00:00Z' }],
    },
  ];
  courier.world.invoices = [invoice];
  await run('2026-11-01T02:00:00Z', 'sync', '2026-10', '--orders');
  courier.world.invoices = [];
  await run('2026-11-02T02:00:00Z', 'sync', '2026-10', '--orders');
  const claim = async (...argv: string[]) =>
    (await run('2026-11-02T03:00:00Z', 'dispute', '2026-10', '--dry-run', ...argv)).stdout.replaceAll(/\s+/g, ' ');
  expect(await claim()).toContain(
    'Your record of the order and your invoices do not agree on which invoice lists it: the record names invoice 10005, which is gone from your list of invoices.',
  );
  expect(await claim('--lang', 'ar')).toContain('التي اختفت من قائمة فواتيركم');
});
