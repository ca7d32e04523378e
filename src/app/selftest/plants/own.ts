import { type OwnFiles, PAYER } from '../own-files.ts';
import { november, type Plant } from './plant.ts';

const october = (effect: string) => [{ period: '2026-10', currency: 'USD', effect }];

/** A plant that only the merchant's own files show. */
function own(code: string, change: (files: OwnFiles) => void, effects: Plant['effects'] = []): Plant {
  return { code, nights: [], own: change, findings: 1, effects };
}

/** Changes what came in of dollars for invoice 1001, whose net is 81.25. */
const receive = (amount: string) => (files: OwnFiles) => {
  files.receipts.get('1001 USD')!.amount = amount;
};

const payment = (amount: string, date: string) => ({ date, amount, currency: 'USD', text: PAYER, invoice: '' });

/** What can be wrong between the courier's documents and the merchant's own side. */
export const OWN_PLANTS: readonly Plant[] = [
  {
    ...own('implied-rate', (files) => {
      // 22.50 asked for in dollars, and 900,000 pounds came: 40,000 for one, where the table says 90,000.
      files.orders.set('ref-A2,USD', { status: 'handed_over', cod: '63.00' });
      files.orders.set('ref-A2,LBP', { status: 'handed_over', cod: '0.00' });
    }),
    beside: ['book-cod-differs'],
  },
  own(
    'book-cod-differs',
    (files) => files.orders.set('ref-A1,USD', { status: 'handed_over', cod: '27.00' }),
    october('-2.00'),
  ),
  own('not-in-books', (files) => files.orders.delete('ref-A1,USD')),
  own('not-at-courier', (files) => files.orders.set('ref-lost,USD', { status: 'handed_over', cod: '9.00' })),
  own('remittance-missing', (files) => files.receipts.delete('1001 USD'), october('-81.25')),
  own('remittance-short', receive('80.25'), october('-1.00')),
  own('remittance-over', receive('82.25'), october('1.00')),
  own('receipt-unmatched', (files) => files.receipts.set('more', payment('5.55', '2026-11-21'))),
  {
    ...own('receipt-ambiguous', (files) => files.receipts.set('more', payment('22.00', '2026-11-30'))),
    nights: [
      (books) => {
        books.bill(1004, '2026-11-28', ['C1'], 'PENDING_PAYMENT');
        books.bill(1005, '2026-11-28', ['C2'], 'PENDING_PAYMENT');
      },
    ],
  },
  own(
    'fee-off-tariff',
    (files) => {
      files.tariff.get('B1 USD')!.fee = '2.50';
    },
    november({ USD: '-0.50' }),
  ),
  own('fee-no-tariff', (files) => files.tariff.delete('B1 USD')),
];
