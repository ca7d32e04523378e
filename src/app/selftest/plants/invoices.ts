import { ISSUED, NEW, november, type Plant } from './plant.ts';

/** What can be wrong inside one invoice, or between invoices. */
export const INVOICE_PLANTS: readonly Plant[] = [
  {
    code: 'invoice-cod-total',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1', 'C3']).header = { USD: ['10.00', '0', '10.00'], LBP: ['-5000', '0', '-5000'] };
      },
    ],
    findings: 2,
    effects: november({ LBP: '-5000.00', USD: '10.00' }),
  },
  {
    code: 'invoice-fee-total',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1']).header = { USD: ['0', '0.50', '-0.50'] };
      },
    ],
    findings: 1,
    effects: november({ USD: '-0.50' }),
  },
  {
    code: 'invoice-net',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1']).header = { USD: ['0', '0', '-2.00'] };
      },
    ],
    findings: 1,
    effects: november({ USD: '-2.00' }),
  },
  {
    code: 'invoice-order-count',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1', 'C2']).listed = { order_count: 3 };
      },
    ],
    findings: 1,
    effects: [],
  },
  {
    code: 'invoice-list-detail',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1']).listed = { cod: [['USD', '20.00']] };
      },
    ],
    findings: 1,
    effects: [],
  },
  {
    code: 'order-repeated',
    nights: [
      (books) => {
        const bill = books.bill(NEW, ISSUED, ['C1', 'C2']);
        books.addRow(bill, 'C1', 'PAID_TO_MERCHANT');
      },
    ],
    findings: 1,
    effects: november({ USD: '22.00' }),
  },
  {
    code: 'order-on-two-invoices',
    nights: [(books) => void books.bill(NEW, ISSUED, ['C1', 'A1'])],
    findings: 1,
    effects: november({ USD: '22.00' }),
  },
  {
    code: 'invoice-in-two-months',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1']).months = ['2026-10', '2026-11'];
      },
    ],
    findings: 1,
    effects: [],
  },
  {
    code: 'paid-state-conflict',
    nights: [
      (books) => {
        books.bill(NEW, ISSUED, ['C1']).rows[0]!.payment_state = 'PENDING_PAYMENT_TO_MERCHANT';
      },
    ],
    findings: 1,
    effects: [],
  },
  {
    code: 'status-unknown',
    nights: [(books) => void books.bill(NEW, ISSUED, ['C1'], 'ON_HOLD')],
    findings: 1,
    effects: [],
  },
  {
    code: 'payment-overdue',
    nights: [(books) => void books.bill(NEW, '2026-11-01', ['C1'], 'PENDING_PAYMENT')],
    findings: 1,
    effects: [],
  },
];
