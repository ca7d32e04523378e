import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, say, sayOff, sayOrder, sentence } from './finding.ts';
import { orderMonths } from './order-months.ts';
import { codsApart } from './own-cod.ts';
import { ownLinks } from './own-links.ts';
import { orderBook, ownBook } from './requirement.ts';

export const bookCodDiffers: Check = {
  code: 'book-cod-differs',
  severity: 'error',
  requires: [ownBook, orderBook],
  title: 'The courier’s COD of an order is what the shop’s own book expects.',
  claim: 'The COD of the order is not the one that we asked you to collect.',
  async find(context) {
    const apart = await codsApart(context);
    const months = await orderMonths(
      context.db,
      apart.map(({ order_id }) => order_id),
      context.knowledge,
    );
    const findings = apart.flatMap(({ order_id, courier, expected, actual, wasDelivered }) => {
      const { first, shown } = months.get(order_id)!;
      return [...expected.keys()].sort().map((currency) => {
        const [asked, has] = [amountOfUnits(expected.get(currency)!), amountOfUnits(actual.get(currency)!)];
        const difference = has.minus(asked);
        const effect = wasDelivered && first !== null ? difference : null;
        return finding({
          ...shown,
          order_id,
          reference_id: courier.reference,
          currency,
          field: 'cod',
          ...amounts(asked, has),
          effect,
          parts: effect === null ? [] : [{ period: first!, effect }],
          message: sentence(
            `the COD of ${sayOrder(order_id, courier.reference)} is ${say(has, currency)} with the delivery company, ${sayOff(difference, currency)} than the ${say(asked, currency)} that your own book expects: look which is right, and ask the company to correct its record or mend the book.`,
          ),
        });
      });
    });
    const { linked, ambiguous } = await ownLinks(context);
    const why = 'the reference stands on several orders, so that none can be chosen';
    const notComparable = ambiguous.courier > 0 ? [{ why, count: ambiguous.courier }] : [];
    return { findings, compared: linked.size, notComparable };
  },
};
