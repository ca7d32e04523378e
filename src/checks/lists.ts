/** Groups items by a key, keeping their order. (`Map.groupBy` is not in Node 20.) */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Small enough that a statement over a chunk's items stays within every database's limit of variables. */
const CHUNK = 500;

/** Cuts a list into stretches that one statement can take. */
export function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK);
}
