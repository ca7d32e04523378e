import { formatUnits, parseUnits, type Units } from '../../src/money/units.ts';
import { ColumnTotals, columnsOf } from '../columns.ts';
import type { Cell, Column, LongReport, PlainRow, Report, Row } from '../model.ts';
import { rowsInPages } from '../rows.ts';
import type { MonthMismatch } from './mismatches.ts';

/** A column that says by how much another one moved since the month was closed. */
interface MovedColumn extends Column {
  /** The column whose figure moved. */
  readonly of: string;
}

const movedColumn = (of: string, name: string): MovedColumn => ({ of, name, type: 'money' });

const OF_INVOICES = [movedColumn('net_due_to_merchant', 'net_moved'), movedColumn('outstanding', 'outstanding_moved')];
const OF_ORDERS = [movedColumn('net', 'net_moved'), movedColumn('own_net', 'own_net_moved')];
const OF_RECEIPTS = [movedColumn('amount', 'amount_moved'), movedColumn('left', 'left_moved')];

/** The Invoices sheet as it was closed, with the columns of what moved since, if anything did. */
export function invoicesMovedSince(closed: Report, today: Report): Report {
  return tableMovedSince(closed, today, OF_INVOICES, ({ number, currency }) => `${number} ${currency}`);
}

/** The Receipts sheet as it was closed, with the columns of what moved since, if anything did. */
export function receiptsMovedSince(closed: Report, today: Report): Report {
  return tableMovedSince(closed, today, OF_RECEIPTS, ({ receipt }) => String(receipt));
}

function tableMovedSince(
  closed: Report,
  today: Report,
  movedColumns: readonly MovedColumn[],
  keyOf: (row: Row) => string,
): Report {
  const sums = new ColumnTotals(...movedColumns.map(({ name }) => name));
  const withMoved = (row: Row, now: Row | undefined, then: Row | undefined): Row => {
    const movements = movementsOf(movedColumns, now, then, (cell) => (cell === null ? 0n : parseUnits(String(cell))));
    sums.addRow(row.currency as string | null, Object.fromEntries(movements));
    const cells = movements.map(([name, units]) => [name, units === 0n ? null : formatUnits(units)]);
    return { ...row, ...Object.fromEntries(cells) };
  };
  const rowsToday = new Map((today.rows as readonly Row[]).map((row) => [keyOf(row), row]));
  const rows = (closed.rows as readonly Row[]).map((row) => {
    const now = rowsToday.get(keyOf(row));
    rowsToday.delete(keyOf(row));
    return withMoved(row, now, row);
  });
  // Rows that are new since the close come last.
  for (const row of rowsToday.values()) rows.push(withMoved(withoutFigures(today.columns, row), row, undefined));
  const isMoved = rowsToday.size > 0 || rows.some((row) => movedColumns.some(({ name }) => row[name] !== null));
  if (!isMoved) return { ...closed, notes: today.notes };
  return {
    ...closed,
    columns: [...closed.columns, ...movedColumns],
    rows,
    totals: () => totalsWith(closed.totals(), sums.rows()),
    notes: today.notes,
  };
}

/**
 * The Orders sheet as it was closed, with the columns of what moved since. They are there even if nothing moved,
 * because each row is written when it is read: both states are read side by side, one invoice at a time.
 */
export function ordersMovedSince(closed: LongReport, today: LongReport): LongReport {
  const columns = [...closed.columns, ...OF_ORDERS];
  const sums = new ColumnTotals(...OF_ORDERS.map(({ name }) => name));
  const withMoved = (row: PlainRow, now: PlainRow | undefined, then: PlainRow | undefined): PlainRow => {
    const movements = movementsOf(OF_ORDERS, now, then, (cell) => (cell ?? 0n) as Units);
    sums.addRow(row.currency as string | null, Object.fromEntries(movements));
    return { ...row, ...Object.fromEntries(movements.map(([name, units]) => [name, units === 0n ? null : units])) };
  };
  async function* pages(): AsyncGenerator<readonly PlainRow[]> {
    for await (const [invoiceThen, invoiceNow] of invoicesSideBySide(closed.pages(), today.pages())) {
      const rowsToday = byOrder(invoiceNow);
      const page = [...byOrder(invoiceThen)].map(([key, row]) => {
        const now = rowsToday.get(key);
        rowsToday.delete(key);
        return withMoved(row, now, row);
      });
      for (const row of rowsToday.values()) page.push(withMoved(withoutFigures(columns, row), row, undefined));
      yield page;
    }
  }
  return {
    ...closed,
    columns,
    rows: rowsInPages(pages),
    pages,
    totals: () => totalsWith(closed.totals(), sums.rows()),
  };
}

