import { because } from '../../words/errors/records.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { type AmountKey, amountKey } from '../maps/settlement-map.ts';
import { exactAmount } from './amount-text.ts';
import { amountColumns, type Column, currencyOf, findColumn, textValue, valueAt } from './columns.ts';
import { FileFault } from './fault.ts';
import type { ByKind } from './settlement-file.ts';
import type { Table, TableRow } from './table.ts';

/** A column of amounts, and what they are. */
export interface AmountColumn extends AmountKey {
  readonly column: Column;
}

/** The columns of a settlement sheet, by its map. */
export interface SettlementColumns {
  readonly invoice: Column | null;
  readonly issued_on: Column | null;
  readonly status: Column | null;
  readonly order: Column | null;
  readonly reference: Column | null;
  readonly workflow: Column | null;
  readonly delivered_on: Column | null;
  readonly currency: Column | null;
  readonly weight: Column | null;
  readonly amounts: readonly AmountColumn[];
}

/** Finds the columns that a map names. @throws FileFault where two columns have one name */
export function settlementColumnsOf({ headers }: Table, { columns }: ColumnMap<string>): SettlementColumns {
  const column = (field: string): Column | null =>
    columns[field] === undefined ? null : findColumn(headers, columns[field]);
  return {
    invoice: column('invoice'),
    issued_on: column('issued_on'),
    status: column('status'),
    order: column('order'),
    reference: column('reference'),
    workflow: column('workflow'),
    delivered_on: column('delivered_on'),
    currency: column('currency'),
    weight: column('weight'),
    amounts: Object.keys(columns).flatMap((key) => {
      const what = amountKey(key);
      return what === null ? [] : [{ ...what, column: column(key)! }];
    }),
  };
}

/** The amounts of a row in one currency; what its cells leave blank is null or absent. */
export interface StatedAmounts {
  readonly currency: string;
  readonly cod: string | null;
  readonly charges: ByKind;
  readonly taxes: ByKind;
  readonly net: string | null;
}

/**
 * Makes a function that reads a row's amounts, by currency in the order of its columns: each column's own currency, else the row's.
 *
 * @param rows all rows with amounts, whose figures are written in one style
 */
export function amountReader(
  rows: readonly TableRow[],
  columns: SettlementColumns,
  map: ColumnMap<string>,
): (row: TableRow, otherwise?: string | null) => StatedAmounts[] {
  const read = amountColumns(
    rows,
    columns.amounts.map(({ column }) => column),
    map,
  );
  return (row, otherwise = null) => {
    const own = textValue(row, columns.currency) ?? map.currency ?? otherwise;
    const amounts = new Map<string, Draft>();
    for (const { what, name, currency: fixed, column } of columns.amounts) {
      const value = valueAt(row, column);
      if (value.text === '' || value.text === '-') continue;
      const { amount: plain, currency: beside } = read(value);
      const amount = exactAmount(plain, value);
      // A column a currency is filled with zeros where an order has none of it.
      if (fixed !== null && /^-?[0.]+$/.test(amount)) continue;
      const currency = currencyOf(fixed ?? own, beside, value, fixed === null ? columns.currency : column);
      const draft = amounts.get(currency) ?? { currency, cod: null, charges: {}, taxes: {}, net: null };
      amounts.set(currency, draft);
      if (what === 'cod' || what === 'net') draft[what] = amount;
      else draft[what === 'charge' ? 'charges' : 'taxes'][name!] = amount;
    }
    return [...amounts.values()];
  };
}

type Draft = { -readonly [K in keyof StatedAmounts]: StatedAmounts[K] } & {
  charges: Record<string, string>;
  taxes: Record<string, string>;
};

/** Whether a row has no figure in any of the columns of amounts. */
export function hasNoFigure(row: TableRow, { amounts }: SettlementColumns): boolean {
  return amounts.every(({ column }) => valueAt(row, column).text === '');
}

/** A row that must state something. @throws FileFault where it has no amount at all */
export function requireAmounts(row: TableRow, columns: SettlementColumns): void {
  if (!hasNoFigure(row, columns)) return;
  const column = columns.amounts.find(({ what }) => what === 'cod')?.column ?? null;
  throw new FileFault(because({ id: 'row-without-amount' }), {
    line: row.line,
    column: column?.header,
  });
}
