import { amountOfUnits } from '../../money/units.ts';
import { defineCheck, type NotComparable } from '../check.ts';
import { codsOfShared, compareCods } from '../facts/compared-cods.ts';
import { differingCods, type MoneyText, sayMoney, undeliveredOfSameWorth } from '../facts/exchanges.ts';
import { comparedMonths } from '../facts/order-months.ts';
import { ownLinks } from '../facts/own-links.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { amounts, effectOf, type Figures, finding, type OrderNames } from '../finding.ts';
import { october } from '../plant.ts';
import { ownBook } from '../requirement.ts';

type Says =
  | Found
  | SameWorth
  | { id: 'book-cod-differs/cause'; less: boolean; count: number }
  | { id: 'book-cod-differs/cause-early'; count: number }
  | { id: 'book-cod-differs/cause-worth'; count: number };
/** An order that is not delivered yet has its COD in another currency at the courier. */
type SameWorth = OrderNames & { id: 'book-cod-differs/same-worth'; asked: MoneyText; has: MoneyText };
type Found = Figures &
  OrderNames & {
    id: 'book-cod-differs';
    currency: string;
    /** Whether `actual` is from the courier's record; if its order book was never read, from the invoice. */
    byRecord: boolean;
    /** Whether the order is not delivered yet, so that the company can still be told before it collects. */
    isEarly?: boolean;
  };

