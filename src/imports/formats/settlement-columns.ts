import { because } from '../../words/errors/records.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { type AmountKey, amountKey } from '../maps/settlement-map.ts';
import { exactAmount } from './amount-text.ts';
import { oneLine } from './characters.ts';
import { amountColumns, type Column, currencyOf, findColumn, textValue, valueAt } from './columns.ts';
import { FileFault } from './fault.ts';
import type { ByKind } from './settlement-file.ts';
import type { Table, TableRow } from './table.ts';

const PAID = /^(paid|settled|transferred|remitted|completed?|closed|done|paid out|مدفوعة?|مسددة?|تم الدفع)$/i;
const PENDING =
  /^(pending([ _]payment)?|unpaid|not paid|open|due|processing|in progress|on hold|to be paid|غير مدفوعة?|معلقة?|قيد الدفع)$/i;
const STANDARD = /^(standard|delivery|deliver|delivered|cod|normal|forward|sale|تسليم|توصيل)$/i;
const RETURN = /^(returns?|returned|rto|refund(ed)?|reverse|return to (origin|sender|merchant)|مرتجعة?|إرجاع|ارجاع)$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no text holds is what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]|\p{Cs}/u;
/** The longest number of an order or a payout. */
const LONGEST = 200;

/** A cell's words on one line; null where it is blank. @throws FileFault for characters that are no text, and for far too many */
export function wordsAt(row: TableRow, column: Column | null): string | null {
  const value = valueAt(row, column);
  if (CONTROL.test(value.text)) {
    throw new FileFault(because({ id: 'control-character' }), value);
  }
  const words = oneLine(value.text);
  if (words.length > LONGEST) {
    throw new FileFault(because({ id: 'cell-too-long', most: LONGEST }), value);
  }
  return words || null;
}

/** A payout's status: the API's own where the sheet's words are known, else the words; null where the cell is blank. */
export function statusAt(row: TableRow, column: Column | null): string | null {
  const words = wordsAt(row, column);
  if (words === null) return null;
  const plain = words.replaceAll('_', ' ').trim();
  if (PAID.test(plain)) return 'PAID';
  return PENDING.test(plain) ? 'PENDING_PAYMENT' : words.toUpperCase();
}

/** A row is a delivery or a return; a delivery where the cell is blank. @throws FileFault for any other word */
export function workflowAt(row: TableRow, column: Column | null): 'STANDARD' | 'RETURN' {
  const words = wordsAt(row, column);
  if (words === null || STANDARD.test(words)) return 'STANDARD';
  if (RETURN.test(words)) return 'RETURN';
  throw new FileFault(because({ id: 'neither-delivery-nor-return', words }), valueAt(row, column));
}

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
    const rowCurrency = textValue(row, columns.currency) ?? map.currency ?? otherwise;
    const amounts = new Map<string, Draft>();
    for (const { what, name, currency: fixed, column } of columns.amounts) {
      const value = valueAt(row, column);
      if (value.text === '' || value.text === '-') continue;
      const { amount: plain, currency: beside } = read(value);
      const amount = exactAmount(plain, value);
      // A column a currency is filled with zeros where an order has none of it.
      if (fixed !== null && /^-?[0.]+$/.test(amount)) continue;
      const currency = currencyOf(fixed ?? rowCurrency, beside, value, fixed === null ? columns.currency : column);
      const draft = amounts.get(currency) ?? { currency, cod: null, charges: {}, taxes: {}, net: null };
      amounts.set(currency, draft);
      if (what === 'cod' || what === 'net') draft[what] = amount;
      else draft[what === 'charge' ? 'charges' : 'taxes'][name!] = amount;
    }
    return [...amounts.values()];
  };
}

/** Amounts that are being collected. */
type Draft = { -readonly [K in keyof StatedAmounts]: StatedAmounts[K] } & {
  charges: Record<string, string>;
  taxes: Record<string, string>;
};

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
