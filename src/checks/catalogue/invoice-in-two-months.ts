import { groupBy } from '../../base/group.ts';
import { countListed } from '../../ledger/queries/invoices/invoices.ts';
import { readListedTwice } from '../../ledger/queries/invoices/listed.ts';
import { defineCheck } from '../check.ts';
import { counts, finding } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';

/** `months`: those whose lists have the invoice; `countsIn`: the month in which it counts. */
type Says = { id: 'invoice-in-two-months'; number: number; months: readonly string[]; countsIn: string };

export const invoiceInTwoMonths = defineCheck<Says>({
  code: 'invoice-in-two-months',
  severity: 'error',
  title: { en: 'No invoice is on the lists of two months.', ar: 'لا ترد أي فاتورة في قائمتَي شهرين.' },
  finds: { en: 'An invoice on the lists of two months', ar: 'فاتورة في قائمتَي شهرين' },
  claim: { en: 'The invoice is on the lists of more than one month.', ar: 'ترد الفاتورة في قوائم أكثر من شهر.' },
  async find({ db, periods }) {
    const listed = await readListedTwice(db, periods);
    const findings = [...groupBy(listed, ({ number }) => number)].map(([number, listings]) => {
      const { period } = listings.find(({ counts_here }) => counts_here === 1) ?? listings[0]!;
      const months = listings.map((listing) => listing.period).sort();
      return finding<Says>({
        period,
        periods: months,
        invoice_number: number,
        field: 'period',
        ...counts(1, months.length),
        sentence: { id: 'invoice-in-two-months', number, months, countsIn: period },
      });
    });
    return { findings, compared: await countListed(db, periods) };
  },
  words: {
    en: {
      'invoice-in-two-months': ({ number, months, countsIn }, { list }) =>
        `Invoice ${number} is on the lists of ${months.length} months instead of one, ${list(months)}; it counts in ${countsIn}: ask the delivery company in which month it belongs.`,
    },
    ar: {
      'invoice-in-two-months': ({ number, months, countsIn }, { list }) =>
        `الفاتورة ${number} واردة في قوائم أكثر من شهر (${list(months)})، وتُحتسب في ${countsIn}: اسأل شركة التوصيل إلى أي شهر تنتمي.`,
    },
  },
  guide: {
    compares: 'No invoice is on the lists of two months. It counts in the month in which it was issued.',
    remedy: 'Ask in which month it belongs.',
  },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1']).months = ['2026-10', '2026-11'];
    },
  },
});
