import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import { PAGE_QUERY } from '../http/paging.ts';

/** The query of a list with pages, and what else it takes. */
export function paged<Filters extends TProperties = Record<never, never>>(
  filters = {} as Filters,
): TObject<typeof PAGE_QUERY & Filters> {
  return Type.Object({ ...PAGE_QUERY, ...filters });
}
