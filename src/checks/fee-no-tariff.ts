import { pricedOrders } from './agreed-fees.ts';
import type { Check } from './check.ts';
import { finding, sayOrder, shown } from './finding.ts';
import { anyOrderBook, tariff } from './requirement.ts';

export const feeNoTariff: Check = {
  code: 'fee-no-tariff',
  severity: 'warning',
  requires: [tariff, anyOrderBook],
  title: 'The rate card has one price for every invoiced order.',
  async find(context) {
    const { apart, compared, notComparable } = await pricedOrders(context);
    const findings = apart.flatMap(({ order_id, reference, number, period, day, what, fee }) => {
      if (fee.kind === 'agreed') return [];
      const about = `${sayOrder(order_id, reference)} on invoice ${number}`;
      const why =
        fee.kind === 'none'
          ? `No line of the rate card covers ${about}`
          : `Two lines of the rate card (${fee.lines.map(({ place }) => place).join(', ')}) cover ${about} alike`;
      return finding({
        period,
        invoice_number: number,
        order_id,
        reference_id: reference,
        field: 'delivery_fee',
        message: `${why}, ${shown(what)} on ${day}: add a line to the rate card, or ask the delivery company what was agreed.`,
      });
    });
    return { findings, compared, notComparable };
  },
};
