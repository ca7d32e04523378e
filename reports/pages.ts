/**
 * Rows that come in pages: a reader of pages is spared a wait for each row. The rows of a page may be made as they are read, so that
 * only one of them is there at a time.
 */
export class PagedRows<T> implements AsyncIterable<T> {
  readonly pages: AsyncIterable<Iterable<T>>;

  /** @param pages read once, by whichever way is asked for first */
  constructor(pages: AsyncIterable<Iterable<T>>) {
    this.pages = pages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const page of this.pages) yield* page;
  }
}

const PAGE = 500;

/** Any rows by the page. */
export function pagesOf<T>(rows: Iterable<T> | AsyncIterable<T>): AsyncIterable<Iterable<T>> {
  return rows instanceof PagedRows ? rows.pages : gathered(rows);
}

/** Each row of a page as something else, made when it is read. */
export function* mapped<T, U>(page: Iterable<T>, of: (row: T) => U): Generator<U> {
  for (const row of page) yield of(row);
}

async function* gathered<T>(rows: Iterable<T> | AsyncIterable<T>): AsyncGenerator<Iterable<T>> {
  let page: T[] = [];
  for await (const row of rows) {
    if (page.push(row) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
