import type { Static, TSchema } from '@sinclair/typebox';
import type { ContractError } from '../base/errors.ts';
import { contractError, described, faultOf, plainValue, tooDeep } from './decode.ts';

/** An item of a list. If one breaks the spec, only that one is a fault, and the others are read. */
export type Item<T> =
  | { ok: true; value: T; index: number; raw: unknown }
  | { ok: false; fault: ContractError; index: number; raw: unknown };

/**
 * Reads a list in any of its shapes and decodes its items one by one.
 *
 * @param deepItems the indexes of items that were nested too deep to be parsed whole; each becomes a fault
 * @throws ContractError when the document is no list
 */
export function decodeList<S extends TSchema>(
  itemSchema: S,
  document: unknown,
  deepItems: ReadonlySet<number> = new Set(),
) {
  const { items, count, next } = readList(document);
  const decoded = items.map(({ value: raw, place }, index): Item<Static<S>> => {
    const fault = deepItems.has(index) ? tooDeep(place) : faultOf(itemSchema, raw, place);
    if (fault !== null) return { ok: false, fault: contractError(fault), index, raw };
    return { ok: true, value: plainValue(itemSchema, raw), index, raw };
  });
  return { items: decoded, count, next };
}

/** A list in an answer, its items not decoded. */
interface RawList {
  readonly items: readonly RawItem[];
  /** How many items the whole list has; null if it does not say. */
  readonly count: number | null;
  /** The next page's address as the document has it: not resolved, not trusted. */
  readonly next: string | null;
}

interface RawItem {
  readonly value: unknown;
  /** Its path in the document: `results[0].results[2]`. */
  readonly place: string;
}

type Wrapper = { results: unknown; count?: unknown; next?: unknown };

/**
 * Finds the items of a list. The spec declares `{count, next, previous, results: [items]}` and shows other forms in its
 * examples ('Common conventions', 'Areas', 'Pickup locations'), so all of these are read: `results` holding the items,
 * `[[items]]`, `[{…, results: [items]}]` or `{…, results: [items]}`; and the same without the outer wrapper.
 * `next` is the outer wrapper's, or if it has none the inner one's; for two counts see {@link totalOf}.
 *
 * @throws ContractError when the document is no list, or `count` or `next` is of a wrong type
 */
export function readList(document: unknown): RawList {
  if (Array.isArray(document)) return unnest(document, '');
  if (!isWrapper(document)) {
    throw contractError({ path: '', reason: `expected a list, got ${described(document)} without results` });
  }
  const inner = isWrapper(document.results)
    ? readWrapper(document.results, 'results')
    : unnest(arrayAt(document.results, 'results'), 'results');
  return {
    items: inner.items,
    count: totalOf(countOf(document, ''), inner),
    next: nextOf(document, '') ?? inner.next,
  };
}

/** The items of a list, found directly in it or one level deeper. */
interface Inner extends RawList {
  /** How many inner wrappers hold them; 0 for none. */
  readonly wrappers: number;
}

/**
 * How many items the whole list has, if both wrappers state a count. The outer one may count only the wrappers inside
 * it, the inner one only the items of its page. So the outer count is ignored if it equals the number of wrappers;
 * otherwise the larger one counts.
 */
function totalOf(outer: number | null, { count, wrappers }: Inner): number | null {
  if (outer === null || count === null) return outer ?? count;
  return outer === wrappers ? count : Math.max(outer, count);
}

/** Finds the items of a list: one level deeper if every element is an array, or every element is a wrapper. */
function unnest(list: readonly unknown[], place: string): Inner {
  if (list.length > 0 && list.every(Array.isArray)) {
    const items = list.flatMap((inner, index) => itemsOf(inner, `${place}[${index}]`));
    return { items, count: null, next: null, wrappers: 0 };
  }
  if (list.length > 0 && list.every(isWrapper)) {
    const inner = list.map((wrapper, index) => readWrapper(wrapper, `${place}[${index}]`));
    const items = inner.flatMap((wrapper) => wrapper.items);
    return { ...(inner[0] as Inner), items, wrappers: inner.length };
  }
  return { items: itemsOf(list, place), count: null, next: null, wrappers: 0 };
}

function readWrapper(wrapper: Wrapper, place: string): Inner {
  const results = `${place}.results`;
  return {
    items: itemsOf(arrayAt(wrapper.results, results), results),
    count: countOf(wrapper, place),
    next: nextOf(wrapper, place),
    wrappers: 1,
  };
}

function itemsOf(list: readonly unknown[], place: string): RawItem[] {
  return list.map((value, index) => ({ value, place: `${place}[${index}]` }));
}

function isWrapper(value: unknown): value is Wrapper {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'results');
}

function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw contractError({ path, reason: `expected array, got ${described(value)}` });
}

/** The text `null` is null: the spec's examples write it so. */
function countOf({ count }: Wrapper, place: string): number | null {
  if (count === undefined || count === null || count === 'null') return null;
  if (Number.isSafeInteger(count) && (count as number) >= 0) return count as number;
  const path = place === '' ? 'count' : `${place}.count`;
  throw contractError({ path, reason: `expected the number of items, got ${described(count)}` });
}

function nextOf({ next }: Wrapper, place: string): string | null {
  if (next === undefined || next === null || next === '' || next === 'null') return null;
  if (typeof next === 'string') return next;
  const path = place === '' ? 'next' : `${place}.next`;
  throw contractError({ path, reason: `expected string or null, got ${described(next)}` });
}
