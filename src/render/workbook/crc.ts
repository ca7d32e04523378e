/** The polynomial of zip's CRC-32, lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** The product of two polynomials modulo {@link POLYNOMIAL}. */
function product(a: number, b: number): number {
  let sum = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) sum ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return sum >>> 0;
}

/** x to the power of eight times a number of bytes. */
function powerOf(bytes: number): number {
  let result = ONE;
  // x^8, squared for each further bit of the count.
  let factor = 0x00800000;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = product(result, factor);
    factor = product(factor, factor);
  }
  return result;
}

/**
 * The CRC-32 of two pieces one after the other, from their own: so that the beginning of a file can be written after the rest.
 *
 * @param secondSize of the second piece, in bytes
 */
export function joinedCrc(first: number, second: number, secondSize: number): number {
  return (product(powerOf(secondSize), first) ^ second) >>> 0;
}
