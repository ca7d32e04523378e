import { readOwnBookStart } from '../../ledger/queries/imports.ts';
import { amountOfUnits } from '../../money/units.ts';
import { defineCheck, type NotComparable } from '../check.ts';
import { billedOrders } from '../facts/billed-orders.ts';
import { courierCods } from '../facts/compared-cods.ts';
import { comparedMonths } from '../facts/order-months.ts';
import { ownLinks } from '../facts/own-links.ts';
import { population } from '../facts/population.ts';
import { ourSource } from '../facts/sources.ts';
import { finding } from '../finding.ts';
import { ownBook } from '../requirement.ts';

type Says = { id: 'not-in-books'; order: string; reference: string } | { id: 'not-in-books/cause'; count: number };

export const notInBooks = defineCheck<Says>({
  code: 'not-in-books',
  severity: 'warning',
  requires: [ownBook],
  title: {
    en: 'Every order of the courier’s is in the shop’s own book.',
    ar: 'كل طلب لدى الشركة موجود في سجلّ المتجر.',
  },
  finds: { en: 'An order that is not in your own book', ar: 'طلب عند الشركة ليس في سجلّ التاجر' },
  async find(context) {
    const { courierOnly, ambiguous } = await ownLinks(context);
    const months = await comparedMonths(context, courierOnly);
    // Without a month in the own book no order is older than it.
    const firstMonth = (await readOwnBookStart(context.db)) ?? '';
    const isOlder = (id: string) => months.get(id)!.ofFinding.period < firstMonth;
    const unbooked = courierOnly.filter(({ order_id }) => !isOlder(order_id));
    const ids = unbooked.map(({ order_id }) => order_id);
    const cods = await courierCods(context, ids);
    const findings = unbooked.flatMap(({ order_id, reference, state }) => {
      const about = {
        ...months.get(order_id)!.ofFinding,
        reference_id: reference,
        field: 'reference_id',
        sentence: { id: 'not-in-books' as const, order: order_id, reference },
      };
      // Nothing is collected for a cancelled order.
      const cod = state === 'CANCELLED' ? [] : [...(cods.get(order_id)?.cod ?? [])].filter(([, units]) => units !== 0n);
      if (cod.length === 0) return finding<Says>(about);
      // The ids of these findings know no currency: the place tells those of one order apart.
      return cod.map(([currency, units], place) =>
        finding<Says>({ ...about, place, currency, amount: amountOfUnits(units) }),
      );
    });
    const older = courierOnly.length - unbooked.length;
    const notComparable: NotComparable[] = [
      { why: { id: 'older-than-own-book' }, count: older },
      { why: { id: 'reference-on-several-orders' }, count: ambiguous.courier.length },
    ];
    // The courier's orders are counted in its order book, or on invoices if the order book was never read.
    const isBookUnread = ourSource(context.sources) === 'own-book';
    const orders = isBookUnread ? (await billedOrders(context)).size : (await population(context)).orders;
    return { findings, compared: orders - older - ambiguous.courier.length, notComparable };
  },
  cause: () => ({ id: 'not-in-books/cause' }),
  words: {
    en: {
      'not-in-books': ({ order, reference }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} is with the delivery company and not in your own book: check whether the sale was left out there, or the order is not yours.`,
      'not-in-books/cause': ({ count }, speech) =>
        `${speech.count(count, { one: 'order', other: 'orders' })} of the delivery company’s not in your own book`,
    },
    ar: {
      'not-in-books': ({ order, reference }, speech) =>
        `${speech.order(order, reference)} لدى شركة التوصيل وليس في سجلّك: تحقّق هل نُسي البيع فيه، أم أن الطلب ليس لك.`,
      'not-in-books/cause': ({ count }) => `طلبات لدى الشركة ليست في سجلّك: ${count}`,
    },
  },
  guide: {
    compares: "Every order of the courier's is in your own book.",
    remedy: 'Check whether the sale was left out, or the order is not yours.',
  },
  plant: { merchantFiles: (files) => files.orders.delete('ref-A1,USD') },
});
