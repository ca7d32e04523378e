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

/** Reads rows a page at a time. @param readPage reads the next rows after a key, in the order of their keys */
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

/** Reads rows for items, a piece of the items at a time (see {@link chunks}). @returns the rows of all pieces */
export async function inChunks<T, Row>(
  items: Iterable<T>,
  read: (chunk: readonly T[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of chunks(items)) for (const row of await read(chunk)) rows.push(row);
  return rows;
}
