import { UsageError } from '../../base/errors.ts';
import { parseUnits, type Units } from '../../money/units.ts';
import { because } from '../../words/errors/desk.ts';
import type { PageRequest } from '../desk.ts';
import { nextAddress, tableQueryOf } from './table-query.ts';

type FieldValues = Readonly<Record<string, unknown>>;

/** A page of a list, and the address of the next page; null if this is the last. */
export interface ListPage<T> {
  readonly shown: readonly T[];
  readonly next: string | null;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * A page of a list, as the address asks for it: the records that hold its text, sorted by its field, after its key.
 *
 * @param keyOf names a record, once in the list
 * @throws UsageError for a field that no record has, and for a key that is not in the list
 */
export function readList<T extends object>(
  records: readonly T[],
  { path, query, everyRow }: Pick<PageRequest, 'path' | 'query' | 'everyRow'>,
  keyOf: (record: T) => string | number,
): ListPage<T> {
  const { limit, after, sort, text } = tableQueryOf(query, everyRow ? Number.POSITIVE_INFINITY : undefined);
  const fitting =
    text === null ? records : records.filter((record) => JSON.stringify(record).toLowerCase().includes(text));
  const sorted = sort === null ? fitting : [...fitting].sort(comparatorOf(sort, records));
  const from = after === null ? 0 : sorted.findIndex((record) => String(keyOf(record)) === after) + 1;
  if (after !== null && from === 0) {
    throw new UsageError(because({ id: 'no-row', row: after }));
  }
  const shown = sorted.slice(from, from + limit);
  const last = shown.at(-1);
  const isMore = last !== undefined && sorted.length > from + limit;
  return { shown, next: isMore ? nextAddress(path, query, String(keyOf(last))) : null };
}

function comparatorOf<T extends object>(sort: string, records: readonly T[]): (a: T, b: T) => number {
  const isDown = sort.startsWith('-');
  const name = isDown ? sort.slice(1) : sort;
  if (records.length > 0 && !records.some((record) => Object.hasOwn(record, name))) {
    throw new UsageError(because({ id: 'no-column', column: name, columns: Object.keys(records[0]!) }));
  }
  const fieldOf = (record: T) => (record as FieldValues)[name] ?? null;
  return (a, b) => {
    const [left, right] = [fieldOf(a), fieldOf(b)];
    // An empty field comes last, in either direction.
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return isDown ? compare(right, left) : compare(left, right);
  };
}

/** Compares numbers by their value, however long they are, and anything else as text. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [textOf(a), textOf(b)];
  if (DECIMAL.test(left) && DECIMAL.test(right)) return compareValues(parseUnits(left), parseUnits(right));
  return compareValues(left, right);
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function compareValues<T extends string | Units>(left: T, right: T): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
