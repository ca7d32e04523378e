/** Amounts of the bench's world: more varied than any cache holds, the same in every run, and summed as integers. */

/** A number in [0, 2^32) of an index: no two runs differ, and no pattern compresses well. */
export function spread(index: number, salt: number): number {
  let x = (Math.imul(index, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad) >>> 0;
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97) >>> 0;
  return (x ^ (x >>> 15)) >>> 0;
}

/** What an order asks for and costs, in cents of each currency; every second one asks for pounds too. */
export function moneyOf(index: number): { usd: number; lbp: number; fee: number } {
  return {
    usd: 100 + (spread(index, 1) % 5_000_000),
    lbp: index % 2 === 0 ? 100 * (10_000 + (spread(index, 2) % 50_000_000)) : 0,
    fee: 200 + (spread(index, 3) % 400),
  };
}

/** Cents as the wire writes them. */
export function text(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.abs(cents);
  return `${sign}${Math.trunc(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

export function pairs(usd: number, lbp: number): [string, string][] {
  return [['USD', text(usd)], ...(lbp === 0 ? [] : [['LBP', text(lbp)] as [string, string]])];
}
