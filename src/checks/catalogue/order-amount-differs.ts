import type { RowBesideRecord } from '../../ledger/queries/rows/row-differences.ts';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../money/fields.ts';
import { defineCheck } from '../check.ts';
import { rowKey, rowPlaces } from '../facts/billed-orders.ts';
import type { FigureSentence } from '../facts/headers.ts';
import { population } from '../facts/population.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { differingRows, uncomparedRows, unseenRows, whyUncompared } from '../facts/stated-rows.ts';
import { amountOf, amounts, effectOf, finding, type OrderNames, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';
import { orderBook } from '../requirement.ts';

type Says = FigureSentence<'order-amount-differs'> & OrderNames & { field: OrderMoneyField };

export const orderAmountDiffers = defineCheck<Says>({
  code: 'order-amount-differs',
  severity: 'error',
  requires: [orderBook],
  title: {
    en: 'An invoice’s row states the amounts of the order’s own record.',
    ar: 'يذكر سطر الفاتورة مبالغ سجلّ الطلب نفسه.',
  },
  finds: { en: 'A row differs from its record', ar: 'سطر الفاتورة يخالف سجلّ الطلب' },
  claim: {
    en: 'The amount on the invoice is not that of your own record of the order.',
    ar: 'المبلغ في الفاتورة ليس المبلغ في سجلّكم للطلب.',
  },
  async find(context) {
    const uncompared = await uncomparedRows(context);
    const isUncompared = new Set(uncompared.map(rowKey));
    const rows = await differingRows(context);
    const placeOf = await rowPlaces(context);
    const signsOfOrder = await orderSigns(context);
    const findings = rows.flatMap((row) => {
      const { number, order_id, reference, currency } = row;
      if (isUncompared.has(rowKey(row))) return [];
      const { place, isCounted } = placeOf(row);
      return ORDER_MONEY_FIELDS.flatMap((field) => {
        // A record without a fee has none to compare with: the bridge counts the row's fee as not compared.
        if (field === 'delivery_fee' && row.fee_stated === 0) return [];
        const [expected, actual] = [amountOf(row[`record_${field}`]), amountOf(row[`row_${field}`])];
        const difference = actual.minus(expected);
        if (difference.isZero()) return [];
        const figures = amounts(expected, actual);
        const isOfThisCheck = isCounted && !isEffectElsewhere(row, field);
        return finding<Says>({
          ...ofRow(row),
          currency,
          field,
          place,
          ...figures,
          effect: isOfThisCheck ? effectOf(field, difference, signsOfOrder(order_id)) : null,
          sentence: { id: 'order-amount-differs', number, order: order_id, reference, field, currency, ...figures },
        });
      });
    });
    const { rows: all } = await population(context);
    return { findings, compared: all - uncompared.length, notComparable: whyUncompared(uncompared) };
  },
  unseen: unseenRows,
  words: {
    en: {
      'order-amount-differs': ({ number, order, reference, field, currency, ...figures }, speech) =>
        `Invoice ${number} states a ${speech.field(field)} of ${speech.money(figures.actual, currency)} for ${speech.order(order, reference)}, ${speech.off(figures.difference, currency)} than the ${speech.money(figures.expected, currency)} of the order itself: show the delivery company both and ask it to correct the invoice.`,
    },
    ar: {
      'order-amount-differs': ({ number, order, reference, field, currency, ...figures }, speech) =>
        `تذكر الفاتورة ${number} في بند «${speech.field(field)}» مبلغ ${speech.money(figures.actual, currency)} عن ${speech.order(order, reference)}، ${speech.off(figures.difference, currency)} من ${speech.money(figures.expected, currency)} في سجلّ الطلب نفسه: أرِ شركة التوصيل المبلغين واطلب منها تصحيح الفاتورة.`,
    },
  },
  guide: {
    compares:
      "An invoice's row states the COD and the fee of the order's own record, per currency; where the record states no fee, the COD alone.",
    remedy: 'Show both, and ask for a corrected invoice.',
  },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1', 'C2']).rows[0]!.amounts = { USD: ['20.00', '3.50'] };
    },
    findings: 2,
    effects: november({ USD: '-5.50' }),
  },
});

/**
 * Whether another check has the difference as its effect: the order was never delivered (`cod-without-delivery`), or is
 * cancelled (`fee-on-cancelled`).
 */
function isEffectElsewhere({ delivered_seen_at, state }: RowBesideRecord, field: OrderMoneyField): boolean {
  return delivered_seen_at === null && (field === 'cod' || state === 'CANCELLED');
}
