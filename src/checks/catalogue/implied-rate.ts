import { sayFraction } from '../../imports/rates/index.ts';
import { formatUnits } from '../../money/index.ts';
import { defineCheck } from '../check.ts';
import { exchangedCods } from '../facts/exchanges.ts';
import { comparedMonths } from '../facts/order-months.ts';
import { finding } from '../finding.ts';
import { ownBook, rates } from '../requirement.ts';

type Says = Found | { id: 'implied-rate/cause'; line: string; count: number };
type Found = {
  id: 'implied-rate';
  order: string;
  reference: string;
  asked: { amount: string; currency: string };
  collected: { amount: string; currency: string };
  /** What one unit of the currency asked for came to, and what the table says: plain decimals. */
  implied: string;
  table: string;
  /** The line of the table. */
  line: string;
};

/** The rate table lacks a rate. */
export type NoRateSentence = { id: 'no-rate-by-day' };

export const impliedRate = defineCheck<Says>({
  code: 'implied-rate',
  severity: 'info',
  requires: [rates, ownBook],
  title: {
    en: 'COD that was collected in another currency than the shop asked for implies the rate of the table.',
    ar: 'ما حُصّل بغير العملة التي طلبها المتجر يطابق سعر الصرف في الجدول.',
  },
  finds: { en: 'An exchange rate off the table', ar: 'سعر الصرف الضمني ليس سعر الجدول' },
  async find(context) {
    const exchanged = await exchangedCods(context);
    const outside = exchanged.filter(({ outcome }) => outcome === 'outside');
    const months = await comparedMonths(
      context,
      outside.map(({ order_id }) => order_id),
    );
    const without = exchanged.filter(({ outcome }) => outcome === 'no-rate').length;
    const findings = outside.map(({ order_id, courier, exchange, table: rate, line, invoice_number }) => {
      const { asked, collected } = exchange;
      const [implied, should] = [sayFraction(exchange.implied), sayFraction(rate!)];
      return finding<Says>({
        ...months.get(order_id)!.shown,
        invoice_number,
        order_id,
        reference_id: courier.reference,
        field: 'cod',
        expected: should,
        actual: implied,
        sentence: {
          id: 'implied-rate',
          order: order_id,
          reference: courier.reference,
          asked: { amount: formatUnits(asked.amount), currency: asked.currency },
          collected: { amount: formatUnits(collected.amount), currency: collected.currency },
          implied,
          table: should,
          line: line!.place,
        },
      });
    });
    const why: NoRateSentence = { id: 'no-rate-by-day' };
    return {
      findings,
      compared: exchanged.length - without,
      notComparable: without > 0 ? [{ why, count: without }] : [],
    };
  },
  cause: ({ sentence }) => ({ id: 'implied-rate/cause', line: (JSON.parse(sentence) as Found).line }),
  words: {
    en: {
      'implied-rate': ({ order, reference, asked, collected, implied, table, line }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} was to bring ${speech.money(asked.amount, asked.currency)} and brought ${speech.money(collected.amount, collected.currency)} instead, which is ${implied} ${collected.currency} for one ${asked.currency} where the table (${line}) says ${table}: check whether that rate was agreed.`,
      'implied-rate/cause': ({ line, count }, speech) =>
        `${speech.count(count, { one: 'order was', other: 'orders were' })} collected at another rate than the table (${speech.text(line)}) says`,
    },
    ar: {
      'implied-rate': ({ order, reference, asked, collected, implied, table, line }, speech) =>
        `كان على ${speech.order(order, reference)} أن يجلب ${speech.money(asked.amount, asked.currency)} فجلب بدلًا منها ${speech.money(collected.amount, collected.currency)}، أي ${implied} ${collected.currency} لكل ${asked.currency} والجدول (${line}) يذكر ${table}: تحقّق هل اتُّفق على هذا السعر.`,
      'implied-rate/cause': ({ line, count }, speech) => `طلبات حُصّلت بغير سعر الجدول (${speech.text(line)}): ${count}`,
    },
  },
  guide: {
    compares:
      'COD that was collected in another currency than your own book asked for implies the rate of the table; needs `import orders` and `import rates`.',
    remedy: 'Check whether that rate was agreed.',
  },
  plant: {
    own(files) {
      // 22.50 asked for in dollars, and 900,000 pounds came: 40,000 for one, where the table says 90,000.
      files.orders.set('ref-A2,USD', { status: 'handed_over', cod: '63.00' });
      files.orders.set('ref-A2,LBP', { status: 'handed_over', cod: '0.00' });
    },
    beside: ['book-cod-differs'],
    findings: 1,
  },
});
