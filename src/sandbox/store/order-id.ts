import { randomInt } from 'node:crypto';

/** Digits and capital letters without those that are misread for one another (0 O, 1 I L, U V). */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTWXYZ';
const LENGTH = 10;

/**
 * A new order id: short enough to be read over the telephone, and one of 4 × 10^14, so that none is guessed.
 *
 * @param below chooses a number from 0 up to, not including, its argument
 */
export function newOrderId(below: (limit: number) => number = randomInt): string {
  let id = '';
  while (id.length < LENGTH) id += ALPHABET[below(ALPHABET.length)];
  return id;
}
