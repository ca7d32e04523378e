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
  finds: { en: 'Paid, and no money came', ar: 'فاتورة مذكورة مدفوعة ولم يصل مالها' },
  claim: {
    en: 'You state the invoice as paid, and its money has not arrived.',
    ar: 'تذكرون أن الفاتورة مدفوعة ولم يصل مالها.',
  },
  outsideInvoices: true,
  isAboutPayment: true,
  find: (context) =>
    lackingRemittances(context, 'missing', (figures): Says => ({ id: 'remittance-missing', ...figures })),
  words: {
    en: {
      'remittance-missing': ({ number, currency, due }, { money }) =>
        `Invoice ${number} is marked Paid, and ${money('0', currency)} of its ${money(due, currency)} came in: import the bank statement that should show the payment, or ask the delivery company when and where it was paid.`,
    },
    ar: {
      'remittance-missing': ({ number, currency, due }, { money }) =>
        `الفاتورة ${number} مذكورة مدفوعة، ووصل منها ${money('0', currency)} من أصل ${money(due, currency)}: استورد الكشف المصرفي الذي يُفترض أن تظهر فيه الدفعة، أو اسأل شركة التوصيل متى دُفعت وأين.`,
    },
  },
  guide: {
    compares:
      'The money of each invoice marked `PAID` came in within `remittance_lag_days` days. Compared only if receipts in its currency, of an account that the company pays into, were imported for all those days.',
    remedy: 'Import the bank statement that should show the payment, or ask when it was paid.',
  },
  plant: {
    merchantFiles: (files) => files.receipts.delete('1001 USD'),
    // The net of invoice 1001.
    effects: october({ USD: '-81.25' }),
  },
});
