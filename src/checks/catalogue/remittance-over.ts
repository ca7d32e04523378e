import { defineCheck } from '../check.ts';
import { type RemittanceFigures, remittanceFindings } from '../facts/remittances.ts';
import { october } from '../plant.ts';
import { receipts } from '../requirement.ts';

type Says = { id: 'remittance-over' } & RemittanceFigures;

export const remittanceOver = defineCheck<Says>({
  code: 'remittance-over',
  severity: 'error',
  requires: [receipts],
  title: {
    en: 'The receipts of an invoice come to no more than its net.',
    ar: 'مقبوضات الفاتورة ليست أكثر من صافيها.',
  },
  finds: { en: 'More money came than was due', ar: 'وصل أكثر من المستحق' },
  claim: {
    en: 'More was paid for the invoice than is due.',
    ar: 'دُفع عن الفاتورة أكثر من المستحق.',
  },
  stands: 'outside',
  settles: true,
  find: (context) => remittanceFindings(context, 'over', (figures): Says => ({ id: 'remittance-over', ...figures })),
  words: {
    en: {
      'remittance-over': ({ number, currency, due, received, over }, { money }) =>
        `${money(received, currency)} came in for invoice ${number}, ${money(over, currency)} more than the ${money(due, currency)} due: expect the delivery company to take it back, or ask what it is for.`,
    },
    ar: {
      'remittance-over': ({ number, currency, due, received, over }, { money }) =>
        `وصل عن الفاتورة ${number} مبلغ ${money(received, currency)}، أي أكثر من المستحق ${money(due, currency)} بمقدار ${money(over, currency)}: توقّع أن تسترده شركة التوصيل، أو اسأل عن سببه.`,
    },
  },
  guide: {
    remedy: 'Expect it to be taken back, or ask what it is for.',
  },
  plant: {
    own(files) {
      // The net is 81.25.
      files.receipts.get('1001 USD')!.amount = '82.25';
    },
    findings: 1,
    effects: october({ USD: '1.00' }),
  },
});
