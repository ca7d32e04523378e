const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS = 40n;
/** Odd, so that multiplying by it modulo a power of two meets every value once. */
const SPREAD = 0x9e3779b97fn;

/**
 * The public id of the order with this row number: `R` and eight characters that are easy to read aloud. No two rows share
 * one, and neighbours do not look alike, so that a misread id is not another order's.
 */
export function orderIdOf(seq: number): string {
  let value = (BigInt(seq) * SPREAD + 0x5a5a5a5a5an) & ((1n << BITS) - 1n);
  let text = '';
  for (let i = 0n; i < BITS; i += 5n) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return `R${text}`;
}
