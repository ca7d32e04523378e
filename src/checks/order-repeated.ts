import { type BilledOrder, billedTwice, currenciesAtStake, netOf } from './billed-twice.ts';
import type { Check, Finding } from './check.ts';
import { counts, finding, sayOrder } from './finding.ts';
import { population } from './population.ts';

export const orderRepeated: Check = {
  code: 'order-repeated',
  severity: 'error',
  requires: [],
  title: 'No order stands more than once on one invoice.',
  claim: 'The order stands more than once on one invoice.',
  async find(context) {
    const orders = await billedTwice(context);
    const findings = [...orders.values()].flatMap(repetitions);
    return { findings, compared: (await population(context)).rows, notComparable: [] };
  },
};

function repetitions({ order_id, invoices }: BilledOrder): Finding[] {
  return invoices.flatMap(([first, ...surplus]) => {
    if (surplus.length === 0) return [];
    const { number, period, reference, isLive } = first;
    const times = surplus.length + 1;
    const currencies = currenciesAtStake(surplus);
    return (currencies.length > 0 ? currencies : [null]).map((currency) =>
      finding({
        period,
        invoice_number: number,
        order_id,
        reference_id: reference,
        currency,
        ...counts(1, times),
        effect: isLive && currency !== null ? netOf(surplus, currency) : null,
        message: `Invoice ${number} lists ${sayOrder(order_id, reference)} ${times} times where 1 is right: ask the delivery company to take the surplus rows off, because each one is billed.`,
      }),
    );
  });
}
