import { defineCheck } from '../check.ts';
import { lackingRemittances, type RemittanceFigures } from '../facts/remittances.ts';
import { october } from '../plant.ts';
import { receipts } from '../requirement.ts';

type Says = { id: 'remittance-short' } & RemittanceFigures;

export const remittanceShort = defineCheck<Says>({
  code: 'remittance-short',
  severity: 'error',
  requires: [receipts],
  title: {
    en: 'The receipts of an invoice come to no less than its net.',
    ar: 'مقبوضات الفاتورة ليست أقل من صافيها.',
  },
  finds: { en: 'Less money came than was due', ar: 'وصل أقل من المستحق' },
  claim: { en: 'Less was paid for the invoice than is due.', ar: 'دُفع عن الفاتورة أقل من المستحق.' },
  outsideInvoices: true,
  isAboutPayment: true,
  find: (context) => lackingRemittances(context, 'short', (figures): Says => ({ id: 'remittance-short', ...figures })),
  words: {
    en: {
      'remittance-short': ({ number, currency, due, received, left }, { money }) =>
        `${money(received, currency)} came in for invoice ${number}, ${money(left, currency)} less than the ${money(due, currency)} due: ask the delivery company for the rest, or name the difference with \`remit match add ... --difference\`.`,
    },
    ar: {
      'remittance-short': ({ number, currency, due, received, left }, { money }) =>
        `وصل عن الفاتورة ${number} مبلغ ${money(received, currency)}، أي أقل من المستحق ${money(due, currency)} بمقدار ${money(left, currency)}: اطلب الباقي من شركة التوصيل، أو سمِّ الفرق عبر \`remit match add ... --difference\`.`,
    },
  },
  guide: {
    compares:
      'The receipts of an invoice come to no less than its net after `remittance_lag_days`. Only where receipts were imported for all of these days, as above; else the invoice is not compared.',
    remedy: 'Ask for the rest, or name the difference when you match it by hand.',
  },
  plant: {
    merchantFiles(files) {
      // The net is 81.25.
      files.receipts.get('1001 USD')!.amount = '80.25';
    },
    effects: october({ USD: '-1.00' }),
  },
});
