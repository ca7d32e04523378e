import { feeDifferences } from '../../imports/tariff/index.ts';
import { amountOfUnits, formatAmount, type RowWorth } from '../../money/index.ts';
import { defineCheck, type Finding } from '../check.ts';
import { type CancelledRow, cancelledRows } from '../facts/cancelled-fees.ts';
import { orderWorth } from '../facts/returns/standing.ts';
import { rowsWithStates } from '../facts/sheets.ts';
import { unseenRecords } from '../facts/uncompared.ts';
import { amounts, finding } from '../finding.ts';
import { ISSUED, NEW, november } from '../plant.ts';

/** `recordState`: the record's, where that alone shows that the order was cancelled (`byRecord`). */
type Charged = {
  number: number;
  order_id: string;
  reference: string;
  currency: string;
  actual: string;
  byRecord: boolean;
  recordState: string | null;
};
type Says =
  | ({ id: 'fee-on-cancelled' } & Charged)
  | ({ id: 'fee-on-cancelled/agreed'; expected: string; difference: string } & Charged)
  | { id: 'fee-on-cancelled/cause'; agreed: boolean; count: number };

export const feeOnCancelled = defineCheck<Says>({
  code: 'fee-on-cancelled',
  severity: 'warning',
  requires: [],
  title: {
    en: 'No fee is charged for a cancelled order, unless the rate card has one for cancelled orders.',
    ar: 'لا رسم على طلب ملغى، ما لم يكن في جدول الأسعار رسم للطلبات الملغاة.',
  },
  finds: { en: 'A fee for a cancelled order', ar: 'رسم على طلب ملغى' },
  claim: {
    en: 'A cancelled order is charged a fee that was not agreed.',
    ar: 'احتُسب على طلب ملغى رسم لم يُتفق عليه.',
  },
  async find(context) {
    const worthOf = await orderWorth(context);
    // A fee that does not count is charged to nobody.
    const rows = (await cancelledRows(context)).filter(({ order_id }) => worthOf(order_id)?.delivery_fee !== 0);
    const findings = rows.flatMap((row) => feesOff(row, worthOf(row.order_id)));
    return { findings, ...(await rowsWithStates(context)) };
  },
  unseen: unseenRecords,
  cause: ({ sentence }) => ({
    id: 'fee-on-cancelled/cause',
    agreed: (JSON.parse(sentence) as Says).id === 'fee-on-cancelled/agreed',
  }),
  words: {
    en: {
      'fee-on-cancelled': ({ number, currency, actual, ...row }, { money, order, state }) =>
        `Invoice ${number} charges a fee of ${money(actual, currency)} for ${inEnglish(row, order, state)}, where 0.00 is expected: ask for it back unless your agreement has fees for cancelled orders.`,
      'fee-on-cancelled/agreed': ({ number, currency, expected, actual, difference, ...row }, speech) =>
        `Invoice ${number} charges a fee of ${speech.money(actual, currency)} for ${inEnglish(row, speech.order, speech.state)}, ${speech.off(difference, currency)} than the ${speech.money(expected, currency)} that your rate card has for cancelled orders: ${
          difference.startsWith('-') ? 'the delivery company may ask for the rest' : 'ask for the difference back'
        }.`,
      'fee-on-cancelled/cause': ({ agreed, count }, speech) =>
        `${speech.count(count, { one: 'cancelled order is', other: 'cancelled orders are' })} charged ${agreed ? 'another fee than the agreed one' : 'a fee that nobody agreed'}`,
    },
    ar: {
      'fee-on-cancelled': ({ number, currency, actual, ...row }, { money, order, state }) =>
        `تحتسب الفاتورة ${number} رسمًا قدره ${money(actual, currency)} على ${inArabic(row, order, state)}، والمتوقَّع 0.00: اطلب استرداده ما لم يكن في اتفاقكما رسم على الطلبات الملغاة.`,
      'fee-on-cancelled/agreed': ({ number, currency, expected, actual, difference, ...row }, speech) =>
        `تحتسب الفاتورة ${number} رسمًا قدره ${speech.money(actual, currency)} على ${inArabic(row, speech.order, speech.state)}، ${speech.off(difference, currency)} من ${speech.money(expected, currency)} المتفق عليها للطلبات الملغاة: ${
          difference.startsWith('-') ? 'قد تطالبك شركة التوصيل بالباقي' : 'اطلب استرداد الفرق'
        }.`,
      'fee-on-cancelled/cause': ({ agreed, count }) =>
        `طلبات ملغاة عليها رسم ${agreed ? 'غير المتفق عليه' : 'لم يُتفق عليه'}: ${count}`,
    },
  },
  guide: {
    compares:
      "The fee of a `CANCELLED` order, by the row's state or by the order's own record, is the one that your rate card has for cancelled orders (`workflow` `CANCELLED`), and none where it has none.",
    remedy: 'Ask for it back, unless your agreement has such fees: then put them into the rate card.',
  },
  plant: {
    nights: [
      (books) => {
        books.place('D2', null, { USD: ['0.00', '3.00'] }).delivery_state = 'CANCELLED';
        books.bill(NEW, ISSUED, ['C1', 'D2']);
      },
    ],
    findings: 1,
    effects: november({ USD: '-3.00' }),
  },
});

/** The currencies in which a cancelled order's fee is not the agreed one: nothing, where the rate card has none for it. */
function feesOff(
  { number, period, order_id, reference, place, state, recordState, ...row }: CancelledRow,
  worth: RowWorth | null,
): Finding[] {
  return feeDifferences(row.charged, row.agreed ?? new Map()).map(({ currency, agreed, charged, effect }) => {
    const figures = amounts(amountOfUnits(agreed), amountOfUnits(charged));
    const byRecord = state !== 'CANCELLED';
    const said = {
      number,
      order_id,
      reference,
      currency,
      actual: formatAmount(amountOfUnits(charged)),
      byRecord,
      recordState: byRecord ? recordState : null,
    };
    const { expected, difference } = figures;
    return finding<Says>({
      period,
      invoice_number: number,
      order_id,
      reference_id: reference,
      currency,
      field: 'delivery_fee',
      place,
      ...figures,
      effect: row.counts && worth !== null ? amountOfUnits(effect) : null,
      sentence: row.agreed
        ? { id: 'fee-on-cancelled/agreed', ...said, expected, difference }
        : { id: 'fee-on-cancelled', ...said },
    });
  });
}

type About = Pick<Charged, 'order_id' | 'reference' | 'byRecord' | 'recordState'>;
type OrderName = (id: string, reference: string) => string;
type Text = (text: string) => string;

function inEnglish({ order_id, reference, byRecord, recordState }: About, order: OrderName, text: Text): string {
  if (!byRecord) return `the cancelled ${order(order_id, reference)}`;
  return `${order(order_id, reference)}, which its record (${text(recordState ?? '')}) shows as cancelled`;
}

function inArabic({ order_id, reference, byRecord, recordState }: About, order: OrderName, text: Text): string {
  if (!byRecord) return `${order(order_id, reference)} الملغى`;
  return `${order(order_id, reference)}، وسجلّه (${text(recordState ?? '')}) يُظهر أنه أُلغي`;
}
