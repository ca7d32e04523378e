import { groupBy } from '../../base/group.ts';
import type { Speech } from '../../base/sentence.ts';
import { feeDifferences } from '../../imports/tariff.ts';
import { readInvoicesOfUndelivered } from '../../ledger/queries/rows/row-differences.ts';
import { formatAmount, ZERO } from '../../money/decimal.ts';
import type { RowSigns } from '../../money/returns.ts';
import { amountOfUnits } from '../../money/units.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { type CancelledRow, cancelledRows } from '../facts/cancelled-fees.ts';
import { coverageOfRowsWithStates } from '../facts/population.ts';
import { countsFee, orderSigns } from '../facts/returns/convention.ts';
import { unseenRecords } from '../facts/stated-rows.ts';
import { amounts, finding, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';

/** `recordState`: the state in the order's record, if only that shows that the order was cancelled (`byRecord`). */
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
  | { id: 'fee-on-cancelled/invoice'; number: number; currency: string; actual: string; orders: number }
  | { id: 'fee-on-cancelled/cause'; agreed: boolean; count: number }
  | { id: 'fee-on-cancelled/invoices'; count: number };

export const feeOnCancelled = defineCheck<Says>({
  code: 'fee-on-cancelled',
  severity: 'warning',
  title: {
    en: 'No fee is charged for a cancelled order, unless the rate card has one for cancelled orders.',
    ar: 'لا رسم على طلب ملغى، ما لم يكن في لائحة الأسعار رسم للطلبات الملغاة.',
  },
  finds: { en: 'A fee for a cancelled order', ar: 'رسم على طلب ملغى' },
  claim: {
    en: 'A cancelled order is charged a fee that was not agreed.',
    ar: 'احتُسب على طلب ملغى رسم لم يُتفق عليه.',
  },
  async find(context) {
    const signsOfOrder = await orderSigns(context);
    // A fee that does not count is charged to nobody.
    const rows = (await cancelledRows(context)).filter(({ order_id }) => countsFee(signsOfOrder(order_id)));
    const ofInvoices = await cancellationRows(context, rows);
    const otherRows = rows.filter((row) => !ofInvoices.has(row));
    const byInvoice = groupBy([...ofInvoices], ({ number }) => number);
    const findings = [
      ...otherRows.flatMap((row) => feesOff(row, signsOfOrder(row.order_id))),
      ...[...byInvoice.values()].flatMap((invoiceRows) => feesOfInvoice(invoiceRows, signsOfOrder)),
    ];
    return { findings, ...(await coverageOfRowsWithStates(context)) };
  },
  unseen: unseenRecords,
  cause: ({ sentence }) => {
    const { id } = JSON.parse(sentence) as Says;
    if (id === 'fee-on-cancelled/invoice') return { id: 'fee-on-cancelled/invoices' };
    return { id: 'fee-on-cancelled/cause', agreed: id === 'fee-on-cancelled/agreed' };
  },
  words: {
    en: {
      'fee-on-cancelled': ({ number, currency, actual, ...row }, speech) =>
        `Invoice ${number} charges a fee of ${speech.money(actual, currency)} for ${inEnglish(row, speech)}, where 0.00 is expected: ask for it back unless your agreement has fees for cancelled orders.`,
      'fee-on-cancelled/agreed': ({ number, currency, expected, actual, difference, ...row }, speech) =>
        `Invoice ${number} charges a fee of ${speech.money(actual, currency)} for ${inEnglish(row, speech)}, ${speech.off(difference, currency)} than the ${speech.money(expected, currency)} that your rate card has for cancelled orders: ${
          difference.startsWith('-') ? 'the delivery company may ask for the rest' : 'ask for the difference back'
        }.`,
      'fee-on-cancelled/invoice': ({ number, currency, actual, orders }, speech) =>
        `Invoice ${number}, on which no order was ever delivered, charges ${speech.money(actual, currency)} for ${speech.count(orders, { one: 'cancelled order', other: 'cancelled orders' })}, where 0.00 is expected: ask for it back unless your agreement has fees for cancelled orders.`,
      'fee-on-cancelled/invoices': ({ count }, speech) =>
        `${speech.count(count, { one: 'invoice', other: 'invoices' })} on which no order was ever delivered ${count === 1 ? 'charges' : 'charge'} a fee that nobody agreed`,
      'fee-on-cancelled/cause': ({ agreed, count }, speech) =>
        `${speech.count(count, { one: 'cancelled order is', other: 'cancelled orders are' })} charged ${agreed ? 'another fee than the agreed one' : 'a fee that nobody agreed'}`,
    },
    ar: {
      'fee-on-cancelled': ({ number, currency, actual, ...row }, speech) =>
        `تحتسب الفاتورة ${number} رسمًا قدره ${speech.money(actual, currency)} على ${inArabic(row, speech)}، والمتوقَّع 0.00: اطلب استرداده ما لم يكن في اتفاقكما رسم على الطلبات الملغاة.`,
      'fee-on-cancelled/agreed': ({ number, currency, expected, actual, difference, ...row }, speech) =>
        `تحتسب الفاتورة ${number} رسمًا قدره ${speech.money(actual, currency)} على ${inArabic(row, speech)}، ${speech.off(difference, currency)} من ${speech.money(expected, currency)} المتفق عليها للطلبات الملغاة: ${
          difference.startsWith('-') ? 'قد تطالبك شركة التوصيل بالباقي' : 'اطلب استرداد الفرق'
        }.`,
      'fee-on-cancelled/invoice': ({ number, currency, actual, orders }, speech) =>
        `تحتسب الفاتورة ${number}، ولم يُسلَّم أي طلب فيها قط، ${speech.money(actual, currency)} على طلبات ملغاة عددها ${orders}، والمتوقَّع 0.00: اطلب استرداده ما لم يكن في اتفاقكما رسم على الطلبات الملغاة.`,
      'fee-on-cancelled/invoices': ({ count }) => `فواتير لم يُسلَّم أي طلب فيها قط وعليها رسم لم يُتفق عليه: ${count}`,
      'fee-on-cancelled/cause': ({ agreed, count }) =>
        `طلبات ملغاة عليها رسم ${agreed ? 'غير المتفق عليه' : 'لم يُتفق عليه'}: ${count}`,
    },
  },
  guide: {
    compares:
      "The fee of a `CANCELLED` order, by the row's state or by the order's own record, is the one that your rate card has for cancelled orders (`workflow` `CANCELLED`), and none where it has none. Of an invoice on which no order was ever delivered it asks once a currency.",
    remedy: 'Ask for it back, unless your agreement has such fees: then put them into the rate card.',
  },
  plant: {
    night(books) {
      books.place('D2', null, { USD: ['0.00', '3.00'] }).delivery_state = 'CANCELLED';
      books.bill(NEW_INVOICE, ISSUED, ['C1', 'D2']);
    },
    effects: november({ USD: '-3.00' }),
  },
});

/** A finding for each currency in which a cancelled order's fee is not the agreed one, or not zero without one. */
function feesOff(row: CancelledRow, signs: RowSigns | null): Finding[] {
  const { number, order_id, reference, place, state, record_state } = row;
  return feeDifferences(row.charged, row.agreed ?? new Map()).map(({ currency, agreed, charged, effect }) => {
    const figures = amounts(amountOfUnits(agreed), amountOfUnits(charged));
    const byRecord = state !== 'CANCELLED';
    const recordState = byRecord ? record_state : null;
    const { expected, actual, difference } = figures;
    const parameters = { number, order_id, reference, currency, actual, byRecord, recordState };
    return finding<Says>({
      ...ofRow(row),
      currency,
      field: 'delivery_fee',
      place,
      ...figures,
      effect: row.isInOurFigure && signs !== null ? amountOfUnits(effect) : null,
      sentence: row.agreed
        ? { id: 'fee-on-cancelled/agreed', ...parameters, expected, difference }
        : { id: 'fee-on-cancelled', ...parameters },
    });
  });
}

/** The rows without an agreed fee that are on invoices on which no order was ever delivered (cancellation invoices). */
async function cancellationRows({ db, periods }: CheckContext, rows: readonly CancelledRow[]) {
  const numbers = new Set(await readInvoicesOfUndelivered(db, periods));
  // Without an order book a row of another invoice may say that the order was delivered.
  for (const { number, wasDelivered } of rows) if (wasDelivered) numbers.delete(number);
  return new Set(rows.filter(({ number, agreed }) => agreed === null && numbers.has(number)));
}

/** One finding for each currency of a cancellation invoice; if only one row charges a fee, the finding is the row's. */
function feesOfInvoice(rows: readonly CancelledRow[], signsOfOrder: (orderId: string) => RowSigns | null): Finding[] {
  const [{ number, period }] = rows as [CancelledRow, ...CancelledRow[]];
  const lines = rows.flatMap((row) => feesOff(row, signsOfOrder(row.order_id)));
  return [...groupBy(lines, ({ currency }) => currency!)].flatMap(([currency, inCurrency]) => {
    if (inCurrency.length === 1) return inCurrency;
    const sum = (textOf: (line: Finding) => string | null) =>
      inCurrency.reduce((total, line) => total.plus(textOf(line) ?? 0), ZERO);
    const charged = sum(({ actual }) => actual);
    if (charged.isZero()) return [];
    const actual = formatAmount(charged);
    return finding<Says>({
      period,
      invoice_number: number,
      currency,
      field: 'delivery_fee',
      ...amounts(ZERO, charged),
      effect: inCurrency.some(({ effect }) => effect !== null) ? sum(({ effect }) => effect) : null,
      sentence: { id: 'fee-on-cancelled/invoice', number, currency, actual, orders: inCurrency.length },
    });
  });
}

type About = Pick<Charged, 'order_id' | 'reference' | 'byRecord' | 'recordState'>;

function inEnglish({ order_id, reference, byRecord, recordState }: About, { order, state }: Speech): string {
  if (!byRecord) return `the cancelled ${order(order_id, reference)}`;
  return `${order(order_id, reference)}, which its record (${state(recordState ?? '')}) shows as cancelled`;
}

function inArabic({ order_id, reference, byRecord, recordState }: About, { order, state }: Speech): string {
  if (!byRecord) return `${order(order_id, reference)} الملغى`;
  return `${order(order_id, reference)}، وسجلّه (${state(recordState ?? '')}) يُظهر أنه أُلغي`;
}
