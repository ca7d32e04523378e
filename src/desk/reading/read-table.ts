import type { Column, Row } from '../../../reports/model.ts';
import type { Books } from '../../app/books.ts';
import { type Filters, findReport, usingReport } from '../../app/report.ts';
import { UsageError } from '../../base/errors.ts';
import { parsePeriod } from '../../base/period.ts';
import { ExactDecimal } from '../../money/decimal.ts';
import { formatUnits, parseUnits, type Units } from '../../money/units.ts';
import { rowsInWords } from '../../render/in-words.ts';
import { deskError } from '../../words/errors/desk.ts';
import { ENGLISH } from '../../words/index.ts';
import type { PageRequest } from '../desk.ts';
import { type DeskTable, tableOf } from '../desk-table.ts';
import { nextAddress, type TableQuery, tableQueryOf } from './address.ts';

const KEY_SEPARATOR = '~';

/** Makes a function that gives each row its key: the key columns, and a number if a row before it had the same. */
function keysOf(columns: readonly Column[]): (row: Row) => string {
  const names = columns.filter(({ type, key }) => key || type === 'id' || type === 'number').map(({ name }) => name);
  const seen = new Map<string, number>();
  return (row) => {
    const key = names.map((name) => String(row[name] ?? '')).join(KEY_SEPARATOR);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key}${KEY_SEPARATOR}${count}`;
  };
}

/** The courier and invoice in an invoice row's key, such as `swift~10003~4711~USD`; undefined in another key. */
function invoiceOfKey(key: string) {
  const [courier = '', invoice = ''] = key.split(KEY_SEPARATOR);
  return /^\d{1,15}$/.test(invoice) ? { courier, invoice: Number(invoice) } : undefined;
}

export interface TableRequest {
  readonly books: Books;
  readonly report: string;
  /** The path of the page, for the next page's address. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** If null or absent, the address's `month`; without one, all months. */
  readonly periods?: readonly string[] | null;
  /** Whether every row is wanted, not a page of them: for a file, or for a part of another page. */
  readonly everyRow?: boolean;
  /** Called with each row that the filters let through, on all pages. */
  readonly onRow?: (row: Row) => void;
}

/** Parameters of the address by which reports filter. */
const FILTERS = ['invoice', 'order', 'status', 'code', 'currency'] as const;
/** Parameters that name a column by which no report filters: its rows are filtered here. */
const COLUMN_FILTERS = ['severity'] as const;

/**
 * Reads a page of a report: the rows that the address's filters let through, sorted as it says, after its key.
 *
 * @throws UsageError for a filter, sort or limit that makes no sense
 */
export async function readDeskTable({
  books,
  report,
  path,
  query,
  everyRow = false,
  onRow,
  ...request
}: TableRequest): Promise<DeskTable> {
  const entry = findReport(report);
  const tableQuery = tableQueryOf(query, everyRow ? Number.POSITIVE_INFINITY : undefined);
  // Some reports, such as that of the syncs, take no month.
  const month = query.get('month');
  const periods =
    request.periods ?? (month && entry.needsPeriod ? parsePeriod(month, books.now(), books.config.timeZone) : null);
  const filters: Filters = Object.fromEntries(
    FILTERS.flatMap((name) => (query.get(name) && entry.filters.includes(name) ? [[name, query.get(name)!]] : [])),
  );
  const byColumn = COLUMN_FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)!] as const] : []));
  // The report of orders has far too many rows to read them all: a page is read from its first invoice on, and its
  // totals are of its rows alone.
  const isPageAlone = report === 'orders' && tableQuery.sort === null && !everyRow;
  const from = isPageAlone && tableQuery.after !== null ? invoiceOfKey(tableQuery.after) : undefined;
  return usingReport(books, { entry, periods, filters, from, asOf: null }, async (model) => {
    const { columns } = model;
    const fits = (row: Row) => byColumn.every(([name, value]) => row[name] === value) && hasText(row, tableQuery.text);
    const sortRows = tableQuery.sort === null ? null : sorterOf(tableQuery.sort, columns);
    const page = new TablePage(tableQuery, keysOf(columns));
    // The report's totals are of all its rows. If a text or COLUMN_FILTERS leave some out, the others are summed here.
    const isFilteredHere = !isPageAlone && (tableQuery.text !== null || byColumn.length > 0);
    /** The rows on all pages; empty if nothing sorts them or sums them up here. */
    const allRows: Row[] = [];
    for await (const row of model.rows) {
      if (!fits(row)) continue;
      onRow?.(row);
      if (sortRows || isFilteredHere) allRows.push(row);
      if (sortRows) continue;
      const isFull = !page.take(row);
      // After a full page, rows are read on only to sum them up, or for the caller.
      if (isFull && !isFilteredHere && !onRow) break;
    }
    if (sortRows) for (const row of sortRows(allRows)) if (!page.take(row)) break;
    if (!page.hasBegun) throw new UsageError(deskError({ id: 'no-row', row: tableQuery.after! }));
    const { rows, isMore, lastKey } = page;
    const next = isMore ? nextAddress(path, query, lastKey!) : null;
    // As in the totals of the report, what is resolved does not count among mismatches.
    const counts = ({ status }: Row) => report !== 'mismatches' || status !== 'resolved';
    const rowsToSum = isPageAlone ? rows : allRows.filter(counts);
    const totals = isPageAlone || isFilteredHere ? totalsOf(rowsToSum, model.totals(), columns) : model.totals();
    return { ...tableOf(model, rows, books.now()), totals, next };
  });
}

/** The rows of one page: those after the row with the address's key, as many as its limit allows. */
class TablePage {
  readonly rows: Row[] = [];
  lastKey: string | null = null;
  /** Whether the row with the address's key has come, after which the page begins. */
  hasBegun: boolean;
  isMore = false;
  readonly #query: TableQuery;
  readonly #keyOf: (row: Row) => string;

  constructor(query: TableQuery, keyOf: (row: Row) => string) {
    this.#query = query;
    this.#keyOf = keyOf;
    this.hasBegun = query.after === null;
  }

  /** Puts a row on the page, unless it comes before the page begins. @returns false if the page is full */
  take(row: Row): boolean {
    const key = this.#keyOf(row);
    if (!this.hasBegun) {
      this.hasBegun = key === this.#query.after;
      return true;
    }
    if (this.rows.length >= this.#query.limit) {
      this.isMore = true;
      return false;
    }
    this.rows.push(row);
    this.lastKey = key;
    return true;
  }
}

function hasText(row: Row, text: string | null): boolean {
  if (text === null) return true;
  const [inEnglish] = rowsInWords([row], ENGLISH);
  return Object.values(inEnglish!).some((cell) => cell !== null && String(cell).toLowerCase().includes(text));
}

/** The sums of rows by courier and currency, with the columns and in the order of the report's totals. */
function totalsOf(rows: readonly Row[], reportTotals: readonly Row[], columns: readonly Column[]): readonly Row[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return reportTotals.flatMap((total) => {
    const summed = rows.filter(({ courier, currency }) => courier === total.courier && currency === total.currency);
    if (summed.length === 0) return [];
    const sumOf = (name: string) => summed.reduce((sum, row) => sum + parseUnits(String(row[name] ?? '0')), 0n);
    const cells = Object.entries(total).map(([name, value]) => {
      const type = types.get(name);
      if (type === 'money' || type === 'measure') return [name, formatUnits(sumOf(name))];
      return [name, type === 'count' ? summed.reduce((sum, row) => sum + Number(row[name] ?? 0), 0) : value];
    });
    return [Object.fromEntries(cells)];
  });
}

/** Makes a function that sorts rows by a column, empty cells last. @throws UsageError if the report lacks the column */
function sorterOf(sort: string, columns: readonly Column[]): (rows: readonly Row[]) => Row[] {
  const isDown = sort.startsWith('-');
  const name = isDown ? sort.slice(1) : sort;
  const names = columns.map((column) => column.name);
  const column = columns[names.indexOf(name)];
  if (!column) throw new UsageError(deskError({ id: 'no-column', column: name, columns: names }));
  const comparable = comparableIn(column);
  return (rows) => {
    // Each value is read once, however often it is compared.
    const entries = rows.map((row) => ({ row, value: row[name] == null ? null : comparable(row[name]) }));
    entries.sort((a, b) => inDirection(a.value, b.value, isDown, compareValues));
    return entries.map(({ row }) => row);
  };
}

/** Makes a function that turns a column's cells into values to compare: numbers by their size, all else as text. */
function comparableIn({ type }: Column): (value: unknown) => string | number | bigint {
  if (type === 'money' || type === 'measure') return (value) => parseUnits(String(value));
  if (type === 'count' || type === 'days' || type === 'number') return Number;
  return String;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * A page of a list, as the address asks for it: the records that hold its text, sorted by its field, after its key. A
 * list is of records, such as imports, and has no columns: values are compared by what they look like.
 *
 * @param keyOf names a record, once in the list
 * @returns the page, and the address of the next one; null if this is the last
 * @throws UsageError for a field that no record has, and for a key that is not in the list
 */
export function readListPage<T extends object>(
  records: readonly T[],
  { path, query, everyRow }: Pick<PageRequest, 'path' | 'query' | 'everyRow'>,
  keyOf: (record: T) => string | number,
) {
  const { limit, after, sort, text } = tableQueryOf(query, everyRow ? Number.POSITIVE_INFINITY : undefined);
  const fitting =
    text === null ? records : records.filter((record) => JSON.stringify(record).toLowerCase().includes(text));
  const sorted = sort === null ? fitting : [...fitting].sort(comparatorOf(sort, records));
  const from = after === null ? 0 : sorted.findIndex((record) => String(keyOf(record)) === after) + 1;
  if (after !== null && from === 0) throw new UsageError(deskError({ id: 'no-row', row: after }));
  const shown = sorted.slice(from, from + limit);
  const last = shown.at(-1);
  const isMore = last !== undefined && sorted.length > from + limit;
  return { shown, next: isMore ? nextAddress(path, query, String(keyOf(last))) : null };
}

function comparatorOf<T extends object>(sort: string, records: readonly T[]): (a: T, b: T) => number {
  const isDown = sort.startsWith('-');
  const name = isDown ? sort.slice(1) : sort;
  if (records.length > 0 && !records.some((record) => Object.hasOwn(record, name))) {
    throw new UsageError(deskError({ id: 'no-column', column: name, columns: Object.keys(records[0]!) }));
  }
  const fieldOf = (record: T) => (record as Readonly<Record<string, unknown>>)[name] ?? null;
  return (a, b) => inDirection(fieldOf(a), fieldOf(b), isDown, compare);
}

/** Compares two values in a direction; null comes last in either. */
function inDirection<T>(a: T | null, b: T | null, isDown: boolean, compareUp: (a: T, b: T) => number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return isDown ? compareUp(b, a) : compareUp(a, b);
}

/** Compares numbers by their value, however long they are, and anything else as text. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [textOf(a), textOf(b)];
  if (DECIMAL.test(left) && DECIMAL.test(right)) return new ExactDecimal(left).comparedTo(right);
  return compareValues(left, right);
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function compareValues(left: string | number | Units, right: string | number | Units): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
