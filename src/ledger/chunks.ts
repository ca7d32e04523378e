/** Small enough that a statement over a chunk's items stays within every database's limit of variables. */
const CHUNK = 1000;

/** Cuts items into stretches that one statement can take. */
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
