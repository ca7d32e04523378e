import { groupBy } from '../../base/group.ts';
import { compareText } from '../../base/text.ts';
import type { RowSigns } from '../../money/returns.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck, type Finding } from '../check.ts';
import {
  billedTwice,
  currenciesAtStake,
  currenciesOfFindings,
  netOf,
  type RepeatedOrder,
  type RepeatedRow,
} from '../facts/billed-orders.ts';
import { population } from '../facts/population.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { counts, finding } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';

/** `invoices`: in the order in which they were issued. */
type Found = { id: 'order-on-two-invoices'; order_id: string; reference: string; invoices: readonly number[] };
type Says = Found | { id: 'order-on-two-invoices/cause'; invoices: readonly number[]; count: number };

export const orderOnTwoInvoices = defineCheck<Says>({
  code: 'order-on-two-invoices',
  severity: 'error',
  title: {
    en: 'No order is on more than one invoice, whatever their months.',
    ar: 'لا يرد أي طلب في أكثر من فاتورة، أيًّا كان شهرها.',
  },
  finds: { en: 'An order on two invoices', ar: 'طلب في فاتورتين' },
  claim: { en: 'The order is on more than one invoice.', ar: 'يرد الطلب في أكثر من فاتورة.' },
  cause: ({ sentence }) => ({ id: 'order-on-two-invoices/cause', invoices: (JSON.parse(sentence) as Found).invoices }),
  async find(context) {
    const orders = await billedTwice(context);
    const signsOfOrder = await orderSigns(context);
    const findings = [...orders.values()].flatMap((order) => duplicates(order, signsOfOrder(order.order_id)));
    return { findings, compared: (await population(context)).rows };
  },
  /** An order is not proved to be on one invoice alone just because the others have vanished. */
  async unseen(context) {
    const orders = await billedTwice(context);
    return ({ order_id }) => {
      const order = orders.get(order_id!);
      return order !== undefined && order.invoices.length > 1 && order.live.length < 2;
    };
  },
  words: {
    en: {
      'order-on-two-invoices': ({ order_id, reference, invoices }, { capitalised, order, list }) =>
        capitalised(
          `${order(order_id, reference)} is on ${invoices.length} invoices instead of one, ${list(invoices)}: ask the delivery company which one is right, and to take the order off the others.`,
        ),
      'order-on-two-invoices/cause': ({ invoices, count: orders }, { count, list }) =>
        `${count(orders, { one: 'order is', other: 'orders are' })} on invoices ${list(invoices)}`,
    },
    ar: {
      'order-on-two-invoices': ({ order_id, reference, invoices }, { order, list }) =>
        `${order(order_id, reference)} وارد في أكثر من فاتورة (${list(invoices)}): اسأل شركة التوصيل أيّها الصحيحة، واطلب حذف الطلب من غيرها.`,
      'order-on-two-invoices/cause': ({ invoices, count: orders }, { count, list }) =>
        `${count(orders, arabicNoun('طلب', 'طلبات'))} في أكثر من فاتورة: ${list(invoices)}`,
    },
  },
  guide: {
    compares:
      'No order is on more than one invoice. The mismatch belongs to the month of the latest, and shows in the month of each.',
    remedy: 'Ask which invoice is right.',
  },
  plant: {
    night: (books) => void books.bill(NEW_INVOICE, ISSUED, ['C1', 'A1']),
    effects: november({ USD: '22.00' }),
  },
});

function duplicates({ order_id, live }: RepeatedOrder, signs: RowSigns | null): Finding[] {
  if (live.length < 2) return [];
  // The first row on each later invoice: `order-repeated` finds further rows on the same invoice.
  const later = live.slice(1).map(([row]) => row);
  const { period, reference } = later.at(-1)!;
  return currenciesOfFindings(later).map((currency) =>
    finding<Found>({
      period,
      periods: [...new Set(live.map(([row]) => row.period))].sort(),
      order_id,
      reference_id: reference,
      currency,
      ...counts(1, live.length),
      ...effectOfLater(later, currency, signs),
      sentence: { id: 'order-on-two-invoices', order_id, reference, invoices: live.map(([{ number }]) => number) },
    }),
  );
}

/**
 * The effect of the rows on the later invoices in one currency, and the part of it in each month of these invoices.
 * None if no money is at stake (`currency` is null), or if nobody knows how it counts (`signs` is null).
 */
function effectOfLater(later: readonly RepeatedRow[], currency: string | null, signs: RowSigns | null) {
  if (currency === null || signs === null) return { effect: null, parts: [] };
  const atStake = later.filter((row) => currenciesAtStake([row]).includes(currency));
  const parts = [...groupBy(atStake, ({ period }) => period)]
    .map(([period, rows]) => ({ period, effect: netOf(rows, currency, signs)! }))
    .sort((a, b) => compareText(a.period, b.period));
  return { effect: netOf(later, currency, signs), parts };
}
