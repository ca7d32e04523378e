import { amountOfUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { type PricedOrderWords, pricedOrders, sayPriced } from '../facts/agreed-fees.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { amounts, type Figures, finding, ofRow } from '../finding.ts';
import { november } from '../plant.ts';
import { anyOrderBook, tariff } from '../requirement.ts';

type Found = PricedOrderWords &
  Figures & {
    id: 'fee-off-tariff';
    currency: string;
    /** Whether the fee is from the courier's record; if its order book was never read, from the invoice. */
    byRecord: boolean;
  };
type Says = Found | { id: 'fee-off-tariff/cause'; lines: string[]; count: number };

export const feeOffTariff = defineCheck<Says>({
  code: 'fee-off-tariff',
  severity: 'error',
  requires: [tariff, anyOrderBook],
  title: { en: 'The fee of an invoiced order is the agreed one.', ar: 'رسم الطلب المفوتر هو المتفق عليه.' },
  finds: { en: 'A fee is not the agreed one', ar: 'الرسم ليس المتفق عليه' },
  claim: { en: 'The delivery fee of the order is not the agreed one.', ar: 'رسم توصيل الطلب ليس الرسم المتفق عليه.' },
  async find(context) {
    const { differing, compared, notComparable } = await pricedOrders(context);
    const signsOfOrder = await orderSigns(context);
    const byRecord = context.sources.book.hasOrders;
    const findings = differing.flatMap((order) => {
      const { about, ofCharge, lines, field } = sayPriced(order);
      // While nobody knows whether a RETURN order's fee counts on an invoice, its difference is not in the bridge.
      const hasKnownSigns = signsOfOrder(order.order_id) !== null;
      return order.differences.map(({ currency, agreed, charged, effect }) => {
        const figures = amounts(amountOfUnits(agreed), amountOfUnits(charged));
        return finding<Says>({
          ...ofRow(order),
          currency,
          field,
          ...figures,
          effect: hasKnownSigns ? amountOfUnits(effect) : null,
          sentence: { id: 'fee-off-tariff', ...about, lines, ...ofCharge, currency, ...figures, byRecord },
        });
      });
    });
    return { findings, compared, notComparable };
  },
  cause: ({ sentence }) => ({ id: 'fee-off-tariff/cause', lines: (JSON.parse(sentence) as Found).lines }),
  words: {
    en: {
      'fee-off-tariff': (parameters, { money, off, order, text }) => {
        const { number, reference, workflow, district, day, lines, charge, currency, expected, actual, byRecord } =
          parameters;
        const [named, sum] = [order(parameters.order, reference), money(actual, currency)];
        const fee = byRecord
          ? `The fee of ${named} on invoice ${number} is ${sum} by the order's own record`
          : `Invoice ${number} charges ${charge === undefined ? 'a fee' : text(charge)} of ${sum} for ${named}`;
        const what = text(district === null ? workflow : `${workflow} to ${district}`);
        const ask = parameters.difference.startsWith('-')
          ? 'you are charged less than agreed; ask the delivery company which price holds'
          : 'show the delivery company the rate card and ask for the difference';
        return `${fee}, ${off(parameters.difference, currency)} than the ${money(expected, currency)} agreed for ${what} on ${day} (${lines.join(', ')}): ${ask}.`;
      },
      'fee-off-tariff/cause': ({ lines, count }, { count: counted }) =>
        `${counted(count, { one: 'fee is', other: 'fees are' })} not what the rate card says (${lines.join(', ')})`,
    },
    ar: {
      'fee-off-tariff': (parameters, { money, off, order, text }) => {
        const { number, reference, workflow, district, day, lines, charge, currency, expected, actual, byRecord } =
          parameters;
        const [named, sum] = [order(parameters.order, reference), money(actual, currency)];
        const kind = charge === undefined ? 'رسمًا' : `رسم ${text(charge)}`;
        const fee = byRecord ? `رسم ${named} وهو ${sum} بحسب سجلّه` : `${kind} قدره ${sum} عن ${named}`;
        const what = `${text(workflow)}${district === null ? '' : ` إلى ${text(district)}`}`;
        const ask = parameters.difference.startsWith('-')
          ? 'احتُسب عليك أقل من المتفق عليه؛ اسأل شركة التوصيل أي سعر يسري'
          : 'أبرز لائحة الأسعار لشركة التوصيل واطلب الفرق';
        return `تحتسب الفاتورة ${number} ${fee}، ${off(parameters.difference, currency)} من ${money(expected, currency)} المتفق عليها لـ${what} في ${day} (${lines.map(text).join('، ')}): ${ask}.`;
      },
      'fee-off-tariff/cause': ({ lines, count }, { text }) =>
        `رسوم تخالف لائحة الأسعار (${lines.map(text).join('، ')}): ${count}`,
    },
  },
  guide: {
    compares: 'The fee of an invoiced order is the agreed one, by its record; without the order book, by its row.',
    remedy: 'Show the rate card and ask for the difference.',
  },
  plant: {
    merchantFiles(files) {
      files.tariff.get('B1 USD')!.fee = '2.50';
    },
    effects: november({ USD: '-0.50' }),
  },
});
