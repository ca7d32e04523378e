import { defineCheck } from '../check.ts';
import { lackingRemittances, type RemittanceFigures } from '../facts/remittances.ts';
import { october } from '../plant.ts';
import { receipts } from '../requirement.ts';

type Says = { id: 'remittance-missing' } & RemittanceFigures;

export const remittanceMissing = defineCheck<Says>({
  code: 'remittance-missing',
  severity: 'error',
  requires: [receipts],
  title: { en: 'What the courier calls paid has come in.', ar: 'ما تذكر الشركة أنه مدفوع قد وصل.' },
  finds: { en: 'Paid, and no money came', ar: 'مذكورة مدفوعة ولم يصل مال' },
  claim: {
    en: 'You state the invoice as paid, and its money has not arrived.',
    ar: 'تذكرون أن الفاتورة مدفوعة ولم يصل مالها.',
  },
  stands: 'outside',
  settles: true,
  find: (context) =>
    lackingRemittances(context, 'missing', (figures): Says => ({ id: 'remittance-missing', ...figures })),
  words: {
    en: {
      'remittance-missing': ({ number, currency, due }, { money }) =>
        `Invoice ${number} is Paid, and ${money('0', currency)} of its ${money(due, currency)} came in: import the statement on which it should stand, or ask the delivery company when and where it was paid.`,
    },
    ar: {
      'remittance-missing': ({ number, currency, due }, { money }) =>
        `الفاتورة ${number} مذكورة مدفوعة، ووصل ${money('0', currency)} من ${money(due, currency)}: استورد الكشف الذي يُفترض أن تظهر فيه، أو اسأل شركة التوصيل متى دُفعت وأين.`,
    },
  },
  guide: {
    compares:
      'What is `PAID` came in within `remittance_lag_days`. Only where receipts were imported for all of these days, in the currency of the invoice, of an account into which the company pays; else the invoice is not compared.',
    remedy: 'Import the statement on which it should stand, or ask when it was paid.',
  },
  plant: {
    own: (files) => files.receipts.delete('1001 USD'),
    findings: 1,
    effects: october({ USD: '-81.25' }),
  },
});
