/** A small seeded generator (mulberry32). All chance in the sandbox comes from one, so that a run can be repeated. */
export type Random = ReturnType<typeof seededRandom>;

/** Makes a generator. Equal seeds give equal sequences. */
export function seededRandom(seed: number | string) {
  let state = hash(String(seed));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    /** A number from 0 up to, but not including, 1. */
    next,
    /** A whole number from `low` to `high`, both included. */
    int,
    /** True with the given probability (0 to 1). */
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(items: readonly T[]): T => items[int(0, items.length - 1)]!,
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}
