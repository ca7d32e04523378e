import { because } from '../../words/errors/records.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  columnsByField,
  currencyOf,
  dateColumns,
  type FileColumn,
  requireValue,
  textValue,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { MappedFile } from './receipts-file.ts';
import { type Table, type TableRow, tableNotes } from './table.ts';

export const ORDER_STATUSES = ['open', 'cancelled', 'handed_over'] as const;
export type OwnOrderStatus = (typeof ORDER_STATUSES)[number];

/** What the courier must collect in one currency: an exact decimal text, 0 if it was paid before. */
export interface OwnOrderAmount {
  readonly currency: string;
  readonly cod: string;
}

/** An order in the shop's book. What the file leaves out is null, or no amounts: an import leaves it as it was. */
export interface FileOrder {
  /** The order's first row. */
  readonly line: number;
  readonly reference: string;
  readonly ordered_on: string | null;
  readonly status: OwnOrderStatus | null;
  readonly amounts: readonly OwnOrderAmount[];
  readonly district: string | null;
  readonly note: string | null;
}

export interface OrdersFile extends MappedFile {
  readonly orders: readonly FileOrder[];
}

/** Other words for a status than its name. */
const SPELLINGS: Record<string, OwnOrderStatus> = { canceled: 'cancelled', 'handed over': 'handed_over' };

/**
 * Reads the shop's book by a map: each row is an order in one currency. Rows with one reference are one order, and
 * must agree on all but currency and COD.
 *
 * @throws FileFault naming row and column
 */
export function readOrdersTable(table: Table, map: ColumnMap<string>, format: Format): OrdersFile {
  const column = columnsByField(table, map);
  const [reference, orderedOn, status] = [column('reference'), column('ordered_on'), column('status')];
  const [currency, cod] = [column('currency'), column('cod')];
  const [district, note] = [column('district'), column('note')];
  const readDate = dateColumns(table.rows, [orderedOn], map);
  const readAmount = amountColumns(table.rows, [cod], map);
  const amountsOf = (row: TableRow): OwnOrderAmount[] => {
    const value = valueAt(row, cod);
    if (value.text === '') return [];
    const read = readAmount(value);
    const stated = textValue(row, currency) ?? map.currency ?? null;
    return [{ currency: currencyOf(stated, read.currency, value, currency), cod: exactAmount(read.amount, value) }];
  };
  const orders = new Map<string, FileOrder>();
  for (const row of table.rows) {
    const orderReference = requireValue(row, reference, 'reference').text;
    const day = valueAt(row, orderedOn);
    const order: FileOrder = {
      line: row.line,
      reference: orderReference,
      ordered_on: day.text === '' ? null : readDate(day),
      status: readStatus(row, status),
      amounts: amountsOf(row),
      district: textValue(row, district),
      note: textValue(row, note),
    };
    const before = orders.get(orderReference);
    orders.set(orderReference, before === undefined ? order : merged(before, order));
  }
  return { format, map: map.name, orders: [...orders.values()], skipped: table.skipped, notes: tableNotes(table) };
}

function readStatus(row: TableRow, column: FileColumn | null): OwnOrderStatus | null {
  const value = valueAt(row, column);
  if (value.text === '') return null;
  const lower = value.text.toLowerCase().replaceAll('-', ' ');
  const status = SPELLINGS[lower] ?? ORDER_STATUSES.find((name) => name === lower.replaceAll(' ', '_'));
  if (status !== undefined) return status;
  throw new FileFault(because({ id: 'no-order-status', status: value.text, statuses: ORDER_STATUSES }), value);
}

/** Two rows of one order as one. @throws FileFault if they have the same currency, or contradict each other */
function merged(first: FileOrder, second: FileOrder): FileOrder {
  const place = { line: second.line, column: null };
  const twice = second.amounts.find(({ currency }) => first.amounts.some((amount) => amount.currency === currency));
  if (twice || second.amounts.length === 0 || first.amounts.length === 0) {
    throw new FileFault(
      because({
        id: 'order-twice',
        reference: first.reference,
        first: first.line,
        second: second.line,
        currency: twice?.currency ?? null,
      }),
      place,
    );
  }
  for (const field of ['ordered_on', 'status', 'district', 'note'] as const) {
    if (first[field] === null || second[field] === null || first[field] === second[field]) continue;
    throw new FileFault(because({ id: 'order-differs', reference: first.reference, field, line: first.line }), {
      ...place,
      column: field,
    });
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
