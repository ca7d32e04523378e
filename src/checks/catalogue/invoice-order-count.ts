import { readOrderCountsOff } from '../../ledger/queries/invoices/listed.ts';
import { defineCheck } from '../check.ts';
import { coverageOfListed, unseenByList } from '../facts/population.ts';
import { counts, finding } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';

type Says = { id: 'invoice-order-count'; number: number; expected: number; actual: number };

export const invoiceOrderCount = defineCheck<Says>({
  code: 'invoice-order-count',
  severity: 'error',
  title: {
    en: 'The month’s list counts as many orders on an invoice as the invoice holds.',
    ar: 'عدد طلبات الفاتورة في قائمة الشهر هو عدد أسطرها.',
  },
  finds: { en: "The list's count is not the number of rows", ar: 'عدد الطلبات في القائمة ليس عدد أسطر الفاتورة' },
  claim: {
    en: 'The list of the month counts another number of orders than the invoice holds.',
    ar: 'عدد الطلبات في قائمة الشهر ليس عدد أسطر الفاتورة.',
  },
  async find(context) {
    const findings = (await readOrderCountsOff(context.db, context.periods)).map(
      ({ number, period, row_count, listed }) =>
        finding<Says>({
          period,
          invoice_number: number,
          field: 'order_count',
          ...counts(row_count, listed),
          sentence: { id: 'invoice-order-count', number, expected: row_count, actual: listed },
        }),
    );
    return { findings, ...(await coverageOfListed(context)) };
  },
  unseen: unseenByList,
  words: {
    en: {
      'invoice-order-count': ({ number, expected, actual }, { count }) =>
        `The list counts ${count(actual, { one: 'order', other: 'orders' })} on invoice ${number} but the invoice holds ${expected}: ask the delivery company which orders were added or left out.`,
    },
    ar: {
      'invoice-order-count': ({ number, expected, actual }) =>
        `عدد طلبات الفاتورة ${number} في القائمة ${actual}، وفي الفاتورة نفسها ${expected}: اسأل شركة التوصيل عن الطلبات التي أُضيفت أو أُغفلت.`,
    },
  },
  guide: { remedy: 'Ask which orders were added or left out.' },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1', 'C2']).listed = { order_count: 3 };
    },
  },
});
