import { amountOfUnits } from '../../money/index.ts';
import { defineCheck } from '../check.ts';
import { codsApart } from '../facts/exchanges.ts';
import { comparedMonths } from '../facts/order-months.ts';
import { codsOfShared, compareCods } from '../facts/own-cod.ts';
import { ownLinks } from '../facts/own-links.ts';
import { orderWorth } from '../facts/returns/standing.ts';
import { ourSource } from '../facts/sources.ts';
import { amounts, effectOf, finding } from '../finding.ts';
import { october } from '../plant.ts';
import { ownBook } from '../requirement.ts';

type Says = Found | { id: 'book-cod-differs/cause'; less: boolean; count: number };
type Found = {
  id: 'book-cod-differs';
  order: string;
  reference: string;
  currency: string;
  expected: string;
  actual: string;
  difference: string;
  /** Whether the courier's side is the order's own record; without an order book it is the invoice. */
  byRecord: boolean;
};

/** What of the own book stands in the way of a comparison of COD. */
export type OwnCodSentence = { id: 'own-book-lacks-order' };

export const bookCodDiffers = defineCheck<Says>({
  code: 'book-cod-differs',
  severity: 'error',
  requires: [ownBook],
  title: {
    en: 'The courier’s COD of an order is what the shop’s own book expects.',
    ar: 'المحصَّل للطلب لدى الشركة هو ما ينتظره سجلّ المتجر.',
  },
  finds: { en: 'COD differs from our own book', ar: 'المحصَّل يخالف سجلّ التاجر' },
  claim: {
    en: 'The COD of the order is not the one that we asked you to collect.',
    ar: 'المبلغ المحصَّل للطلب ليس ما طلبنا منكم تحصيله.',
  },
  async find(context) {
    const apart = await codsApart(context);
    const { compared, unbooked } = await compareCods(context);
    const months = await comparedMonths(
      context,
      apart.map(({ order_id }) => order_id),
    );
    const worthOf = await orderWorth(context);
    const byRecord = ourSource(context.sources) !== 'own-book';
    const findings = apart.flatMap(({ order_id, courier, expected, actual, wasDelivered }) => {
      const { first, shown } = months.get(order_id)!;
      return [...expected.keys()].sort().map((currency) => {
        const [asked, has] = [amountOfUnits(expected.get(currency)!), amountOfUnits(actual.get(currency)!)];
        const effect = wasDelivered && first !== null ? effectOf('cod', has.minus(asked), worthOf(order_id)) : null;
        const figures = amounts(asked, has);
        return finding<Says>({
          ...shown,
          order_id,
          reference_id: courier.reference,
          currency,
          field: 'cod',
          ...figures,
          effect,
          parts: effect === null ? [] : [{ period: first!, effect }],
          sentence: {
            id: 'book-cod-differs',
            order: order_id,
            reference: courier.reference,
            currency,
            ...figures,
            byRecord,
          },
        });
      });
    });
    const { ambiguous } = await ownLinks(context);
    const lacks: OwnCodSentence = { id: 'own-book-lacks-order' };
    const notComparable = [
      {
        why: { id: 'reference-on-several-orders' },
        count: ambiguous.courier.length,
        stakes: await codsOfShared(context),
      },
      { why: lacks, count: unbooked },
    ].filter(({ count }) => count > 0);
    return { findings, compared, notComparable };
  },
  cause: ({ difference }) => ({ id: 'book-cod-differs/cause', less: difference?.startsWith('-') ?? false }),
  words: {
    en: {
      'book-cod-differs': ({ order, reference, currency, expected, actual, difference, byRecord }, speech) =>
        `The COD of ${speech.order(order, reference)} is ${speech.money(actual, currency)} with the delivery company, ${speech.off(difference, currency)} than the ${speech.money(expected, currency)} that your own book expects: see which is right, and ask the company to correct ${byRecord ? 'its record' : 'the invoice'} or mend the book.`,
      'book-cod-differs/cause': ({ less, count }, speech) =>
        `${speech.count(count, { one: 'order has', other: 'orders have' })} ${less ? 'less' : 'more'} COD with the delivery company than in your own book`,
    },
    ar: {
      'book-cod-differs': ({ order, reference, currency, expected, actual, difference, byRecord }, speech) =>
        `المحصَّل عن ${speech.order(order, reference)} هو ${speech.money(actual, currency)} لدى شركة التوصيل، ${speech.off(difference, currency)} من ${speech.money(expected, currency)} التي ينتظرها سجلّك: تحقّق أيهما الصحيح، واطلب من الشركة تصحيح ${byRecord ? 'سجلّها' : 'الفاتورة'} أو صحّح سجلّك.`,
      'book-cod-differs/cause': ({ less, count }) =>
        `طلبات محصَّلها لدى شركة التوصيل ${less ? 'أقل' : 'أكثر'} مما في سجلّك: ${count}`,
    },
  },
  guide: {
    compares:
      "The courier's COD of an order is what your own book expects; a refund that it pays out is negative COD in both. One that was cancelled or came back has nothing to collect, and is not compared.",
    remedy: 'See which is right; ask for a correction, or mend the book.',
  },
  plant: {
    own: (files) => files.orders.set('ref-A1,USD', { status: 'handed_over', cod: '27.00' }),
    findings: 1,
    effects: october({ USD: '-2.00' }),
  },
});
