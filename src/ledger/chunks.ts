const CHUNK = 1000;

/** Yields items in pieces of at most `size`: by default 1,000, few enough to be the variables of one SQL statement. */
export function* chunks<T>(items: Iterable<T>, size = CHUNK): Generator<readonly T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Reads the next rows after a key, in the order of their keys; none after the last. */
type ReadPage<Row, Key> = (after: Key) => Promise<readonly Row[]>;

/** Yields rows a page at a time. @param start a key before that of the first row */
export async function* pages<Row, Key>(
  start: Key,
  readPage: ReadPage<Row, Key>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<readonly Row[]> {
  for (let after = start; ; ) {
    const page = await readPage(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = keyOf(last);
  }
}

/** Yields the rows of {@link pages} one by one. */
export async function* inPages<Row, Key>(
  start: Key,
  readPage: ReadPage<Row, Key>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
  for await (const page of pages(start, readPage, keyOf)) yield* page;
}

/** Reads rows for items, a piece of the items at a time (see {@link chunks}). @returns the rows of all pieces */
export async function inChunks<T, Row>(
  items: Iterable<T>,
  read: (chunk: readonly T[]) => Promise<readonly Row[]>,
  size = CHUNK,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of chunks(items, size)) for (const row of await read(chunk)) rows.push(row);
  return rows;
}
