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

/** Two orders with one reference of the shop's, for each way of writing it. */
export const REFERENCE_PLANTS: readonly Plant[] = VARIANTS.map(([variant, change], index) => ({
  code: 'duplicate-reference',
  ...(variant === undefined ? {} : { variant }),
  plant(targets) {
    const first = targets.row('delivered');
    const second = targets.row('delivered');
    const reference = `Café-${index + 1}/A`;
    const write = 'update delivery_order set reference_id = ? where order_id = ?';
    targets.store.run(write, reference, first.orderId);
    targets.store.run(write, change(reference), second.orderId);
    const [order_id = null] = [first.orderId, second.orderId].sort();
    return { order_id };
  },
}));
