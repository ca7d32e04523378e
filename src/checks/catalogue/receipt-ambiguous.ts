import { MOST_WAYS } from '../../matching/model.ts';
import { amountOfUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { type ReceiptWords, receiptBooks, sayReceipt } from '../facts/remittances.ts';
import { finding } from '../finding.ts';
import { payment } from '../plant.ts';
import { receipts } from '../requirement.ts';

type Says =
  | Found
  | { id: 'receipt-ambiguous/cause'; invoices: number[]; count: number }
  | { id: 'receipt-ambiguous/couriers'; couriers: string[]; count: number };
type Found = ReceiptWords & {
  id: 'receipt-ambiguous';
  /** The sets of invoices that it may pay, each with the receipts that are needed besides it. */
  ways: { invoices: number[]; beside: string[] }[];
  /** There are more ways than are listed, or the search stopped at its limit. */
  tooMany: boolean;
  /** Whether the numbers of the invoices may be years: a line that names `2026` and may pay invoice 2026. */
  areYears?: boolean;
  /** The couriers that can claim it, if there are several; then there are no ways. */
  couriers?: string[];
};

export const receiptAmbiguous = defineCheck<Says>({
  code: 'receipt-ambiguous',
  severity: 'warning',
  requires: [receipts],
  title: { en: 'A receipt has no more than one explanation.', ar: 'ليس للمقبوض أكثر من تفسير واحد.' },
  finds: { en: 'Money that several invoices explain', ar: 'مقبوض له أكثر من تفسير' },
  claim: {
    en: 'A payment matches more than one invoice; please say which it pays.',
    ar: 'هذه الدفعة تطابق أكثر من فاتورة؛ نرجو بيان أيّها تسدّد.',
  },
  async find(context) {
    const { receipts: rows, courierReceipts, outcome } = await receiptBooks(context);
    const findings = outcome.ambiguous.map(({ receipt, amount, rule, ways, tooMany, couriers }) => {
      const { about, words } = sayReceipt(rows.get(Number(receipt))!, amount);
      return finding<Says>({
        ...about,
        amount: amountOfUnits(amount),
        sentence: {
          id: 'receipt-ambiguous',
          ...words,
          ways: ways.map(({ invoices, receipts: needed }) => {
            return { invoices: [...invoices], beside: needed.filter((id) => id !== receipt) };
          }),
          tooMany,
          // By this rule a receipt is ambiguous only if its text has a number that may be a year or an invoice's.
          ...(rule === 'named-part' && { areYears: true }),
          ...(couriers && { couriers: [...couriers] }),
        },
      });
    });
    return { findings, compared: courierReceipts.size };
  },
  cause({ sentence }) {
    const { ways, couriers } = JSON.parse(sentence) as Found;
    if (couriers) return { id: 'receipt-ambiguous/couriers', couriers };
    const invoices = [...new Set(ways.flatMap((way) => way.invoices))].sort((a, b) => a - b);
    return { id: 'receipt-ambiguous/cause', invoices };
  },
  words: {
    en: {
      'receipt-ambiguous': ({ receipt, date, text, currency, amount, ways, tooMany, areYears, couriers }, speech) => {
        if (couriers) {
          return `Receipt ${receipt} of ${date} ("${speech.text(text)}"), ${speech.money(amount, currency)}, may be from ${speech.list(couriers)}: nothing is booked; choose with \`remit match add ${receipt} INVOICE... --courier NAME\`.`;
        }
        const each = ways.map(({ invoices, beside }) => {
          const others = beside.join(' + ');
          if (invoices.length === 0) return `no invoice, only receipt ${others}`;
          return `invoice ${invoices.join(' + ')}${beside.length === 0 ? '' : ` with receipt ${others}`}`;
        });
        const list = speech.list(each, MOST_WAYS);
        const years = speech.list(ways.flatMap(({ invoices }) => invoices));
        const explained = () => {
          if (areYears) return `may pay ${list}, or ${years} ${ways.length === 1 ? 'is a year' : 'are years'}`;
          if (tooMany) return `can be explained in too many ways${each.length === 0 ? '' : `: ${list}`}`;
          if (each.length === 1) return `may pay ${list}, but so may other receipts`;
          return `can be explained in ${each.length} ways: ${list}`;
        };
        return `Receipt ${receipt} of ${date} ("${speech.text(text)}"), ${speech.money(amount, currency)}, ${explained()}: nothing is booked; choose with \`remit match add ${receipt} INVOICE...\`.`;
      },
      'receipt-ambiguous/cause': ({ invoices, count }, speech) => {
        const receipts = speech.count(count, { one: 'receipt', other: 'receipts' });
        const several =
          invoices.length === 1 ? `invoice ${invoices[0]} or another` : `several invoices (${speech.list(invoices)})`;
        const what = invoices.length === 0 ? 'too many invoices' : several;
        return `${receipts} could pay ${what}`;
      },
      'receipt-ambiguous/couriers': ({ couriers, count }, speech) =>
        `${speech.count(count, { one: 'receipt', other: 'receipts' })} may be from several couriers (${speech.list(couriers)})`,
    },
    ar: {
      'receipt-ambiguous': ({ receipt, date, text, currency, amount, ways, tooMany, areYears, couriers }, speech) => {
        if (couriers) {
          return `المقبوض ${receipt} بتاريخ ${date} («${speech.text(text)}»)، ${speech.money(amount, currency)}، قد يكون من ${speech.list(couriers)}: لم يُقيَّد شيء؛ اختر عبر \`remit match add ${receipt} INVOICE... --courier NAME\`.`;
        }
        const each = ways.map(({ invoices, beside }) => {
          const others = beside.join(' + ');
          if (invoices.length === 0) return `لا فاتورة، بل المقبوض ${others} وحده`;
          return `الفاتورة ${invoices.join(' + ')}${beside.length === 0 ? '' : ` مع المقبوض ${others}`}`;
        });
        const list = speech.list(each, MOST_WAYS);
        const years = speech.list(ways.flatMap(({ invoices }) => invoices));
        const explained = () => {
          if (areYears) return `قد يسدّد ${list}، وقد يكون ${years} سنة`;
          if (tooMany) return `له تفسيرات أكثر من أن تُعدّ${each.length === 0 ? '' : `: ${list}`}`;
          if (each.length === 1) return `قد يسدّد ${list}، وقد تسدّدها مقبوضات أخرى`;
          return `تفسيراته ${each.length}: ${list}`;
        };
        return `المقبوض ${receipt} بتاريخ ${date} («${speech.text(text)}»)، ${speech.money(amount, currency)}، ${explained()}: لم يُقيَّد شيء؛ اختر عبر \`remit match add ${receipt} INVOICE...\`.`;
      },
      'receipt-ambiguous/cause': ({ invoices, count }, speech) => {
        let what = `أكثر من فاتورة (${speech.list(invoices)})`;
        if (invoices.length === 0) what = 'فواتير أكثر من أن تُعدّ';
        else if (invoices.length === 1) what = `الفاتورة ${invoices[0]} أو غيرها`;
        return `مقبوضات قد تسدّد ${what}: ${count}`;
      },
      'receipt-ambiguous/couriers': ({ couriers, count }, speech) =>
        `مقبوضات قد تكون من عدة شركات (${speech.list(couriers)}): ${count}`,
    },
  },
  guide: { remedy: 'Choose one with `remit match add`.' },
  plant: {
    night(books) {
      // Each has a net of 22.00.
      books.bill(1004, '2026-11-28', ['C1'], 'PENDING_PAYMENT');
      books.bill(1005, '2026-11-28', ['C2'], 'PENDING_PAYMENT');
    },
    merchantFiles: (files) => files.receipts.set('more', payment('22.00', '2026-11-30')),
  },
});
