import { defineCheck } from '../check.ts';
import { type RemittanceFigures, receiptBooks, remittanceFindings } from '../facts/remittances.ts';
import { october } from '../plant.ts';
import { receipts } from '../requirement.ts';

type Says = {
  id: 'remittance-over';
  /** The ids of the settlements that wrote something off the invoice; absent if none did. */
  writeOffs?: number[];
} & RemittanceFigures;

export const remittanceOver = defineCheck<Says>({
  code: 'remittance-over',
  severity: 'error',
  requires: [receipts],
  title: {
    en: 'The receipts of an invoice come to no more than its net.',
    ar: 'مقبوضات الفاتورة ليست أكثر من صافيها.',
  },
  finds: { en: 'More money came than was due', ar: 'وصل أكثر من المستحق' },
  claim: { en: 'More was paid for the invoice than is due.', ar: 'دُفع عن الفاتورة أكثر من المستحق.' },
  outsideInvoices: true,
  isAboutPayment: true,
  async find(context) {
    const { held } = await receiptBooks(context);
    return remittanceFindings(context, 'over', (figures): Says => {
      const matches = held.filter(
        ({ difference_kind, currency, invoices }) =>
          difference_kind === 'write-off' &&
          currency === figures.currency &&
          invoices.some(({ number }) => number === figures.number),
      );
      const writeOffs = matches.map(({ id }) => id);
      return { id: 'remittance-over', ...figures, ...(writeOffs.length === 0 ? {} : { writeOffs }) };
    });
  },
  words: {
    en: {
      'remittance-over': ({ number, currency, due, received, over, writeOffs }, { money }) => {
        const undo = writeOffs?.map((id) => `\`remit settle undo ${id}\``).join(' and ');
        const more = `${money(over, currency)} more than the ${money(due, currency)} due`;
        const request = 'expect the delivery company to take it back, or ask what it is for.';
        const ending = undo
          ? `${more} after what was written off: if it was paid after all, undo that with ${undo}; else ${request}`
          : `${more}: ${request}`;
        return `${money(received, currency)} came in for invoice ${number}, ${ending}`;
      },
    },
    ar: {
      'remittance-over': ({ number, currency, due, received, over, writeOffs }, { money }) => {
        const undo = writeOffs?.map((id) => `\`remit settle undo ${id}\``).join(' و');
        const more = `أي أكثر من المستحق ${money(due, currency)}${undo ? ' بعد ما شُطب' : ''} بمقدار ${money(over, currency)}`;
        const request = 'توقّع أن تسترده شركة التوصيل، أو اسأل عن سببه.';
        const ending = undo ? `إن كان قد دُفع فعلًا فألغِ الشطب عبر ${undo}؛ وإلا ${request}` : request;
        return `وصل عن الفاتورة ${number} مبلغ ${money(received, currency)}، ${more}: ${ending}`;
      },
    },
  },
  guide: { remedy: 'Expect it to be taken back, or ask what it is for.' },
  plant: {
    merchantFiles(files) {
      // The net is 81.25.
      files.receipts.get('1001 USD')!.amount = '82.25';
    },
    effects: october({ USD: '1.00' }),
  },
});
