import { groupBy } from '../../base/group.ts';
import { formatAmount, parseAmount } from '../../money/decimal.ts';
import { eachField } from '../../money/fields.ts';
import { recordsError } from '../../words/errors/records.ts';
import { type ColumnMap, type Format, RECEIPT_FIELDS } from '../maps/column-map.ts';
import { guessMap } from '../maps/guess-map.ts';
import { exactAmount } from './amount-text.ts';
import { proveByBalance } from './balance.ts';
import {
  amountColumns,
  columnsByField,
  currencyOf,
  dateColumns,
  type FileColumn,
  findColumn,
  requireValue,
  statedCurrency,
  textValue,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { ReceiptLine, ReceiptsFile, SkippedLine, StatementOfAccount } from './receipts-file.ts';
import { closingRemark, notAMovement, type Table, type TableRow, tableNotes, textOf, totalOrRemark } from './table.ts';
import { oneLine } from './text-forms.ts';

/**
 * Reads a table of bank lines or a cash book by a map. Rows that are no movements are skipped and counted: totals,
 * balances, closing remarks, and rows with neither a date nor an amount (a heading, a remark). Any other row without a
 * date or an amount is a fault. A column of running balances proves the lines.
 *
 * @throws FileFault naming row and column
 */
export function readReceiptsTable(table: Table, map: ColumnMap<string>, format: Format): ReceiptsFile {
  const mapped = eachField(RECEIPT_FIELDS, columnsByField(table, map));
  const columns = { ...mapped, balance: mapped.balance ?? balanceColumn(table.headers, map) };
  const moneyColumns = [columns.amount, columns.debit, columns.credit].filter((money) => money !== null);
  const { rows, otherRows, skipped } = sortRows(table, columns.date, moneyColumns);
  if (rows.length === 0) throw new FileFault(recordsError({ id: 'no-receipts' }));
  const readDate = dateColumns(rows, [columns.date], map);
  const readAmount = amountColumns([...rows, ...otherRows], [...moneyColumns, columns.balance], map);
  const movementOf = movementReader(rows, columns, map, readAmount);
  const balances = new Map<number, string>();
  for (const row of columns.balance === null ? [] : [...rows, ...otherRows]) {
    const value = valueAt(row, columns.balance);
    if (value.text !== '') balances.set(row.line, exactAmount(readAmount(value).amount, value));
  }
  const lines = rows.map((row): ReceiptLine => {
    const date = readDate(requireValue(row, columns.date, 'date'));
    const { amount, currency, value } = movementOf(row);
    const account = textValue(row, columns.account);
    const stated = statedCurrency(row, columns.currency, map);
    const counterparty = textValue(row, columns.counterparty);
    return {
      line: row.line,
      date,
      valueDate: null,
      amount: exactAmount(amount, value),
      currency: currencyOf(stated, currency, value, columns.currency),
      text: oneLine(textValue(row, columns.text) ?? ''),
      counterparty: counterparty === null ? null : oneLine(counterparty),
      counterpartyAccount: null,
      account,
      id: textValue(row, columns.id),
      reference: textValue(row, columns.invoice),
      ...(balances.has(row.line) ? { balance: balances.get(row.line)! } : {}),
      raw: row.cells.map(textOf).join('\t').slice(0, 4_000),
    };
  });
  const balanceLines = otherRows.map(({ line }) => line).filter((line) => balances.has(line));
  return { format, statements: statementsOf(lines, balances, balanceLines), skipped, notes: tableNotes(table) };
}

/** The column of running balances, found by its header, if the map names none. */
function balanceColumn(headers: readonly string[], map: ColumnMap<string>): FileColumn | null {
  const { balance } = guessMap('receipts', headers).columns;
  return balance === undefined || Object.values(map.columns).includes(balance) ? null : findColumn(headers, balance);
}

/**
 * Sorts a table's rows into movements and those that are skipped. `otherRows` are the skipped rows that may state a
 * balance: totals, balances, and rows with neither a date nor an amount.
 */
function sortRows(table: Table, date: FileColumn | null, moneyColumns: readonly FileColumn[]) {
  const rows: TableRow[] = [];
  const otherRows: TableRow[] = [];
  const skipped: SkippedLine[] = [...table.skipped];
  const firstClosingRemark = closingRemarksFrom(table.rows, date);
  for (const [index, row] of table.rows.entries()) {
    if (row.cells.every((cell, i) => textOf(cell).trim() === table.headers[i])) {
      skipped.push({ line: row.line, why: 'not a movement: the header again' });
      continue;
    }
    if (index >= firstClosingRemark) {
      skipped.push(notAMovement(row.line, closingRemark(row.cells.map(textOf))!));
      continue;
    }
    const cellIn = (column: FileColumn | null) => (column === null ? '' : textOf(row.cells[column.index]).trim());
    const totalWords = totalOrRemark(row.cells.map(textOf));
    const hasFigure = moneyColumns.some((column) => cellIn(column) !== '');
    const hasDate = cellIn(date) !== '';
    // A movement may be called `Total`: its row has a day and an amount. Such words in the column of dates are no day.
    const isTotal = totalWords !== null && (!hasFigure || !hasDate || totalWords === cellIn(date));
    if (isTotal || (!hasFigure && !hasDate)) {
      otherRows.push(row);
      const blank = { line: row.line, why: 'neither a date nor an amount' };
      skipped.push(totalWords === null ? blank : notAMovement(row.line, totalWords));
    } else rows.push(row);
  }
  return { rows, otherRows, skipped: skipped.sort((a, b) => a.line - b.line) };
}

/**
 * The index from which on all rows are closing remarks in the column of dates; the number of rows if the last is none.
 * A text that begins with a digit may be a day.
 */
function closingRemarksFrom(rows: readonly TableRow[], date: FileColumn | null): number {
  const isClosingRemark = ({ cells }: TableRow): boolean => {
    const remark = closingRemark(cells.map(textOf));
    return remark !== null && date !== null && textOf(cells[date.index]).trim() !== '' && !/^\d/.test(remark);
  };
  return rows.findLastIndex((row) => !isClosingRemark(row)) + 1;
}

type ReadAmount = ReturnType<typeof amountColumns>;
type Columns = Record<'amount' | 'debit' | 'credit' | 'sign', FileColumn | null>;

/** Makes a function that reads a row's signed amount: from debit and credit, or from one column and a sign, if any. */
function movementReader(rows: readonly TableRow[], columns: Columns, map: ColumnMap<string>, read: ReadAmount) {
  if (columns.debit !== null && columns.credit !== null) {
    const hasNegativeDebits = areAllNegative(rows, columns.debit, read);
    return (row: TableRow) => readDebitOrCredit(row, columns, hasNegativeDebits, read);
  }
  return (row: TableRow) => {
    const value = requireValue(row, columns.amount, 'amount');
    const { amount, currency } = read(value);
    if (columns.sign === null) return { amount, currency, value };
    const sign = requireValue(row, columns.sign, 'sign');
    if (amount.startsWith('-')) {
      throw new FileFault(recordsError({ id: 'minus-beside-sign', amount: value.text, sign: sign.text }), value);
    }
    const isCredit = map.credit_words?.some((word) => word.trim().toLowerCase() === sign.text.toLowerCase()) ?? false;
    return { amount: isCredit ? amount : `-${amount}`, currency, value };
  };
}

/** The bank writes all debits with a minus. */
function areAllNegative(rows: readonly TableRow[], column: FileColumn, read: ReadAmount): boolean {
  const amounts = rows
    .map((row) => valueAt(row, column))
    .filter(({ text }) => text !== '')
    .map((value) => parseAmount(read(value).amount));
  const filled = amounts.filter((amount) => !amount.isZero());
  return filled.length > 0 && filled.every((amount) => amount.isNegative());
}

/** Reads the one amount in debit and credit: the other cell is empty or zero. A debit is negative. */
function readDebitOrCredit(row: TableRow, columns: Columns, hasNegativeDebits: boolean, read: ReadAmount) {
  const filled = [columns.debit, columns.credit]
    .map((column) => ({ value: valueAt(row, column), isDebit: column === columns.debit }))
    .filter(({ value }) => value.text !== '')
    .map((cell) => ({ ...cell, ...read(cell.value) }));
  const moved = filled.filter(({ amount }) => !parseAmount(amount).isZero());
  if (moved.length > 1) throw new FileFault(recordsError({ id: 'debit-and-credit' }), moved[0]!.value);
  const cell = moved[0] ?? filled[0];
  if (cell === undefined) throw new FileFault(recordsError({ id: 'no-debit-no-credit' }), valueAt(row, columns.debit));
  const { value, isDebit, currency } = cell;
  const amount = parseAmount(cell.amount);
  return { amount: formatAmount(isDebit && !hasNegativeDebits ? amount.negated() : amount), currency, value };
}

/**
 * One statement per account and currency, in the order in which they come.
 *
 * @param balances the account's balance after each line, by the line's number
 * @param balanceLines the numbers of lines that state a balance and are no movements; they count if the file has one
 *   account and currency
 */
export function statementsOf(
  lines: readonly ReceiptLine[],
  balances: ReadonlyMap<number, string> = new Map(),
  balanceLines: readonly number[] = [],
): StatementOfAccount[] {
  const groups = groupBy(lines, ({ account, currency }) => JSON.stringify([account, currency]));
  return [...groups.values()].map((group) => {
    const days = group.map(({ date }) => date).sort();
    const { account, currency, date } = group[0]!;
    const listed = [
      ...group.map(({ line, amount }) => ({ line, amount, balance: balances.get(line) ?? null })),
      ...(groups.size === 1 ? balanceLines : []).map((line) => ({ line, amount: '0', balance: balances.get(line)! })),
    ].sort((a, b) => a.line - b.line);
    const isNewestFirst = date > group.at(-1)!.date;
    const proof = proveByBalance(listed, isNewestFirst);
    return { account, currency, from: days[0]!, to: days.at(-1)!, ...proof, lines: group };
  });
}
