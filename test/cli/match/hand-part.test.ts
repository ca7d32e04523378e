import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { ownBooks } from '../../helpers/own-books.ts';
import { syncInto } from '../../helpers/sync.ts';

it('a receipt without a sign that is matched in part is the courier’s in part, with a second courier too', async () => {
  const { folder, file, json } = ownBooks('time_zone = "UTC"');
  const order = {
    order_id: 'A',
    cod: [['USD', '100.00']] as [string, string][],
    delivery_fee: [['USD', '3.00']] as [string, string][],
  };
  const courier = await startFakeCourier({
    invoices: [invoiceOf(10001, '2026-10-05T10:00:00+00:00', [order], { status: 'PENDING_PAYMENT' })],
  });
  await syncInto(path.join(folder, 'ledger.db'), courier, { periods: ['2026-10'] }).finally(() => courier.close());
  await json(['import', 'receipts', file('cash.csv', 'date,amount,currency,text\n2026-10-28,250.00,USD,Counter 4\n')]);
  await json(['match', 'add', '1', '10001', '--part', '--note', 'the rest is the shop’s', '--by', 'Rana']);
  const closing = async (...more: string[]) => {
    const { rows } = await json<{ rows: object[] }>(['report', 'roll-forward', '2026-10', ...more]);
    return rows.map((row) => ({ ...row, courier: '' }));
  };
  const alone = await closing();
  expect(alone).toMatchObject([{ currency: 'USD', received: '-97.00', closing: '0.00' }]);
  file('key', KEY);
  appendFileSync(
    path.join(folder, 'remit.toml'),
    '[couriers.swift]\napi_url = "http://127.0.0.1:9/"\napi_key_file = "key"\n',
  );
  expect(await closing('--courier', 'courier')).toEqual(alone);
});
