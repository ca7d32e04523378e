import { amountOfUnits } from '../money/index.ts';
import { pricedOrders } from './agreed-fees.ts';
import type { Check } from './check.ts';
import { amounts, finding, say, sayOff, sayOrder } from './finding.ts';
import { ourSource } from './knowledge.ts';
import { anyOrderBook, tariff } from './requirement.ts';

export const feeOffTariff: Check = {
  code: 'fee-off-tariff',
  severity: 'error',
  requires: [tariff, anyOrderBook],
  title: 'The fee of an invoiced order is the agreed one.',
  claim: 'The delivery fee of the order is not the agreed one.',
  async find(context) {
    const { apart, compared, notComparable } = await pricedOrders(context);
    const isAlone = ourSource(context.knowledge) === 'own-book';
    const findings = apart.flatMap(({ order_id, reference, number, period, day, what, fee: price, differences }) => {
      const lines = price.kind === 'agreed' ? price.lines.map(({ place }) => place).join(', ') : '';
      return differences.map(({ currency, agreed, charged, effect }) => {
        const [should, is] = [amountOfUnits(agreed), amountOfUnits(charged)];
        const [order, sum] = [sayOrder(order_id, reference), say(is, currency)];
        const fee = isAlone ? `a fee of ${sum} for ${order}` : `a fee for ${order} that its record puts at ${sum}`;
        return finding({
          period,
          invoice_number: number,
          order_id,
          reference_id: reference,
          currency,
          field: 'delivery_fee',
          ...amounts(should, is),
          effect: amountOfUnits(effect),
          message: `Invoice ${number} charges ${fee}, ${sayOff(is.minus(should), currency)} than the ${say(should, currency)} agreed for ${what} on ${day} (${lines}): show the delivery company the rate card and ask for the difference.`,
        });
      });
    });
    return { findings, compared, notComparable };
  },
};
