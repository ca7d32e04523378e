import { amountOfUnits } from '../money/index.ts';
import { pricedOrders } from './agreed-fees.ts';
import type { Check } from './check.ts';
import { amounts, finding, say, sayOff, sayOrder } from './finding.ts';
import { orderBook, tariff } from './requirement.ts';

export const feeOffTariff: Check = {
  code: 'fee-off-tariff',
  severity: 'error',
  requires: [tariff, orderBook],
  title: 'The fee of an invoiced order is the agreed one.',
  claim: 'The delivery fee of the order is not the agreed one.',
  async find(context) {
    const { apart, compared, unstated } = await pricedOrders(context);
    const findings = apart.flatMap(({ order_id, reference, number, period, day, what, fee, differences }) => {
      const lines = fee.kind === 'agreed' ? fee.lines.map(({ place }) => place).join(', ') : '';
      return differences.map(({ currency, agreed, charged, effect }) => {
        const [should, is] = [amountOfUnits(agreed), amountOfUnits(charged)];
        return finding({
          period,
          invoice_number: number,
          order_id,
          reference_id: reference,
          currency,
          field: 'delivery_fee',
          ...amounts(should, is),
          effect: amountOfUnits(effect),
          message: `Invoice ${number} charges a fee for ${sayOrder(order_id, reference)} that its record puts at ${say(is, currency)}, ${sayOff(is.minus(should), currency)} than the ${say(should, currency)} agreed for ${what} on ${day} (${lines}): show the delivery company the rate card and ask for the difference.`,
        });
      });
    });
    const why = 'the order’s own record says nothing of a fee';
    return { findings, compared, notComparable: unstated > 0 ? [{ why, count: unstated }] : [] };
  },
};
