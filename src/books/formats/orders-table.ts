import { quoted } from '../../text.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { amountColumns, currencyOf, dateColumns } from './column-readers.ts';
import { type Column, findColumn, needed, textValue, valueAt } from './columns.ts';
import { exactAmount } from './exact.ts';
import { FileFault } from './fault.ts';
import {
  ORDER_STATUSES,
  type OrdersFile,
  type OwnOrder,
  type OwnOrderAmount,
  type OwnOrderStatus,
} from './orders-file.ts';
import { tableNotes } from './receipts-table.ts';
import type { Format } from './recognise.ts';
import type { Table, TableRow } from './table.ts';

const SPELLINGS: Record<string, OwnOrderStatus> = { canceled: 'cancelled', 'handed over': 'handed_over' };

/**
 * Reads the shop's own book by a map: one row an order and currency. Rows of one reference are one order, and must agree on all
 * but currency and COD.
 *
 * @throws FileFault naming row and column
 */
export function readOrdersTable(table: Table, map: ColumnMap, format: Format): OrdersFile {
  const column = (field: string): Column | null =>
    map.columns[field] === undefined ? null : findColumn(table.headers, map.columns[field]);
  const [reference, orderedOn, status, currency, cod] = ['reference', 'ordered_on', 'status', 'currency', 'cod'].map(
    column,
  );
  const [district, note] = [column('district'), column('note')];
  const readDate = dateColumns(table.rows, [orderedOn ?? null], map);
  const readAmount = amountColumns(table.rows, [cod ?? null], map);
  const amountOf = (row: TableRow): OwnOrderAmount[] => {
    const value = valueAt(row, cod ?? null);
    if (value.text === '') return [];
    const read = readAmount(value);
    if (read.amount.startsWith('-') && !/^-[0.]+$/.test(read.amount)) {
      throw new FileFault(
        `the COD ${quoted(value.text)} is negative`,
        'Correct it: what is to be collected is 0 or more.',
        value,
      );
    }
    const stated = textValue(row, currency ?? null) ?? map.currency ?? null;
    return [{ currency: currencyOf(stated, read.currency, value), cod: exactAmount(read.amount, value) }];
  };
  const orders = new Map<string, OwnOrder>();
  for (const row of table.rows) {
    const name = needed(row, reference ?? null, 'reference').text;
    const day = valueAt(row, orderedOn ?? null);
    const order: OwnOrder = {
      line: row.line,
      reference: name,
      ordered_on: day.text === '' ? null : readDate(day),
      status: readStatus(row, status ?? null),
      amounts: amountOf(row),
      district: textValue(row, district),
      note: textValue(row, note),
    };
    const before = orders.get(name);
    orders.set(name, before === undefined ? order : together(before, order));
  }
  return { format, map: map.name, orders: [...orders.values()], skipped: [], notes: tableNotes(table) };
}

function readStatus(row: TableRow, column: Column | null): OwnOrderStatus | null {
  const value = valueAt(row, column);
  if (value.text === '') return null;
  const lower = value.text.toLowerCase().replaceAll('-', ' ');
  const status = SPELLINGS[lower] ?? ORDER_STATUSES.find((one) => one === lower.replaceAll(' ', '_'));
  if (status !== undefined) return status;
  throw new FileFault(`${quoted(value.text)} is no status`, `A status is one of ${ORDER_STATUSES.join(', ')}.`, value);
}

/** Two rows of one order: another currency of it, or a contradiction. */
function together(first: OwnOrder, second: OwnOrder): OwnOrder {
  const place = { line: second.line, column: null };
  const twice = second.amounts.find(({ currency }) => first.amounts.some((amount) => amount.currency === currency));
  if (twice || second.amounts.length === 0 || first.amounts.length === 0) {
    throw new FileFault(
      `the order ${quoted(first.reference)} stands on lines ${first.line} and ${second.line}${twice ? `, both in ${twice.currency}` : ''}`,
      'Keep one row an order and currency.',
      place,
    );
  }
  for (const field of ['ordered_on', 'status', 'district', 'note'] as const) {
    if (first[field] === null || second[field] === null || first[field] === second[field]) continue;
    throw new FileFault(
      `the order ${quoted(first.reference)} has another ${field} on line ${first.line}`,
      'The rows of one order differ in currency and COD only.',
      { ...place, column: field },
    );
  }
  return {
    ...first,
    ordered_on: first.ordered_on ?? second.ordered_on,
    status: first.status ?? second.status,
    district: first.district ?? second.district,
    note: first.note ?? second.note,
    amounts: [...first.amounts, ...second.amounts],
  };
}
