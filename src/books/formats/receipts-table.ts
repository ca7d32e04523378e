import { formatAmount, parseAmount } from '../../money/index.ts';
import { quoted } from '../../text.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { oneLine } from './characters.ts';
import { amountColumns, currencyOf, dateColumns } from './column-readers.ts';
import { type Column, findColumn, needed, textValue, type Value, valueAt } from './columns.ts';
import type { CurrencyText } from './currency-text.ts';
import { exactAmount } from './exact.ts';
import { FileFault } from './fault.ts';
import type { ReceiptLine, ReceiptsFile, Skipped, Statement } from './receipts-file.ts';
import type { Format } from './recognise.ts';
import { type Table, type TableRow, textOf } from './table.ts';

/**
 * Reads a table of bank lines or a cash book by a map. A row with neither a date nor an amount (a heading, a remark) is skipped
 * and counted; a row with one of the two is a fault.
 *
 * @throws FileFault naming row and column
 */
export function readReceiptsTable(table: Table, map: ColumnMap, format: Format): ReceiptsFile {
  const column = (field: string): Column | null =>
    map.columns[field] === undefined ? null : findColumn(table.headers, map.columns[field]);
  const columns = {
    date: column('date'),
    amount: column('amount'),
    debit: column('debit'),
    credit: column('credit'),
    sign: column('sign'),
    currency: column('currency'),
    text: column('text'),
    counterparty: column('counterparty'),
    account: column('account'),
    id: column('id'),
    invoice: column('invoice'),
  };
  const figures = [columns.amount, columns.debit, columns.credit];
  const skipped: Skipped[] = [];
  const rows = table.rows.filter((row) => {
    const blank = [columns.date, ...figures].every((one) => one === null || textOf(row.cells[one.index]).trim() === '');
    if (blank) skipped.push({ line: row.line, why: 'neither a date nor an amount' });
    return !blank;
  });
  if (rows.length === 0)
    throw new FileFault('it holds no rows with a date and an amount', 'There is nothing to book: export it again.');
  const readDate = dateColumns(rows, [columns.date], map);
  const readAmount = amountColumns(rows, figures, map);
  const movement = movementReader(rows, columns, map, readAmount);
  const lines = rows.map((row): ReceiptLine => {
    const date = readDate(needed(row, columns.date, 'date'));
    const { amount, beside, value } = movement(row);
    const account = textValue(row, columns.account);
    const stated = textValue(row, columns.currency) ?? map.currency ?? null;
    const counterparty = textValue(row, columns.counterparty);
    return {
      line: row.line,
      date,
      valueDate: null,
      amount: exactAmount(amount, value),
      currency: currencyOf(stated, beside, value),
      text: oneLine(textValue(row, columns.text) ?? ''),
      counterparty: counterparty === null ? null : oneLine(counterparty),
      counterpartyAccount: null,
      account,
      id: textValue(row, columns.id),
      reference: textValue(row, columns.invoice),
      raw: row.cells.map(textOf).join('\t').slice(0, 4_000),
    };
  });
  return { format, statements: statementsOf(lines), skipped, notes: tableNotes(table) };
}

/** What a person should know of a table: that its sheet hides rows, or that its file may be cut off. */
export function tableNotes({ hiddenRows, lastCell }: Table): string[] {
  const notes: string[] = [];
  if (hiddenRows > 0)
    notes.push(`${hiddenRows} hidden ${hiddenRows === 1 ? 'row was' : 'rows were'} read with the others`);
  if (lastCell !== null) {
    notes.push(
      `the file ends with ${quoted(lastCell)} and no line end: see that it is whole, and not the beginning of a longer figure`,
    );
  }
  return notes;
}

interface Movement {
  readonly amount: string;
  readonly beside: CurrencyText;
  readonly value: Value;
}

type Read = (value: Value) => { amount: string; currency: CurrencyText };
type Columns = Record<'amount' | 'debit' | 'credit' | 'sign', Column | null>;

/** How a row's signed amount is found: one column, one with a sign beside it, or one for each direction. */
function movementReader(
  rows: readonly TableRow[],
  columns: Columns,
  map: ColumnMap,
  read: Read,
): (row: TableRow) => Movement {
  if (columns.debit !== null && columns.credit !== null) {
    const negativeDebits = allNegative(rows, columns.debit, read);
    return (row) => ofTwoColumns(row, columns, negativeDebits, read);
  }
  return (row) => {
    const value = needed(row, columns.amount, 'amount');
    const { amount, currency } = read(value);
    if (columns.sign === null) return { amount, beside: currency, value };
    const sign = needed(row, columns.sign, 'sign');
    if (amount.startsWith('-')) {
      throw new FileFault(
        `${quoted(value.text)} has a minus beside the sign ${quoted(sign.text)}`,
        'Leave sign out of the map, or correct the row.',
        value,
      );
    }
    const credit = map.credit_words?.some((word) => word.trim().toLowerCase() === sign.text.toLowerCase()) ?? false;
    return { amount: credit ? amount : `-${amount}`, beside: currency, value };
  };
}

/** Whether a bank writes its debits with a minus, all of them. */
function allNegative(rows: readonly TableRow[], column: Column, read: Read): boolean {
  const amounts = rows
    .map((row) => valueAt(row, column))
    .filter(({ text }) => text !== '')
    .map((value) => parseAmount(read(value).amount));
  const filled = amounts.filter((amount) => !amount.isZero());
  return filled.length > 0 && filled.every((amount) => amount.isNegative());
}

function ofTwoColumns(row: TableRow, columns: Columns, negativeDebits: boolean, read: Read): Movement {
  const sides = [columns.debit, columns.credit]
    .map((column, i) => ({ value: valueAt(row, column), out: i === 0 }))
    .filter(({ value }) => value.text !== '')
    .map((side) => ({ ...side, ...read(side.value) }));
  const moved = sides.filter(({ amount }) => !parseAmount(amount).isZero());
  if (moved.length > 1) {
    throw new FileFault(
      'the row has both a debit and a credit',
      'Correct the row: money moves one way on a line.',
      moved[0]!.value,
    );
  }
  const side = moved[0] ?? sides[0];
  if (side === undefined) {
    throw new FileFault(
      'the row has neither a debit nor a credit',
      'Fill one in, or remove the row.',
      valueAt(row, columns.debit),
    );
  }
  const turned = side.out && !negativeDebits;
  const amount = parseAmount(side.amount);
  return { amount: formatAmount(turned ? amount.negated() : amount), beside: side.currency, value: side.value };
}

/** One statement an account and currency, in the order in which they come. */
function statementsOf(lines: readonly ReceiptLine[]): Statement[] {
  const groups = new Map<string, ReceiptLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.account, line.currency]);
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  return [...groups.values()].map((group) => {
    const days = group.map(({ date }) => date).sort();
    const { account, currency } = group[0]!;
    return {
      account,
      currency,
      from: days[0]!,
      to: days.at(-1)!,
      opening: null,
      closing: null,
      balanced: null,
      lines: group,
    };
  });
}
