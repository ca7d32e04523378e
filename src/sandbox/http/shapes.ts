import { type TSchema, Type } from '@sinclair/typebox';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../api/operations.ts';
import { ServiceError } from './errors.ts';

/** How lists are wrapped: `flat` as the spec declares it, or one of the nested forms of its examples. */
export const RESULT_SHAPES = ['flat', 'array', 'wrapper', 'object'] as const;
export type ResultShape = (typeof RESULT_SHAPES)[number];

/** One page of a list, unwrapped. */
export interface ResultPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: unknown[];
}

/** A list that is read page by page: its length, and the items of a page. */
export interface PagedList<Item = unknown> {
  count: number;
  read(limit: number, offset: number): Item[];
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
    results: list.read(size, (number - 1) * size),
  };
}

export function shapePage(page: ResultPage, shape: ResultShape): object {
  switch (shape) {
    case 'flat':
      return page;
    case 'array':
      return { ...page, results: [page.results] };
    case 'wrapper':
      return { ...page, results: [page] };
    case 'object':
      return { ...page, results: page };
  }
}

/** A list without pages as it is sent: in an outer array, except for `flat`. */
export function shapeList(items: unknown[], shape: ResultShape): unknown[] {
  return shape === 'flat' ? items : [items];
}

export function pageSchema(item: TSchema, shape: ResultShape): TSchema {
  const link = Type.Union([Type.String({ format: 'uri' }), Type.Null()]);
  const wrapped = (results: TSchema) =>
    Type.Object({ count: Type.Integer({ minimum: 0 }), next: link, previous: link, results });
  const flat = Type.Array(item);
  switch (shape) {
    case 'flat':
      return wrapped(flat);
    case 'array':
      return wrapped(Type.Array(flat));
    case 'wrapper':
      return wrapped(Type.Array(wrapped(flat)));
    case 'object':
      return wrapped(wrapped(flat));
  }
}

export function listSchema(item: TSchema, shape: ResultShape): TSchema {
  return shape === 'flat' ? Type.Array(item) : Type.Array(Type.Array(item));
}
