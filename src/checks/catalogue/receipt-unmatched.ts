import { amountOfUnits, formatUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { comesAsSheets } from '../facts/months.ts';
import { type ReceiptWords, receiptBooks, sayReceipt } from '../facts/remittances.ts';
import { finding } from '../finding.ts';
import { payment } from '../plant.ts';
import { receipts } from '../requirement.ts';

type Says = Found | { id: 'receipt-unmatched/cause'; cameIn: boolean; count: number };
type Found = ReceiptWords & {
  id: 'receipt-unmatched';
  /** The part of the amount that is not matched. */
  left: string;
  isPart: boolean;
  cameIn: boolean;
  /** The courier sends settlement sheets, so that its invoices are imported and not synced. */
  bySheets?: true;
};

export const receiptUnmatched = defineCheck<Says>({
  code: 'receipt-unmatched',
  severity: 'warning',
  requires: [receipts],
  title: { en: 'Money that came in from the courier pays some invoice.', ar: 'ما وصل من الشركة يسدّد فاتورة ما.' },
  finds: { en: 'Money that matches no invoice', ar: 'مال من الشركة لا يطابق أي فاتورة' },
  claim: { en: 'We do not know for which invoice a payment is.', ar: 'لا نعرف أي فاتورة تسدّدها هذه الدفعة.' },
  async find(context) {
    const { receipts: rows, courierReceipts, leftToPeople, outcome } = await receiptBooks(context);
    const unmatched = [...outcome.unmatched.receipts.map(Number), ...leftToPeople];
    const bySheets = await comesAsSheets(context.db, context.settings);
    const findings = unmatched
      // A person may have matched a receipt of `leftToPeople` whole already.
      .filter((id) => rows.get(id)!.left !== 0n)
      .sort((a, b) => a - b)
      .map((id) => {
        const { amount, left } = rows.get(id)!;
        const { about, words } = sayReceipt(rows.get(id)!, amount);
        return finding<Says>({
          ...about,
          amount: amountOfUnits(left),
          sentence: {
            id: 'receipt-unmatched',
            ...words,
            left: formatUnits(left),
            isPart: left !== amount,
            cameIn: amount > 0n,
            ...(bySheets ? { bySheets } : {}),
          },
        });
      });
    return { findings, compared: courierReceipts.size };
  },
  cause: ({ sentence }) => ({ id: 'receipt-unmatched/cause', cameIn: (JSON.parse(sentence) as Found).cameIn }),
  words: {
    en: {
      'receipt-unmatched': ({ receipt, date, text, currency, amount, left, isPart, cameIn, bySheets }, speech) => {
        const [whole, open] = [speech.money(amount, currency), speech.money(left, currency)];
        const way = cameIn
          ? 'that came in from the delivery company pays'
          : 'that the delivery company took back is of';
        return `Receipt ${receipt} of ${date} ("${speech.text(text)}"): ${isPart ? `${open} of the ${whole}` : whole} ${way} no invoice that is known: ${bySheets ? 'import the settlement sheet' : 'sync the month'} that it is for, or match it by hand with \`remit match add ${receipt} INVOICE\`.`;
      },
      'receipt-unmatched/cause': ({ cameIn, count }, speech) =>
        cameIn
          ? `${speech.count(count, { one: 'receipt', other: 'receipts' })} from the delivery company ${count === 1 ? 'pays' : 'pay'} no invoice that is known`
          : `${speech.count(count, { one: 'amount', other: 'amounts' })} that the delivery company took back ${count === 1 ? 'is' : 'are'} of no invoice that is known`,
    },
    ar: {
      'receipt-unmatched': ({ receipt, date, text, currency, amount, left, isPart, cameIn, bySheets }, speech) => {
        const [whole, open] = [speech.money(amount, currency), speech.money(left, currency)];
        const way = cameIn ? 'الواصل من شركة التوصيل لا يسدّد' : 'الذي استردته شركة التوصيل لا يخصّ';
        return `المقبوض ${receipt} بتاريخ ${date} («${speech.text(text)}»): ${isPart ? `${open} من ${whole}` : whole} ${way} أي فاتورة معروفة: ${bySheets ? 'استورد كشف التسوية' : 'زامن الشهر'} الذي يخصّه، أو طابقه يدويًا عبر \`remit match add ${receipt} INVOICE\`.`;
      },
      'receipt-unmatched/cause': ({ cameIn, count }) =>
        cameIn
          ? `مقبوضات من شركة التوصيل لا تسدّد أي فاتورة معروفة: ${count}`
          : `مبالغ استردتها شركة التوصيل ولا تخصّ أي فاتورة معروفة: ${count}`,
    },
  },
  guide: { remedy: 'Sync the month that it is for, or import its settlement sheet, or match it by hand.' },
  plant: { merchantFiles: (files) => files.receipts.set('more', payment('5.55', '2026-11-21')) },
});
