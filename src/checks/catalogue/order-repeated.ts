import type { RowSigns } from '../../money/returns.ts';
import { defineCheck, type Finding } from '../check.ts';
import { billedTwice, currenciesOfFindings, netOf, type RepeatedOrder } from '../facts/billed-orders.ts';
import { population } from '../facts/population.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { counts, finding, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';

type Says = { id: 'order-repeated'; number: number; order_id: string; reference: string; times: number };

export const orderRepeated = defineCheck<Says>({
  code: 'order-repeated',
  severity: 'error',
  title: { en: 'No order is on one invoice more than once.', ar: 'لا يرد أي طلب أكثر من مرة في فاتورة واحدة.' },
  finds: { en: 'An order twice on one invoice', ar: 'طلب مكرّر في فاتورة واحدة' },
  claim: { en: 'The order is on one invoice more than once.', ar: 'يرد الطلب أكثر من مرة في فاتورة واحدة.' },
  async find(context) {
    const orders = await billedTwice(context);
    const signsOfOrder = await orderSigns(context);
    const findings = [...orders.values()].flatMap((order) => repetitions(order, signsOfOrder(order.order_id)));
    return { findings, compared: (await population(context)).rows };
  },
  words: {
    en: {
      'order-repeated': ({ number, order_id, reference, times }, { order }) =>
        `Invoice ${number} lists ${order(order_id, reference)} ${times} times instead of once: ask the delivery company to take the surplus rows off, because each one is billed.`,
    },
    ar: {
      'order-repeated': ({ number, order_id, reference, times }, { order }) =>
        `عدد مرات ورود ${order(order_id, reference)} في الفاتورة ${number} هو ${times}، والصحيح مرة واحدة: اطلب من شركة التوصيل حذف الأسطر الزائدة، فكل سطر منها محتسَب.`,
    },
  },
  guide: { remedy: 'Ask to have the surplus rows taken off.' },
  plant: {
    night(books) {
      const bill = books.bill(NEW_INVOICE, ISSUED, ['C1', 'C2']);
      books.addRow(bill, 'C1', 'PAID_TO_MERCHANT');
    },
    effects: november({ USD: '22.00' }),
  },
});

function repetitions({ order_id, invoices }: RepeatedOrder, signs: RowSigns | null): Finding[] {
  return invoices.flatMap(([first, ...surplus]) => {
    if (surplus.length === 0) return [];
    const { number, reference, isLive } = first;
    const times = surplus.length + 1;
    return currenciesOfFindings(surplus).map((currency) =>
      finding<Says>({
        ...ofRow(first),
        currency,
        ...counts(1, times),
        effect: isLive && currency !== null ? netOf(surplus, currency, signs) : null,
        sentence: { id: 'order-repeated', number, order_id, reference, times },
      }),
    );
  });
}
