import { amountOfUnits } from '../money/index.ts';
import type { Check } from './check.ts';
import { amounts, finding, say, sayOff, sayOrder, sentence } from './finding.ts';
import { ourSource } from './knowledge.ts';
import { comparedMonths } from './order-months.ts';
import { compareCods } from './own-cod.ts';
import { ownLinks } from './own-links.ts';
import { ownBook } from './requirement.ts';

export const bookCodDiffers: Check = {
  code: 'book-cod-differs',
  severity: 'error',
  requires: [ownBook],
  title: 'The courier’s COD of an order is what the shop’s own book expects.',
  claim: 'The COD of the order is not the one that we asked you to collect.',
  async find(context) {
    const { apart, compared, takenBack, unbooked } = await compareCods(context);
    const months = await comparedMonths(
      context,
      apart.map(({ order_id }) => order_id),
    );
    const mend = ourSource(context.knowledge) === 'own-book' ? 'the invoice' : 'its record';
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
            `the COD of ${sayOrder(order_id, courier.reference)} is ${say(has, currency)} with the delivery company, ${sayOff(difference, currency)} than the ${say(asked, currency)} that your own book expects: look which is right, and ask the company to correct ${mend} or mend the book.`,
          ),
        });
      });
    });
    const { ambiguous } = await ownLinks(context);
    const notComparable = [
      { why: 'the reference stands on several orders, so that none can be chosen', count: ambiguous.courier },
      { why: 'your own book does not hold the order', count: unbooked },
      { why: 'the invoice takes COD back, of which your own book says nothing', count: takenBack },
    ].filter(({ count }) => count > 0);
    return { findings, compared, notComparable };
  },
};