/** The rows of each invoice at the close and now, both sorted by number; no rows in a state that lacks the invoice. */
async function* invoicesSideBySide(
  then: AsyncIterable<readonly PlainRow[]>,
  now: AsyncIterable<readonly PlainRow[]>,
): AsyncGenerator<readonly [readonly PlainRow[], readonly PlainRow[]]> {
  const [invoicesThen, invoicesNow] = [invoicesOf(then), invoicesOf(now)];
  let [nextThen, nextNow] = [await invoicesThen.next(), await invoicesNow.next()];
  while (!nextThen.done || !nextNow.done) {
    const takesThen = numberOf(nextThen) <= numberOf(nextNow);
    const takesNow = numberOf(nextNow) <= numberOf(nextThen);
    yield [takesThen ? nextThen.value! : [], takesNow ? nextNow.value! : []];
    if (takesThen) nextThen = await invoicesThen.next();
    if (takesNow) nextNow = await invoicesNow.next();
  }
}

/** The number of the invoice that is next; after the last one, more than any. */
function numberOf({ done, value }: IteratorResult<readonly PlainRow[], undefined>): number {
  return done ? Number.POSITIVE_INFINITY : (value[0]!.invoice_number as number);
}

async function* invoicesOf(
  pages: AsyncIterable<readonly PlainRow[]>,
): AsyncGenerator<readonly PlainRow[], undefined, undefined> {
  let rows: PlainRow[] = [];
  for await (const page of pages) {
    for (const row of page) {
      if (rows.length > 0 && rows[0]!.invoice_number !== row.invoice_number) {
        yield rows;
        rows = [];
      }
      rows.push(row);
    }
  }
  if (rows.length > 0) yield rows;
}

/** An invoice's rows by order, currency and a running number: an order may be on an invoice several times. */
function byOrder(rows: readonly PlainRow[]): Map<string, PlainRow> {
  const byKey = new Map<string, PlainRow>();
  for (const row of rows) {
    const name = `${row.order_id} ${row.currency}`;
    let times = 1;
    while (byKey.has(`${name} ${times}`)) times += 1;
    byKey.set(`${name} ${times}`, row);
  }
  return byKey;
}

/** By how much each figure moved between two states of a row, with the name of the moved column. */
function movementsOf<C extends Cell>(
  columns: readonly MovedColumn[],
  now: Readonly<Record<string, C>> | undefined,
  then: Readonly<Record<string, C>> | undefined,
  unitsOf: (cell: C | null) => Units,
): [string, Units][] {
  return columns.map(({ name, of }) => [name, unitsOf(now?.[of] ?? null) - unitsOf(then?.[of] ?? null)]);
}

/** A row that is new since the close has no figure of the close. */
function withoutFigures<R extends Row | PlainRow>(columns: readonly Column[], row: R): R {
  const figures = columns.filter(({ type }) => type === 'money' || type === 'count' || type === 'days');
  return { ...row, ...Object.fromEntries(figures.map(({ name }) => [name, null])) };
}

function totalsWith(closed: readonly Row[], sums: readonly Row[]): Row[] {
  const currencies = [...new Set([...closed, ...sums].map(({ currency }) => currency as string))].sort();
  const rowIn = (rows: readonly Row[], currency: string) => rows.find((row) => row.currency === currency);
  return currencies.map((currency) => ({ ...rowIn(closed, currency), ...rowIn(sums, currency), currency }));
}

/** The rows of mismatches with each one's status and effect at the close; empty cells if it was found since. */
export function withStateAtClose(rows: readonly Row[], closed: readonly MonthMismatch[]): Row[] {
  const closedById = new Map(closed.map((mismatch) => [mismatch.id, mismatch]));
  return rows.map((row) => {
    const atClose = closedById.get(row.id as string);
    return { ...row, status_at_close: atClose?.status ?? null, effect_at_close: atClose?.effect ?? null };
  });
}

const OF_MISMATCHES = columnsOf('status_at_close effect_at_close');

export function mismatchesSinceClose(today: Report, closed: readonly MonthMismatch[]): Report {
  const onPaper = today.columns.filter(({ isOffPaper }) => !isOffPaper);
  const offPaper = today.columns.filter(({ isOffPaper }) => isOffPaper);
  return {
    ...today,
    columns: [...onPaper, ...OF_MISMATCHES, ...offPaper],
    rows: withStateAtClose(today.rows as readonly Row[], closed),
  };
}
