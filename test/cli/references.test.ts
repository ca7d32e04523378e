import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeOrder, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

const RECORD = {
  workflow: 'STANDARD',
  delivery_state: 'PICKED',
  payment_state: 'PENDING_PAYMENT_FROM_CUSTOMER',
  cod: [['USD', '10.00']],
  delivery_fee: [['USD', '1.00']],
  statestamps: [],
};
/** More than one statement gives: of these, none is the exact one. */
const CAPITALS: FakeOrder[] = Array.from({ length: 40 }, (_, index) => ({
  ...RECORD,
  order_id: `A${100 + index}`,
  reference_id: 'SHOP-7',
}));

let courier: FakeCourier;
let at: (...argv: string[]) => ReturnType<typeof remit>;
beforeEach(async () => {
  const row = { cod: [['USD', '10.00']], delivery_fee: [['USD', '1.00']] } satisfies Record<string, [string, string][]>;
  courier = await startFakeCourier({
    orders: [...CAPITALS, { ...RECORD, order_id: 'Z1', reference_id: 'shop-7' }],
    invoices: [
      invoiceOf(7, '2026-10-05T10:00:00Z', [
        { order_id: 'I1', reference_id: 'Billed-Alone', ...row },
        { order_id: 'I2', reference_id: 'Café-2', ...row },
      ]),
    ],
  });
  const cwd = scratchFolder();
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: path.join(cwd, 'ledger.db') };
  at = (...argv) => remit(argv, { cwd, env });
  expect((await at('sync', '2026-10', '--orders', '--quiet')).stderr).toBe('');
});
afterEach(() => courier.close());

it('finds an order by its reference in any case, that of an invoice row too; what is written exactly comes first', async () => {
  const orderOf = async (reference: string) => /^order (\S+)/.exec((await at('show', 'order', reference)).stdout)?.[1];
  expect(await orderOf('shop-7')).toBe('Z1');
  expect(await orderOf('Billed-Alone')).toBe('I1');
  expect(await orderOf('#BILLED-ALONE')).toBe('I1');
  expect(await orderOf('cafÉ-2')).toBeUndefined();
  expect(await orderOf('CAFé-2')).toBe('I2');
  expect((await at('show', 'order', 'Shop-7')).stderr).toContain('A100');
  expect((await at('show', 'order', 'billed-alnoe')).stderr).toContain('Did you mean Billed-Alone');
});
