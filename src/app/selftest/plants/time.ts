import { ISSUED, NEW, november, type Plant } from './plant.ts';

/** What can go wrong from one sync to the next. */
export const TIME_PLANTS: readonly Plant[] = [
  {
    code: 'state-regressed',
    nights: [
      (books) => {
        books.orders.get('D1')!.delivery_state = 'CREATED';
      },
    ],
    findings: 1,
    effects: [],
  },
  {
    code: 'invoice-restated',
    nights: [(books) => void books.addRow(books.bills.get(1003)!, 'C1')],
    // Its COD, its fee and its net.
    findings: 3,
    effects: [],
  },
  {
    code: 'invoice-vanished',
    nights: [
      (books) => {
        books.bills.delete(1003);
        for (const id of ['B4', 'B5']) books.orders.get(id)!.merchant_invoice = null;
      },
    ],
    findings: 1,
    effects: november({ USD: '-44.00' }),
  },
  {
    code: 'order-restated',
    nights: [
      (books) => {
        books.orders.get('C1')!.amounts = { USD: ['20.00', '3.00'] };
      },
      (books) => void books.bill(NEW, ISSUED, ['C1', 'C2']),
    ],
    findings: 1,
    effects: november({ USD: '-5.00' }),
  },
  {
    code: 'order-vanished',
    nights: [(books) => void books.orders.delete('D1')],
    findings: 1,
    effects: [],
  },
  {
    code: 'closed-period-changed',
    closes: ['2026-10'],
    // An invoice that comes late, dated in the closed month.
    nights: [(books) => void books.bill(NEW, '2026-10-31', ['C1', 'C2'])],
    // Two counts, and of the dollars COD, fee and net, the rows' COD and fee, and what is paid.
    findings: 8,
    effects: [],
  },
  {
    code: 'document-malformed',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1']).isUnreadable = true;
      },
    ],
    findings: 1,
    effects: [],
  },
  {
    code: 'listing-incomplete',
    nights: [(books) => void books.overstated.add('2026-11')],
    findings: 1,
    effects: [],
  },
];
