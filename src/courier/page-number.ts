/** A list whose pages are numbered: what the address of each will be. */
export interface NumberedPages {
  /** @param page from 2 */
  urlOf(page: number): string;
}

/**
 * Whether the second page of a list is the first with another number: then all of them can be asked for at once. A `next`
 * with anything more in it, such as a cursor, means what only its server knows, and is followed page after page.
 *
 * @param first the address of the first page, which says no number
 * @param second what the first page names as its next
 */
export function numberedPages(first: string, second: string): NumberedPages | null {
  const from = new URL(first);
  const to = new URL(second);
  if (to.origin !== from.origin || to.pathname !== from.pathname) return null;
  if (from.searchParams.has('page') || to.searchParams.getAll('page').join() !== '2') return null;
  for (const [name, value] of to.searchParams) {
    if (name !== 'page' && !from.searchParams.getAll(name).includes(value)) return null;
  }
  return { urlOf: (page) => second.replace(/([?&]page=)2(?=&|$)/, `$1${page}`) };
}

/** Whether two addresses ask for the same, in whatever order their parameters are. */
export function isSameAddress(a: string, b: string): boolean {
  return a === b || sorted(a) === sorted(b);
}

function sorted(address: string): string {
  const url = new URL(address);
  url.searchParams.sort();
  return url.href;
}
