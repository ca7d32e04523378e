import { expect } from 'vitest';
import type { Api } from '../api.ts';
import * as is from '../checks.ts';
import { newOrder, orderBody } from '../makers.ts';
import { section } from './row.ts';

const refusedMoney = (says: string, cod: unknown) => ({
  id: `money.refused.${says.replaceAll(/\W+/g, '-')}`,
  says: `A money field is a list of pairs of exactly two texts: ${says} is refused`,
  test: async (api: Api) => {
    const error = await api.refused(400, 'POST', 'orders/', { json: await orderBody(api, { cod }) });
    expect(error.details).toMatch(/^cod\b.*: ./);
  },
});

const takenMoney = (says: string, sent: string, answered: string) => ({
  id: `money.two-decimals.${says.replaceAll(/\W+/g, '-')}`,
  says: `Amounts in responses have two decimals: ${says}`,
  test: async (api: Api) => {
    const { cod } = await newOrder(api, { cod: [['USD', sent]] });
    expect(cod).toEqual([['USD', answered]]);
  },
});

export const moneyRows = section('Common conventions', [
  {
    id: 'money.pairs',
    says: 'Each pair of a money field holds a currency code of three letters, then a decimal amount as text',
    async test(api) {
      const { cod, delivery_fee } = await newOrder(api, { cod: [['USD', '10.50']] });
      is.money(cod, 'cod');
      is.money(delivery_fee, 'delivery_fee');
      expect(cod).toEqual([['USD', '10.50']]);
    },
  },
  {
    id: 'money.currencies',
    says: 'Several currencies may stand in one list',
    async test(api) {
      const cod = [
        ['USD', '1.25'],
        ['LBP', '1500000.00'],
        ['EUR', '0.00'],
      ];
      expect((await newOrder(api, { cod })).cod).toEqual(cod);
    },
  },
  takenMoney('a whole amount gets them', '25', '25.00'),
  takenMoney('one decimal becomes two', '25.5', '25.50'),
  takenMoney('nothing is lost of a great amount', '999999999999.99', '999999999999.99'),
  takenMoney('zero', '0', '0.00'),
  refusedMoney('a pair of one', [['USD']]),
  refusedMoney('a pair of three', [['USD', '1.00', 'x']]),
  refusedMoney('an empty pair', [[]]),
  refusedMoney('an amount that is a number', [['USD', 25]]),
  refusedMoney('a currency that is no text', [[null, '25.00']]),
  refusedMoney('an object', { USD: '25.00' }),
  refusedMoney('a text', 'USD 25'),
  refusedMoney('a pair that is an object', [{ 0: 'USD', 1: '1.00' }]),
  ...['12.3x', '', ' ', 'NaN', 'Infinity', '1e3', '0x1f', '1,000.00', '1_000', '٣', '+5.00', '.5', '5.'].map(
    (amount) => ({
      id: `money.amount.${amount || 'empty'}`,
      says: `An amount is a plain decimal: ${JSON.stringify(amount)} is refused`,
      test: async (api: Api) => {
        const json = await orderBody(api, { cod: [['USD', amount]] });
        const { details } = await api.refused(400, 'POST', 'orders/', { json });
        expect(details).toMatch(/^cod\b.*: ./);
      },
    }),
  ),
  {
    id: 'money.requests',
    says: 'What further binds money in requests is not shown',
    choice: 'Money in requests',
    async test(api) {
      const refusals: [unknown, RegExp][] = [
        [[['usd', '1.00']], /^cod\[0\]\[0\]: "usd"/],
        [[['US', '1.00']], /^cod\[0\]\[0\]: /],
        [[['', '1.00']], /^cod\[0\]\[0\]: /],
        [[['USD', '-1.00']], /^cod\[0\]\[1\]: /],
        [[['USD', '1.001']], /^cod\[0\]\[1\]: /],
        [[['USD', '1000000000000']], /^cod\[0\]\[1\]: /],
        [
          [
            ['USD', '1.00'],
            ['USD', '2.00'],
          ],
          /^cod\[1\]\[0\]: USD stands twice/,
        ],
      ];
      for (const [cod, details] of refusals) {
        const json = await orderBody(api, { cod });
        const error = await api.refused(400, 'POST', 'orders/', { json });
        expect(error.details).toMatch(details);
      }
      expect((await newOrder(api, { cod: [] })).cod).toEqual([]);
    },
  },
]);
