import { readPaymentConflicts } from '../../ledger/queries/rows/row-differences.ts';
import { defineCheck } from '../check.ts';
import { rowPlaces } from '../facts/billed-orders.ts';
import { coverageOfRowsWithStates } from '../facts/population.ts';
import { finding, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';

/** `status`: the invoice's; `state`: the order's payment state. */
type Says = {
  id: 'paid-state-conflict';
  number: number;
  status: string;
  order_id: string;
  reference: string;
  state: string;
};

export const paidStateConflict = defineCheck<Says>({
  code: 'paid-state-conflict',
  severity: 'warning',
  title: {
    en: 'Every order of a paid invoice is marked paid to the merchant; no order of an unpaid invoice is.',
    ar: 'كل طلب في فاتورة مدفوعة مذكور مدفوعًا للتاجر، ولا طلب في فاتورة غير مدفوعة كذلك.',
  },
  finds: { en: 'Payment states that conflict', ar: 'حالة الدفع في الفاتورة وفي طلباتها متعارضة' },
  claim: {
    en: 'The invoice and the order on it do not agree on whether it was paid.',
    ar: 'الفاتورة والطلب الوارد فيها لا يتفقان على دفعها.',
  },
  async find(context) {
    const conflicts = await readPaymentConflicts(context.db, context.periods);
    const placeOf = await rowPlaces(context);
    const findings = conflicts.map((row) => {
      const { number, status, order_id, reference, payment_state: state } = row;
      return finding<Says>({
        ...ofRow(row),
        field: 'payment_state',
        place: placeOf(row).place,
        sentence: { id: 'paid-state-conflict', number, status, order_id, reference, state },
      });
    });
    return { findings, ...(await coverageOfRowsWithStates(context)) };
  },
  words: {
    en: {
      'paid-state-conflict': ({ number, status, order_id, reference, state }, { order, state: stateWord }) =>
        `Invoice ${number} is ${stateWord(status)} but its ${order(order_id, reference)} is ${stateWord(state)}: check whether the money came in, then ask the delivery company to correct the one that is wrong.`,
    },
    ar: {
      'paid-state-conflict': ({ number, status, order_id, reference, state }, { order, state: stateWord }) =>
        `حالة الفاتورة ${number} هي ${stateWord(status)}، وحالة دفع ${order(order_id, reference)} فيها ${stateWord(state)}: تحقّق هل وصل المال، ثم اطلب من شركة التوصيل تصحيح الحالة الخاطئة.`,
    },
  },
  guide: {
    compares: 'Every order of a paid invoice is `PAID_TO_MERCHANT`; no order of an unpaid invoice is.',
    remedy: 'Check whether the money came in.',
  },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1']).rows[0]!.payment_state = 'PENDING_PAYMENT_TO_MERCHANT';
    },
  },
});
