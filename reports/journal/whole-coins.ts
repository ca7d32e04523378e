import type { Units } from '../../src/money/units.ts';

/** `above / below` to the nearest whole coins, half away from zero; `below` is not zero. */
export function inWholeCoins(coin: Units, above: bigint, below: bigint): Units {
  const isNegative = above < 0n !== below < 0n;
  const [size, parts] = [above < 0n ? -above : above, (below < 0n ? -below : below) * coin];
  const coins = (2n * size + parts) / (2n * parts);
  return (isNegative ? -coins : coins) * coin;
}
