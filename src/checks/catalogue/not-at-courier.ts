import { dayIn } from '../../base/day.ts';
import { referenceKey } from '../../imports/references.ts';
import { type OwnOrder, readOwnCods } from '../../ledger/queries/imports.ts';
import { amountOfUnits } from '../../money/units.ts';
import { type CheckContext, defineCheck, type NotComparable, type Stake } from '../check.ts';
import { otherCouriersOrders } from '../facts/other-couriers.ts';
import { ownLinks } from '../facts/own-links.ts';
import { finding } from '../finding.ts';
import { orderBook, ownBook, wholeOrderBook } from '../requirement.ts';

type Says =
  | { id: 'not-at-courier'; reference: string; ordered_on: string | null }
  | { id: 'not-at-courier/cause'; count: number };

export const notAtCourier = defineCheck<Says>({
  code: 'not-at-courier',
  severity: 'warning',
  requires: [ownBook, orderBook, wholeOrderBook],
  title: {
    en: 'Every order that the shop handed over is known to the courier.',
    ar: 'كل طلب سلّمه المتجر إلى شركة التوصيل تعرفه.',
  },
  finds: { en: 'An order that the courier does not know', ar: 'طلب سُلّم إلى الشركة ولا تعرفه' },
  claim: {
    en: 'The order was handed over to you and your records do not hold it.',
    ar: 'سُلّم الطلب إليكم وليس في سجلّاتكم.',
  },
  async find(context) {
    const { ownOnly, linked, ambiguous } = await ownLinks(context);
    const { references: referencesElsewhere, isReportedElsewhere } = await otherCouriersOrders(context);
    const rule = context.settings.referenceRule;
    // An order may be at any courier; one that no courier has is reported once.
    const atNoCourier = isReportedElsewhere
      ? []
      : ownOnly.filter(({ reference }) => !referencesElsewhere.has(referenceKey(reference, rule)));
    const bookDay = dayIn(context.sources.book.lastWholeAt!, context.settings.timeZone);
    const handedOver = atNoCourier.filter(({ status }) => status === 'handed_over');
    // Handed over on the day of the order book or later, so that the book may not have had it yet.
    const isNew = ({ ordered_on }: OwnOrder) => ordered_on !== null && ordered_on >= bookDay;
    const findings = handedOver
      .filter((order) => !isNew(order))
      .map(({ reference, ordered_on }) =>
        finding<Says>({
          period: (ordered_on ?? bookDay).slice(0, 7),
          subject: `reference ${reference}`,
          reference_id: reference,
          field: 'reference_id',
          sentence: { id: 'not-at-courier', reference, ordered_on },
        }),
      );
    const notComparable: NotComparable[] = [
      {
        why: { id: 'ordered-since-order-book' },
        commands: ['remit sync --orders'],
        count: handedOver.length - findings.length,
        stakes: await stakesOf(context, handedOver.filter(isNew)),
      },
      { why: { id: 'reference-on-several-orders' }, count: ambiguous.own },
    ];
    return { findings, compared: linked.size + findings.length, notComparable };
  },
  cause: () => ({ id: 'not-at-courier/cause' }),
  words: {
    en: {
      'not-at-courier': ({ reference, ordered_on }, { text }) =>
        `Your own book says that the order "${text(reference)}"${ordered_on === null ? '' : ` of ${ordered_on}`} was handed over, and the delivery company does not know it: ask what became of it.`,
      'not-at-courier/cause': ({ count }, speech) =>
        `${speech.count(count, { one: 'order', other: 'orders' })} handed over, and unknown to the delivery company`,
    },
    ar: {
      'not-at-courier': ({ reference, ordered_on }, { text }) =>
        `يذكر سجلّك أن الطلب «${text(reference)}»${ordered_on === null ? '' : ` بتاريخ ${ordered_on}`} سُلّم إلى شركة التوصيل، وهي لا تعرفه: اسألها عمّا حلّ به.`,
      'not-at-courier/cause': ({ count }) => `طلبات سُلّمت إلى شركة التوصيل ولا تعرفها: ${count}`,
    },
  },
  guide: { compares: 'Every order that you handed over is known to the courier.', remedy: 'Ask what became of it.' },
  plant: { merchantFiles: (files) => files.orders.set('ref-lost,USD', { status: 'handed_over', cod: '9.00' }) },
});

/** The COD of orders that the order book may not have had yet. */
async function stakesOf({ db }: CheckContext, orders: readonly OwnOrder[]): Promise<Stake[]> {
  const months = new Map(orders.map(({ reference, ordered_on }) => [reference, ordered_on!.slice(0, 7)]));
  const cods = await readOwnCods(db, [...months.keys()]);
  return cods.map(({ key, currency, cod }) => {
    const amount = amountOfUnits(cod).abs();
    return { period: months.get(key)!, currency, amount, what: 'own-order', subject: key, comesLater: true };
  });
}
