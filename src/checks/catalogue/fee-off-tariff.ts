import { DELIVERY } from '../../money/fields.ts';
import { amountOfUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { pricedOrders } from '../facts/agreed-fees.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { amounts, finding } from '../finding.ts';
import { november } from '../plant.ts';
import { anyOrderBook, tariff } from '../requirement.ts';

type Found = {
  id: 'fee-off-tariff';
  number: number;
  order: string;
  reference: string;
  workflow: string;
  district: string | null;
  day: string;
  /** The kind of charge, if it is not the delivery fee. */
  charge?: string;
  /** The places of the rate card's lines that give the agreed fee. */
  lines: string[];
  currency: string;
  expected: string;
  actual: string;
  difference: string;
  /** Whether the fee is from the courier's record of the order; if its order book was never read, from the invoice. */
  byRecord: boolean;
};
type Says = Found | { id: 'fee-off-tariff/cause'; lines: string[]; count: number };

export const feeOffTariff = defineCheck<Says>({
  code: 'fee-off-tariff',
  severity: 'error',
  requires: [tariff, anyOrderBook],
  title: { en: 'The fee of an invoiced order is the agreed one.', ar: 'رسم الطلب المفوتر هو المتفق عليه.' },
  finds: { en: 'A fee is not the agreed one', ar: 'الرسم ليس المتفق عليه' },
  claim: {
    en: 'The delivery fee of the order is not the agreed one.',
    ar: 'رسم توصيل الطلب ليس الرسم المتفق عليه.',
  },
  async find(context) {
    const { differing, compared, notComparable } = await pricedOrders(context);
    const signsOfOrder = await orderSigns(context);
    const byRecord = context.sources.book.hasOrders;
    const findings = differing.flatMap((order) => {
      const { order_id, reference, number, period, day, workflow, district, charge, fee, differences } = order;
      const lines = fee.kind === 'agreed' ? fee.lines.map(({ place }) => place) : [];
      return differences.map(({ currency, agreed, charged, effect }) => {
        const figures = amounts(amountOfUnits(agreed), amountOfUnits(charged));
        return finding<Says>({
          period,
          invoice_number: number,
          order_id,
          reference_id: reference,
          currency,
          field: charge === DELIVERY ? 'delivery_fee' : `charge ${charge}`,
          ...figures,
          effect: signsOfOrder(order_id) === null ? null : amountOfUnits(effect),
          sentence: {
            id: 'fee-off-tariff',
            number,
            order: order_id,
            reference,
            workflow,
            district,
            day,
            lines,
            ...(charge === DELIVERY ? {} : { charge }),
            currency,
            ...figures,
            byRecord,
          },
        });
      });
    });
    return { findings, compared, notComparable };
  },
  cause({ sentence }) {
    const { lines } = JSON.parse(sentence) as Found;
    return { id: 'fee-off-tariff/cause', lines };
  },
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
    findings: 1,
    effects: november({ USD: '-0.50' }),
  },
});
