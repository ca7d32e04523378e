import { dayOfMade, makeInvoice, makeOrder } from './made.ts';
import type { Plant } from './plant.ts';

/** What becomes of a reference when a second order bears it: the same to a person, another text to a machine. */
const VARIANTS: readonly (readonly [variant: string | undefined, change: (reference: string) => string])[] = [
  [undefined, (reference) => reference],
  ['tab', (reference) => `\t${reference} `],
  ['no-break space', (reference) => `\u00a0${reference}\u00a0`],
  ['case', (reference) => reference.toLowerCase()],
  // Composed on the first order, taken apart on the second.
  ['Unicode form', (reference) => reference.normalize('NFD')],
];

/** Two orders with one reference of the shop's and one price, for each way of writing it: on a paid invoice of their own. */
export const REFERENCE_PLANTS: readonly Plant[] = VARIANTS.map(([variant, change], index) => ({
  code: 'duplicate-reference',
  ...(variant === undefined ? {} : { variant }),
  plant(targets) {
    const day = dayOfMade(targets);
    const first = `Café-${index + 1}/A`;
    const orders = [first, change(first)].map((reference, twin) => {
      const name = `reference-${index + 1}-${twin + 1}`;
      return makeOrder(targets, { name, day, outcome: 'delivered', cod: 221_000n + BigInt(index) * 7_000n, reference });
    });
    makeInvoice(targets, orders, { day, paid: true });
    const [order_id = null] = orders.sort();
    return { order_id };
  },
}));
