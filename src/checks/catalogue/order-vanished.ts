import { dayIn } from '../../base/day.ts';
import { readVanishedOrders } from '../../ledger/queries/orders/restatements.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck } from '../check.ts';
import { orderMonths } from '../facts/order-months.ts';
import { population } from '../facts/population.ts';
import { finding } from '../finding.ts';
import { twoOrderBooks } from '../requirement.ts';

/** `unbilled`: it was delivered and no invoice lists it. */
type VanishedOrder = { order: string; reference: string; since: string; unbilled: boolean };
type Says = ({ id: 'order-vanished' } & VanishedOrder) | { id: 'order-vanished/cause'; since: string; count: number };

export const orderVanished = defineCheck<Says>({
  code: 'order-vanished',
  severity: 'warning',
  requires: [twoOrderBooks],
  title: {
    en: 'An order that was once in the order book stays in it.',
    ar: 'الطلب الذي ورد في سجلّ الطلبات مرة يبقى فيه.',
  },
  finds: { en: 'An order vanished from the order book', ar: 'طلب اختفى من سجلّ الطلبات' },
  claim: { en: 'The order is gone from your records.', ar: 'اختفى الطلب من سجلّاتكم.' },
  async find(context) {
    const orders = await readVanishedOrders(context.db);
    const months = await orderMonths(context, orders);
    const findings = orders.map(({ order_id, reference, vanished_at }) => {
      const { ofFinding, delivered, invoiced } = months.get(order_id)!;
      const since = dayIn(vanished_at, context.settings.timeZone);
      const isUnbilled = delivered !== null && invoiced.length === 0;
      return finding<Says>({
        ...ofFinding,
        reference_id: reference,
        severity: isUnbilled ? 'error' : 'warning',
        sentence: { id: 'order-vanished', order: order_id, reference, since, unbilled: isUnbilled },
      });
    });
    return { findings, compared: (await population(context)).orders };
  },
  cause: ({ sentence }) => ({ id: 'order-vanished/cause', since: (JSON.parse(sentence) as VanishedOrder).since }),
  words: {
    en: {
      'order-vanished': ({ order, reference, since, unbilled }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} is gone from the order book since ${since}${unbilled ? ', though it was delivered and no invoice lists it' : ''}: ask the delivery company why it was taken out.`,
      'order-vanished/cause': ({ since, count }, speech) =>
        `${speech.count(count, { one: 'order is', other: 'orders are' })} gone from the order book since ${since}`,
    },
    ar: {
      'order-vanished': ({ order, reference, since, unbilled }, speech) =>
        `اختفى ${speech.order(order, reference)} من سجلّ الطلبات منذ ${since}${unbilled ? '، مع أنه سُلّم ولا فاتورة تذكره' : ''}: اسأل شركة التوصيل عن سبب حذفه.`,
      'order-vanished/cause': ({ since, count }, speech) =>
        `${speech.count(count, arabicNoun('طلب', 'طلبات'))} خارج سجلّ الطلبات منذ ${since}`,
    },
  },
  guide: {
    compares:
      'An order that was in the order book is in it still; an error where it was delivered and no invoice lists it.',
    remedy: 'Ask why it was taken out.',
  },
  plant: { night: (books) => void books.orders.delete('D1') },
});
