import { readRestatedRecords } from '../../ledger/queries/orders/restatements.ts';
import { ORDER_MONEY_FIELDS } from '../../money/fields.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck } from '../check.ts';
import { orderMonths } from '../facts/order-months.ts';
import { population } from '../facts/population.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { amountOf, amounts, effectOf, finding, type OrderNames } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';
import { twoOrderBooks } from '../requirement.ts';

type Says =
  | (OrderNames & { id: 'order-restated'; field: string; currency: string; before: string; after: string })
  | { id: 'order-restated/cause'; field: string; count: number };

export const orderRestated = defineCheck<Says>({
  code: 'order-restated',
  severity: 'warning',
  requires: [twoOrderBooks],
  title: {
    en: 'An order’s COD and fee stay as they were when it was first seen delivered.',
    ar: 'يبقى المحصَّل والرسم للطلب كما كانا حين شوهد مسلَّمًا أول مرة.',
  },
  finds: { en: 'A record changed after delivery', ar: 'سجلّ طلب تغيّر بعد التسليم' },
  claim: {
    en: 'The amount in your record of the order was changed after the delivery.',
    ar: 'تغيّر المبلغ في سجلّكم للطلب بعد التسليم.',
  },
  async find(context) {
    const rows = await readRestatedRecords(context.db);
    const months = await orderMonths(context, rows);
    const signsOfOrder = await orderSigns(context);
    const findings = rows.flatMap((row) =>
      ORDER_MONEY_FIELDS.flatMap((field) => {
        const [expected, actual] = [amountOf(row[`then_${field}`]), amountOf(row[`now_${field}`])];
        const difference = actual.minus(expected);
        if (difference.isZero()) return [];
        const { order_id, reference, currency } = row;
        const { firstInvoiced, ofFinding } = months.get(order_id)!;
        // An order on no invoice is in no bridge.
        const effect = firstInvoiced === null ? null : effectOf(field, difference, signsOfOrder(order_id));
        const figures = amounts(expected, actual);
        const { expected: before, actual: after } = figures;
        return finding<Says>({
          ...ofFinding,
          reference_id: reference,
          currency,
          field,
          ...figures,
          effect,
          parts: effect === null ? [] : [{ period: firstInvoiced!, effect }],
          sentence: { id: 'order-restated', order: order_id, reference, field, currency, before, after },
        });
      }),
    );
    return { findings, compared: (await population(context)).orders };
  },
  cause: ({ field }) => ({ id: 'order-restated/cause', field }),
  words: {
    en: {
      'order-restated': ({ order, reference, field, currency, before, after }, speech) =>
        `The ${speech.field(field)} of ${speech.order(order, reference)} was ${speech.money(before, currency)} when it was first seen delivered and is ${speech.money(after, currency)} now: ask the delivery company why it was changed afterwards.`,
      'order-restated/cause': ({ field, count }, speech) =>
        `The ${speech.field(field)} of ${speech.count(count, { one: 'order', other: 'orders' })} was changed after the delivery`,
    },
    ar: {
      'order-restated': ({ order, reference, field, currency, before, after }, speech) =>
        `كان بند «${speech.field(field)}» في ${speech.order(order, reference)} يساوي ${speech.money(before, currency)} حين شوهد مسلَّمًا أول مرة، وهو الآن ${speech.money(after, currency)}: اسأل شركة التوصيل عن سبب تغييره بعد ذلك.`,
      'order-restated/cause': ({ field, count }, speech) =>
        `بند «${speech.field(field)}» تغيّر بعد التسليم في ${speech.count(count, arabicNoun('طلب', 'طلبات', 'genitive'))}`,
    },
  },
  guide: {
    compares: "An order's COD and fee are what they were when it was first seen delivered.",
    remedy: 'Ask why it was changed afterwards.',
  },
  plant: {
    night(books) {
      books.orders.get('C1')!.amounts = { USD: ['20.00', '3.00'] };
    },
    nextNight: (books) => void books.bill(NEW_INVOICE, ISSUED, ['C1', 'C2']),
    effects: november({ USD: '-5.00' }),
  },
});
