/**
 * A money field as it travels, and sums of it for the headers that tests make: with bigint, and none of the code under
 * test.
 */
export type WireMoney = [currency: string, amount: string][];

const SCALE = 10_000n;

/** The sum of some money fields less that of others, a pair a currency, in the order in which they are first named. */
export function addMoney(plus: readonly WireMoney[], minus: readonly WireMoney[] = []): WireMoney {
  const sums = new Map<string, bigint>();
  const add = (money: WireMoney, sign: bigint) => {
    for (const [code, amount] of money) sums.set(code, (sums.get(code) ?? 0n) + sign * unitsOf(amount));
  };
  for (const money of plus) add(money, 1n);
  for (const money of minus) add(money, -1n);
  return [...sums].map(([code, units]) => [code, textOf(units)]);
}

function unitsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole) * SCALE + BigInt(decimals.padEnd(4, '0'));
  return text.startsWith('-') ? -units : units;
}

function textOf(units: bigint): string {
  const size = units < 0n ? -units : units;
  const decimals = String(size % SCALE)
    .padStart(4, '0')
    .replace(/0{1,2}$/, '');
  return `${units < 0n ? '-' : ''}${size / SCALE}.${decimals}`;
}
