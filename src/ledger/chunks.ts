const CHUNK = 1000;

/** Yields items in pieces of at most 1,000, few enough to be the variables of one SQL statement. */
export function* chunks<T>(items: Iterable<T>): Generator<readonly T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
