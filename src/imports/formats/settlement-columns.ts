import { eachField } from '../../money/fields.ts';
import { recordsError } from '../../words/errors/records.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { type AmountKey, amountKey, WORD_FIELDS, type WordField } from '../maps/settlement-map.ts';
import { exactAmount, isBlankAmount } from './amount-text.ts';
import {
  amountColumns,
  columnsByField,
  currencyOf,
  type FileColumn,
  statedCurrency,
  type Value,
  valueAt,
} from './columns.ts';
import type { CurrencyText } from './currency-text.ts';
import { FileFault } from './fault.ts';
import type { StatedAmounts } from './settlement-file.ts';
import type { Table, TableRow } from './table.ts';
import { oneLine } from './text-forms.ts';

const PAID = /^(paid|settled|transferred|remitted|completed?|closed|done|paid out|مدفوعة?|مسددة?|تم الدفع)$/i;
const PENDING =
  /^(pending( payment)?|unpaid|not paid|open|due|processing|in progress|on hold|to be paid|غير مدفوعة?|معلقة?|قيد الدفع)$/i;
const STANDARD = /^(standard|delivery|deliver|delivered|cod|normal|forward|sale|تسليم|توصيل)$/i;
const RETURN = /^(returns?|returned|rto|refund(ed)?|reverse|return to (origin|sender|merchant)|مرتجعة?|إرجاع|ارجاع)$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]|\p{Cs}/u;
/** The greatest length of an order's or payout's number, and of a status. */
const LONGEST = 200;

/** A cell's words on one line; null if it is blank. @throws FileFault for control characters or too many characters */
export function wordsAt(row: TableRow, column: FileColumn | null): string | null {
  const value = valueAt(row, column);
  if (CONTROL.test(value.text)) throw new FileFault(recordsError({ id: 'control-character' }), value);
  const words = oneLine(value.text);
  if (words.length > LONGEST) throw new FileFault(recordsError({ id: 'cell-too-long', most: LONGEST }), value);
  return words || null;
}

/** A program's words, such as `RETURN_TO_ORIGIN`, as a person writes them. */
function withBlanks(words: string): string {
  return words.replaceAll('_', ' ').trim();
}

/** A payout's status: one of the API's, or else the sheet's words in capitals; null if the cell is blank. */
export function statusAt(row: TableRow, column: FileColumn | null): string | null {
  const words = wordsAt(row, column);
  if (words === null) return null;
  const plain = withBlanks(words);
  if (PAID.test(plain)) return 'PAID';
  return PENDING.test(plain) ? 'PENDING_PAYMENT' : words.toUpperCase();
}

/** A row's kind; a delivery if the cell is blank. @throws FileFault for words that are neither delivery nor return */
export function workflowAt(row: TableRow, column: FileColumn | null): 'STANDARD' | 'RETURN' {
  const words = wordsAt(row, column);
  if (words === null) return 'STANDARD';
  const plain = withBlanks(words);
  if (STANDARD.test(plain)) return 'STANDARD';
  if (RETURN.test(plain)) return 'RETURN';
  throw new FileFault(recordsError({ id: 'neither-delivery-nor-return', words }), valueAt(row, column));
}

/** A column of amounts, with what the map's key says of it: `charges.handling.USD` is a charge for handling, in USD. */
interface AmountColumn extends AmountKey {
  readonly column: FileColumn;
}

/** The columns of a settlement sheet, by its map; null for a field to which the map gives none. */
export interface SettlementColumns extends Readonly<Record<WordField, FileColumn | null>> {
  readonly amounts: readonly AmountColumn[];
}

/** Finds the columns that a map names. @throws FileFault if two columns have one header */
export function settlementColumnsOf(table: Table, map: ColumnMap<string>): SettlementColumns {
  const column = columnsByField(table, map);
  return {
    ...eachField(WORD_FIELDS, column),
    amounts: Object.keys(map.columns).flatMap((key) => {
      const amount = amountKey(key);
      return amount === null ? [] : [{ ...amount, column: column(key)! }];
    }),
  };
}

/** How to read a row whose columns leave something open. */
interface RowOptions {
  /** The currency of an amount for which neither its column nor the row nor the map has one. */
  readonly fallbackCurrency?: string | null;
  /** Zeros count as amounts even where a row states nothing else in their currency. */
  readonly withZeros?: boolean;
}

/**
 * Makes a function that reads a row's amounts, one for each currency. A currency is left out if only columns of that
 * one currency state it, and each states 0.
 *
 * @param rows all rows with amounts, which show the style in which the sheet writes its figures
 */
export function amountReader(rows: readonly TableRow[], columns: SettlementColumns, map: ColumnMap<string>) {
  const amountCells = columns.amounts.map(({ column }) => column);
  const read = amountColumns(rows, amountCells, map);
  return (row: TableRow, { fallbackCurrency = null, withZeros = false }: RowOptions = {}): StatedAmounts[] => {
    const rowCurrency = statedCurrency(row, columns.currency, map) ?? fallbackCurrency;
    const drafts = new Map<string, Draft>();
    const add = (cell: AmountCell): void => {
      const { what, kind, column, value, amount } = cell;
      const currencyPlace = cell.currency === null ? columns.currency : column;
      const currency = currencyOf(cell.currency ?? rowCurrency, cell.currencyInCell, value, currencyPlace);
      const draft = drafts.get(currency) ?? { currency, cod: null, charges: {}, taxes: {}, net: null };
      drafts.set(currency, draft);
      if (what === 'cod' || what === 'net') draft[what] = amount;
      else draft[what === 'charge' ? 'charges' : 'taxes'][kind!] = amount;
    };
    const zeros: AmountCell[] = [];
    for (const ofColumn of columns.amounts) {
      const value = valueAt(row, ofColumn.column);
      if (isBlankAmount(value.text)) continue;
      const { amount: plain, currency: currencyInCell } = read(value);
      const cell = { ...ofColumn, value, currencyInCell, amount: exactAmount(plain, value) };
      if (cell.currency !== null && /^-?[0.]+$/.test(cell.amount)) zeros.push(cell);
      else add(cell);
    }
    // Sheets with a column per currency write zero for an order that has nothing in it. Where it has something in that
    // currency, zero is an amount like any other.
    for (const cell of zeros) if (withZeros || drafts.has(cell.currency!)) add(cell);
    return [...drafts.values()];
  };
}

/** An amount in a row. Its `currency` is that of its column: null if the column is for all currencies. */
interface AmountCell extends AmountColumn {
  readonly value: Value;
  readonly currencyInCell: CurrencyText;
  readonly amount: string;
}

/** Amounts while they are read. */
type Draft = { -readonly [K in keyof StatedAmounts]: StatedAmounts[K] } & {
  charges: Record<string, string>;
  taxes: Record<string, string>;
};

export function hasNoFigure(row: TableRow, { amounts }: SettlementColumns): boolean {
  return amounts.every(({ column }) => isBlankAmount(valueAt(row, column).text));
}

/** @throws FileFault for a row without any amount */
export function requireAmounts(row: TableRow, columns: SettlementColumns): void {
  if (!hasNoFigure(row, columns)) return;
  const column = columns.amounts.find(({ what }) => what === 'cod')?.column ?? null;
  throw new FileFault(recordsError({ id: 'row-without-amount' }), { line: row.line, column: column?.header });
}
