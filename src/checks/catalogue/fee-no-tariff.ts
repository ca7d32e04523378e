import { amountOfUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { type PricedOrderWords, pricedOrders, sayPriced } from '../facts/agreed-fees.ts';
import { finding, ofRow } from '../finding.ts';
import { anyOrderBook, tariff } from '../requirement.ts';

/** `lines`: the rate card's lines that fit the order equally well; empty if none fits. */
type Found = { id: 'fee-no-tariff' } & PricedOrderWords;
type Says =
  | Found
  | { id: 'fee-no-tariff/cause'; district: string | null; workflow: string; charge?: string; count: number };

/** For an order that is charged nothing: one finding without an amount. */
const NO_FEE = { currency: null, amount: null };

export const feeNoTariff = defineCheck<Says>({
  code: 'fee-no-tariff',
  severity: 'warning',
  requires: [tariff, anyOrderBook],
  title: {
    en: 'The rate card has one price for every invoiced order.',
    ar: 'في لائحة الأسعار سعر واحد لكل طلب مفوتر.',
  },
  finds: { en: 'No agreed price', ar: 'لا سعر متفقًا عليه للطلب' },
  async find(context) {
    const { differing, compared, notComparable } = await pricedOrders(context);
    const findings = differing.flatMap((order) => {
      if (order.fee.kind === 'agreed') return [];
      const { about, ofCharge, lines, field } = sayPriced(order);
      const sentence: Found = { id: 'fee-no-tariff', ...about, ...ofCharge, lines };
      const fees = [...order.charged]
        .map(([currency, units]) => ({ currency, amount: amountOfUnits(units) }))
        .filter(({ amount }) => !amount.isZero())
        .sort((a, b) => (a.currency < b.currency ? -1 : 1));
      return (fees.length > 0 ? fees : [NO_FEE]).map(({ currency, amount }) =>
        finding<Says>({ ...ofRow(order), currency, field, amount, sentence }),
      );
    });
    return { findings, compared, notComparable };
  },
  cause({ sentence }) {
    const { workflow, district, charge } = JSON.parse(sentence) as Found;
    return { id: 'fee-no-tariff/cause', workflow, district, ...(charge === undefined ? {} : { charge }) };
  },
  words: {
    en: {
      'fee-no-tariff': ({ number, order, reference, workflow, district, day, charge, lines }, speech) => {
        const named = `${speech.order(order, reference)} on invoice ${number}`;
        const about = charge === undefined ? named : `${speech.text(charge)} of ${named}`;
        const why =
          lines.length === 0
            ? `No line of the rate card covers ${about}`
            : `Two lines of the rate card (${lines.join(', ')}) cover ${about} alike`;
        const what = district === null ? workflow : `${workflow} to ${district}`;
        return `${why}, ${speech.text(what)} on ${day}: add a line to the rate card, or ask the delivery company what was agreed.`;
      },
      'fee-no-tariff/cause': ({ count, workflow, district, charge }, speech) => {
        const orders = speech.count(count, { one: 'order', other: 'orders' });
        const which =
          district === null ? `${orders} (${speech.text(workflow)})` : `${orders} to ${speech.text(district)}`;
        return `${which} ${count === 1 ? 'has' : 'have'} no agreed price${charge === undefined ? '' : ` of ${speech.text(charge)}`}`;
      },
    },
    ar: {
      'fee-no-tariff': ({ number, order, reference, workflow, district, day, charge, lines }, speech) => {
        const named = `${speech.order(order, reference)} في الفاتورة ${number}`;
        const about = charge === undefined ? named : `${speech.text(charge)} في ${named}`;
        const why =
          lines.length === 0
            ? `لا يغطي أي سطر من لائحة الأسعار ${about}`
            : `يغطي سطران من لائحة الأسعار (${lines.map(speech.text).join('، ')}) ${about} على السواء`;
        const what = district === null ? '' : ` إلى ${speech.text(district)}`;
        return `${why}، ${speech.text(workflow)}${what} في ${day}: أضف سطرًا إلى لائحة الأسعار، أو اسأل شركة التوصيل عمّا اتُّفق عليه.`;
      },
      'fee-no-tariff/cause': ({ count, workflow, district, charge }, speech) => {
        const which = district === null ? `(${speech.text(workflow)})` : `إلى ${speech.text(district)}`;
        return `طلبات ${which} بلا سعر متفق عليه${charge === undefined ? '' : ` لرسم ${speech.text(charge)}`}: ${count}`;
      },
    },
  },
  guide: { remedy: 'Add a line to it, or ask what was agreed.' },
  plant: { merchantFiles: (files) => files.tariff.delete('B1 USD') },
});
