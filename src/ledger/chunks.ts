/** Small enough that a statement over a chunk's items stays within every database's limit of variables. */
const CHUNK = 500;

/** Cuts a list into stretches that one statement can take. */
export function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK);
}
