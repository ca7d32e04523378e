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

/** Rows that are read a page at a time. @param readPage reads those after a key, in the order of their keys */
export async function* inPages<Row, Key>(
  start: Key,
  readPage: (after: Key) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const page = await readPage(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    after = keyOf(last);
  }
}

/** All rows that `read` finds for each piece of the items, in the order of the pieces: see {@link chunks}. */
export async function inChunks<T, Row>(
  items: Iterable<T>,
  read: (chunk: readonly T[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of chunks(items)) for (const row of await read(chunk)) rows.push(row);
  return rows;
}
