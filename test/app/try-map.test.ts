import { expect, it } from 'vitest';
import { tryMap } from '../../src/app/import/unmapped.ts';

it('a map of settlement sheets is tried with its fees and charges', async () => {
  const sheet = ['Payout,Paid on,Order,COD $,Fee $,Packing $', '7,2026-10-28,A1,100.00,3.00,0.50'].join('\n');
  const map = {
    name: 'cedar',
    kind: 'settlement' as const,
    currency: 'USD',
    columns: {
      invoice: 'Payout',
      issued_on: 'Paid on',
      order: 'Order',
      cod: 'COD $',
      'charges.delivery': 'Fee $',
      'charges.packing': 'Packing $',
    },
  };
  const file = { bytes: Buffer.from(sheet), name: 'cedar.csv' };
  const { rows } = await tryMap(map, file, { signal: new AbortController().signal });
  expect(rows).toMatchObject([{ cod: '100.00', 'charges.delivery': '3.00', 'charges.packing': '0.50' }]);
});
