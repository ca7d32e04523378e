import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../api/operations.ts';
import { ServiceError } from './errors.ts';
import type { ResultPage } from './shapes.ts';

/** A list that is read page by page: its length, and a slice of it. */
export interface PagedList {
  count: number;
  slice(limit: number, offset: number): unknown[];
}

/**
 * Reads the page that a query asks for, the first by default.
 *
 * @param url the request's absolute URL; `next` and `previous` keep all of its parameters
 * @throws ServiceError 404 when the page lies beyond the end
 */
export function resultPage(list: PagedList, query: { page?: number; page_size?: number }, url: string): ResultPage {
  const size = Math.min(query.page_size ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const number = query.page ?? 1;
  const last = Math.max(1, Math.ceil(list.count / size));
  if (number > last) throw new ServiceError(404, 'detail: Invalid page.');
  const link = (page: number): string => {
    const target = new URL(url);
    target.searchParams.set('page', String(page));
    return target.href;
  };
  return {
    count: list.count,
    next: number < last ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
    results: list.slice(size, (number - 1) * size),
  };
}
