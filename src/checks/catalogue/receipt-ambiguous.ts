import { amountOfUnits, formatUnits } from '../../money/index.ts';
import { defineCheck } from '../check.ts';
import { receiptBooks } from '../facts/remittances.ts';
import { finding } from '../finding.ts';
import { payment } from '../plant.ts';
import { receipts } from '../requirement.ts';

type Says = Found | { id: 'receipt-ambiguous/cause'; invoices: number[]; count: number };
type Found = {
  id: 'receipt-ambiguous';
  receipt: number;
  date: string;
  text: string;
  currency: string;
  amount: string;
  /** The sets of invoices that explain it, each with the other receipts that it takes for that. */
  ways: { invoices: number[]; beside: string[] }[];
  tooMany: boolean;
  /** The couriers that can claim it, where there are several; then there are no ways. */
  couriers?: string[];
};

/** So many ways are named one by one. */
const MOST_NAMED = 20;

export const receiptAmbiguous = defineCheck<Says>({
  code: 'receipt-ambiguous',
  severity: 'warning',
  requires: [receipts],
  title: { en: 'A receipt has no more than one explanation.', ar: 'ليس للمقبوض أكثر من تفسير واحد.' },
  finds: { en: 'Money that several invoices explain', ar: 'مقبوض له أكثر من تفسير' },
  claim: {
    en: 'A payment may be for several invoices.',
    ar: 'قد يكون هذا الدفع عن عدة فواتير.',
  },
  async find(context) {
    const { receipts: rows, theirs, outcome } = await receiptBooks(context);
    const findings = outcome.ambiguous.map(({ receipt, currency, amount, ways, tooMany, couriers }) => {
      const { date, text } = rows.get(Number(receipt))!;
      return finding<Says>({
        period: date.slice(0, 7),
        subject: `receipt ${receipt}`,
        currency,
        field: 'amount',
        amount: amountOfUnits(amount),
        sentence: {
          id: 'receipt-ambiguous',
          receipt: Number(receipt),
          date,
          text,
          currency,
          amount: formatUnits(amount),
          ways: ways.map(({ invoices, receipts: all }) => {
            return { invoices: [...invoices], beside: all.filter((id) => id !== receipt) };
          }),
          tooMany,
          ...(couriers && { couriers: [...couriers] }),
        },
      });
    });
    return { findings, compared: theirs.size, notComparable: [] };
  },
  cause({ sentence }) {
    const { ways } = JSON.parse(sentence) as Found;
    const invoices = [...new Set(ways.flatMap((way) => way.invoices))].sort((a, b) => a - b);
    return { id: 'receipt-ambiguous/cause', invoices };
  },
  words: {
    en: {
      'receipt-ambiguous': ({ receipt, date, text, currency, amount, ways, tooMany, couriers }, speech) => {
        if (couriers) {
          return `Receipt ${receipt} of ${date} ("${speech.text(text)}"), ${speech.money(amount, currency)}, may be from ${speech.list(couriers)}: nothing is booked; choose with \`remit match add ${receipt} INVOICE... --courier NAME\`.`;
        }
        const each = ways.map(({ invoices, beside }) => {
          const others = beside.length === 0 ? '' : ` with receipt ${beside.join(' + ')}`;
          return `${invoices.length === 0 ? 'none' : invoices.join(' + ')}${others}`;
        });
        const list = `invoice ${speech.list(each, MOST_NAMED)}`;
        const explained = tooMany
          ? `can be explained in too many ways${each.length === 0 ? '' : `: ${list}`}`
          : each.length === 1
            ? `can be explained by ${list}, which others explain as well`
            : `can be explained in ${each.length} ways: ${list}`;
        return `Receipt ${receipt} of ${date} ("${speech.text(text)}"), ${speech.money(amount, currency)}, ${explained}: nothing is booked; choose with \`remit match add ${receipt} INVOICE...\`.`;
      },
      'receipt-ambiguous/cause': ({ invoices, count }, speech) => {
        const receipts = speech.count(count, { one: 'receipt', other: 'receipts' });
        const what = invoices.length === 0 ? 'too many invoices' : `several invoices (${speech.list(invoices)})`;
        return `${receipts} could pay ${what}`;
      },
    },
    ar: {
      'receipt-ambiguous': ({ receipt, date, text, currency, amount, ways, tooMany, couriers }, speech) => {
        if (couriers) {
          return `المقبوض ${receipt} بتاريخ ${date} («${speech.text(text)}»)، ${speech.money(amount, currency)}، قد يكون من ${speech.list(couriers)}: لم يُقيَّد شيء؛ اختر عبر \`remit match add ${receipt} INVOICE... --courier NAME\`.`;
        }
        const each = ways.map(({ invoices, beside }) => {
          const others = beside.length === 0 ? '' : ` مع المقبوض ${beside.join(' + ')}`;
          return `${invoices.length === 0 ? 'لا فاتورة' : invoices.join(' + ')}${others}`;
        });
        const list = `الفاتورة ${speech.list(each, MOST_NAMED)}`;
        const explained = tooMany
          ? `له تفسيرات أكثر من أن تُعدّ${each.length === 0 ? '' : `: ${list}`}`
          : each.length === 1
            ? `تفسّره ${list}، ويفسّرها غيره أيضًا`
            : `تفسيراته ${each.length}: ${list}`;
        return `المقبوض ${receipt} بتاريخ ${date} («${speech.text(text)}»)، ${speech.money(amount, currency)}، ${explained}: لم يُقيَّد شيء؛ اختر عبر \`remit match add ${receipt} INVOICE...\`.`;
      },
      'receipt-ambiguous/cause': ({ invoices, count }, speech) =>
        `مقبوضات تفسّرها عدة فواتير${invoices.length === 0 ? '' : ` (${speech.list(invoices)})`}: ${count}`,
    },
  },
  guide: {
    remedy: 'Choose one with `remit match add`.',
  },
  plant: {
    nights: [
      (books) => {
        books.bill(1004, '2026-11-28', ['C1'], 'PENDING_PAYMENT');
        books.bill(1005, '2026-11-28', ['C2'], 'PENDING_PAYMENT');
      },
    ],
    own: (files) => files.receipts.set('more', payment('22.00', '2026-11-30')),
    findings: 1,
  },
});
