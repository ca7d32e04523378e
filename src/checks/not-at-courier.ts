import type { Check } from './check.ts';
import { finding, shown } from './finding.ts';
import { ownLinks } from './own-links.ts';
import { orderBook, ownBook, wholeOrderBook } from './requirement.ts';

export const notAtCourier: Check = {
  code: 'not-at-courier',
  severity: 'warning',
  requires: [ownBook, orderBook, wholeOrderBook],
  title: 'Every order that the shop handed over is known to the courier.',
  claim: 'The order was handed over to you and your order book does not hold it.',
  async find(context) {
    const { ownOnly, linked, ambiguous } = await ownLinks(context);
    const looked = context.knowledge.book.at!.slice(0, 10);
    const handedOver = ownOnly.filter(({ status }) => status === 'handed_over');
    // Handed over on the day of the look or after it: the order book may not have had it yet.
    const isNew = ({ ordered_on }: (typeof handedOver)[number]) => ordered_on !== null && ordered_on >= looked;
    const findings = handedOver
      .filter((order) => !isNew(order))
      .map(({ reference, ordered_on }) => {
        const when = ordered_on === null ? '' : ` of ${ordered_on}`;
        return finding({
          period: (ordered_on ?? looked).slice(0, 7),
          subject: `reference ${reference}`,
          reference_id: reference,
          field: 'reference_id',
          message: `Your own book says that the order "${shown(reference)}"${when} was handed over, and the delivery company does not know it: ask what became of it.`,
        });
      });
    const notComparable = [
      {
        why: 'it was ordered on the day of the last whole order book, or after it',
        count: handedOver.length - findings.length,
      },
      { why: 'the reference stands on several orders, so that none can be chosen', count: ambiguous.own },
    ].filter(({ count }) => count > 0);
    return { findings, compared: linked.size + findings.length, notComparable };
  },
};
