import { defineCheck } from '../check.ts';
import { type FigureSentence, headerOutcome } from '../facts/headers.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';

export const invoiceCodTotal = defineCheck<FigureSentence<'invoice-cod-total'>>({
  code: 'invoice-cod-total',
  severity: 'error',
  title: {
    en: 'The COD in an invoice’s header is the sum of its rows.',
    ar: 'المحصَّل في رأس الفاتورة هو مجموع أسطرها.',
  },
  finds: { en: 'A header’s COD is not the sum of its rows', ar: 'المحصَّل في رأس الفاتورة ليس مجموع أسطرها' },
  claim: {
    en: 'The COD in the header of the invoice is not the sum of its rows.',
    ar: 'المحصَّل في رأس الفاتورة ليس مجموع أسطرها.',
  },
  find: (context) => headerOutcome(context, 'invoice-cod-total', 'cod'),
  words: {
    en: {
      'invoice-cod-total': ({ number, currency, expected, actual, difference }, { money, off }) =>
        `Invoice ${number} states a COD of ${money(actual, currency)}, ${off(difference, currency)} than the ${money(expected, currency)} of its rows: ask the delivery company to correct the header, or the row that is wrong.`,
    },
    ar: {
      'invoice-cod-total': ({ number, currency, expected, actual, difference }, { money, off }) =>
        `تذكر الفاتورة ${number} محصَّلًا قدره ${money(actual, currency)}، ${off(difference, currency)} من مجموع أسطرها البالغ ${money(expected, currency)}: اطلب من شركة التوصيل تصحيح الرأس أو السطر الخاطئ.`,
    },
  },
  guide: { remedy: 'Ask for a corrected invoice: the header, or a row, is wrong.' },
  plant: {
    night(books) {
      const bill = books.bill(NEW_INVOICE, ISSUED, ['C1', 'C3']);
      bill.header = { USD: ['10.00', '0', '10.00'], LBP: ['-5000', '0', '-5000'] };
    },
    findings: 2,
    effects: november({ LBP: '-5000.00', USD: '10.00' }),
  },
});