export const bookCodDiffers = defineCheck<Says>({
  code: 'book-cod-differs',
  severity: 'error',
  requires: [ownBook],
  title: {
    en: 'The courier’s COD of an order is what the shop’s own book expects.',
    ar: 'المحصَّل للطلب لدى الشركة هو المتوقَّع في سجلّ المتجر.',
  },
  finds: { en: 'COD differs from our own book', ar: 'المحصَّل يخالف سجلّ التاجر' },
  claim: {
    en: 'The COD of the order is not the one that we asked you to collect.',
    ar: 'المبلغ المحصَّل للطلب ليس ما طلبنا منكم تحصيله.',
  },
  async find(context) {
    const differing = await differingCods(context);
    const { compared, unbooked } = await compareCods(context);
    const months = await comparedMonths(context, differing);
    const signsOfOrder = await orderSigns(context);
    const byRecord = context.sources.book.hasOrders;
    const sameWorth = await undeliveredOfSameWorth(context);
    const findings = differing.flatMap(({ order_id, courier, differences, wasDelivered }) => {
      const { firstInvoiced, ofFinding } = months.get(order_id)!;
      const reference_id = courier.reference;
      const exchange = sameWorth.get(order_id);
      // The order is not delivered yet and is to bring the same worth: nothing is at stake.
      if (exchange) {
        const sentence: SameWorth = {
          id: 'book-cod-differs/same-worth',
          order: order_id,
          reference: reference_id,
          asked: sayMoney(exchange.asked),
          has: sayMoney(exchange.collected),
        };
        return [finding<Says>({ ...ofFinding, reference_id, field: 'cod', severity: 'info', sentence })];
      }
      return differences.map(({ currency, ...units }) => {
        const [expected, actual] = [amountOfUnits(units.expected), amountOfUnits(units.actual)];
        // The money is at stake once it was collected and billed: in the month of the first invoice.
        const isBilled = wasDelivered && firstInvoiced !== null;
        const effect = isBilled ? effectOf('cod', actual.minus(expected), signsOfOrder(order_id)) : null;
        const figures = amounts(expected, actual);
        return finding<Says>({
          ...ofFinding,
          reference_id,
          currency,
          field: 'cod',
          ...figures,
          severity: wasDelivered ? 'error' : 'warning',
          effect,
          parts: effect === null ? [] : [{ period: firstInvoiced!, effect }],
          sentence: {
            id: 'book-cod-differs',
            order: order_id,
            reference: reference_id,
            currency,
            ...figures,
            byRecord,
            ...(wasDelivered ? {} : { isEarly: true }),
          },
        });
      });
    });
    const { ambiguous } = await ownLinks(context);
    const notComparable: NotComparable[] = [
      {
        why: { id: 'reference-on-several-orders' },
        count: ambiguous.courier.length,
        stakes: await codsOfShared(context),
      },
      { why: { id: 'own-book-lacks-order' }, count: unbooked },
    ];
    return { findings, compared, notComparable };
  },
  cause({ difference, sentence }) {
    const { id, isEarly } = JSON.parse(sentence) as { id: string; isEarly?: boolean };
    if (id === 'book-cod-differs/same-worth') return { id: 'book-cod-differs/cause-worth' };
    if (isEarly) return { id: 'book-cod-differs/cause-early' };
    return { id: 'book-cod-differs/cause', less: difference?.startsWith('-') ?? false };
  },
  words: {
    en: {
      'book-cod-differs': ({ order, reference, currency, expected, actual, difference, byRecord, isEarly }, speech) =>
        `The COD of ${speech.order(order, reference)} is ${speech.money(actual, currency)} with the delivery company, ${speech.off(difference, currency)} than the ${speech.money(expected, currency)} that your own book expects: see which is right, and ${isEarly ? 'tell the company before it collects, or mend the book' : `ask the company to correct ${byRecord ? 'its record' : 'the invoice'} or mend the book`}.`,
      'book-cod-differs/same-worth': ({ order, reference, asked, has }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} is to bring ${speech.money(has.amount, has.currency)} by the delivery company’s record and ${speech.money(asked.amount, asked.currency)} by your own book: worth the same at today’s rate.`,
      'book-cod-differs/cause-early': ({ count }, speech) =>
        `${speech.count(count, { one: 'order that is not delivered yet has', other: 'orders that are not delivered yet have' })} another COD with the delivery company than in your own book`,
      'book-cod-differs/cause-worth': ({ count }, speech) =>
        `${speech.count(count, { one: 'order that is not delivered yet is', other: 'orders that are not delivered yet are' })} to bring the same worth in another currency`,
      'book-cod-differs/cause': ({ less, count }, speech) =>
        `${speech.count(count, { one: 'order has', other: 'orders have' })} ${less ? 'less' : 'more'} COD with the delivery company than in your own book`,
    },
    ar: {
      'book-cod-differs': ({ order, reference, currency, expected, actual, difference, byRecord, isEarly }, speech) =>
        `${isEarly ? 'المطلوب تحصيله' : 'المحصَّل'} عن ${speech.order(order, reference)} هو ${speech.money(actual, currency)} لدى شركة التوصيل، ${speech.off(difference, currency)} من ${speech.money(expected, currency)} المتوقَّعة في سجلّك: تحقّق أيهما الصحيح، ${isEarly ? 'وأبلغ الشركة قبل أن تحصّل، أو صحّح سجلّك' : `واطلب من الشركة تصحيح ${byRecord ? 'سجلّها' : 'الفاتورة'} أو صحّح سجلّك`}.`,
      'book-cod-differs/same-worth': ({ order, reference, asked, has }, speech) =>
        `المطلوب تحصيله عن ${speech.order(order, reference)} هو ${speech.money(has.amount, has.currency)} في سجلّ شركة التوصيل و${speech.money(asked.amount, asked.currency)} في سجلّك: القيمة نفسها بسعر اليوم.`,
      'book-cod-differs/cause-early': ({ count }) =>
        `طلبات لم تُسلَّم بعد والمطلوب تحصيله عنها لدى شركة التوصيل غير ما في سجلّك: ${count}`,
      'book-cod-differs/cause-worth': ({ count }) =>
        `طلبات لم تُسلَّم بعد والمطلوب تحصيله عنها القيمة نفسها بعملة أخرى: ${count}`,
      'book-cod-differs/cause': ({ less, count }) =>
        `طلبات محصَّلها لدى شركة التوصيل ${less ? 'أقل' : 'أكثر'} مما في سجلّك: ${count}`,
    },
  },
  guide: {
    compares:
      "The courier's COD of an order is what your own book expects; a refund that it pays out is negative COD in your book, with either sign where the courier takes the COD of RETURN orders off. One that was cancelled or came back has nothing to collect, and is not compared. One that is not delivered yet is a warning (tell the company before it collects), and a note where both sides are worth the same at today's rate.",
    remedy: 'See which is right; ask for a correction, or mend the book.',
  },
  plant: {
    // The own book expects 27.00 of A1, for which the courier has 25.00.
    merchantFiles: (files) => files.orders.set('ref-A1,USD', { status: 'handed_over', cod: '27.00' }),
    effects: october({ USD: '-2.00' }),
  },
});
