const PAGE = 500;

/** Rows by the page: a reader of pages is spared a wait for each row. */
export async function* pagesOf<T>(rows: Iterable<T> | AsyncIterable<T>): AsyncGenerator<Iterable<T>> {
  let page: T[] = [];
  for await (const row of rows) {
    if (page.push(row) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Each row of a page as something else, made when it is read. */
export function* mapped<T, U>(page: Iterable<T>, of: (row: T) => U): Generator<U> {
  for (const row of page) yield of(row);
}
