import { ISSUED, NEW, november, type Plant } from './plant.ts';

/** What can be wrong between an invoice's rows and the order book. */
export const ORDER_PLANTS: readonly Plant[] = [
  {
    code: 'cod-without-delivery',
    nights: [(books) => void books.bill(NEW, ISSUED, ['C1', 'D1'])],
    findings: 1,
    // The fee of an order that is on its way is due.
    effects: november({ USD: '25.00' }),
  },
  {
    code: 'fee-on-cancelled',
    nights: [
      (books) => {
        books.place('D2', null, { USD: ['0.00', '3.00'] }).delivery_state = 'CANCELLED';
        books.bill(NEW, ISSUED, ['C1', 'D2']);
      },
    ],
    findings: 1,
    effects: november({ USD: '-3.00' }),
  },
  {
    code: 'order-amount-differs',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1', 'C2']).rows[0]!.amounts = { USD: ['20.00', '3.50'] };
      },
    ],
    findings: 2,
    effects: november({ USD: '-5.50' }),
  },
  {
    code: 'order-invoice-link',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1']);
        books.orders.get('C1')!.merchant_invoice = null;
      },
    ],
    findings: 1,
    effects: [],
  },
  {
    code: 'order-unknown',
    nights: [
      (books) => {
        books.place('D2', ISSUED);
        books.bill(NEW, ISSUED, ['C1', 'D2']);
        books.orders.delete('D2');
      },
    ],
    findings: 1,
    effects: november({ USD: '22.00' }),
  },
  {
    code: 'delivered-not-invoiced',
    nights: [(books) => void books.place('D2', '2026-11-02', { USD: ['25.00', '3.00'], LBP: ['90000', '0'] })],
    findings: 2,
    effects: november({ LBP: '-90000.00', USD: '-22.00' }),
  },
  {
    code: 'duplicate-reference',
    nights: [
      (books) => {
        books.place('D2', '2026-11-28').reference_id = ' REF-c1\t';
      },
    ],
    findings: 1,
    effects: [],
  },
];
