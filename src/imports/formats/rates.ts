import { parseAmount } from '../../money/decimal.ts';
import { because } from '../../words/errors/prices.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { amountColumns, columnsByField, dateColumns, requireValue } from './columns.ts';
import { readCurrency } from './currency-text.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { MappedFile } from './receipts-file.ts';
import { type Table, tableNotes } from './table.ts';

/** What one unit of `from` was worth in `to` on a day: USD, LBP, 89500. */
export interface RateInFile {
  readonly line: number;
  readonly date: string;
  readonly from: string;
  readonly to: string;
  /** Exact, a decimal text, above 0. */
  readonly rate: string;
}

export interface RatesFile extends MappedFile {
  readonly rows: readonly RateInFile[];
}

/** Reads a table of exchange rates by a map: a row is `date,from,to,rate`. @throws FileFault */
export function readRates(table: Table, map: ColumnMap<string>, format: Format): RatesFile {
  const column = columnsByField(table, map);
  const [date, from, to, rate] = [column('date'), column('from'), column('to'), column('rate')];
  const readDate = dateColumns(table.rows, [date], map);
  const readNumber = amountColumns(table.rows, [rate], map);
  const seen = new Map<string, number>();
  const rows = table.rows.map((row): RateInFile => {
    const value = requireValue(row, rate, 'rate');
    const read = readNumber(value);
    const exact = parseAmount(read.amount);
    if (read.currency !== null || !exact.isPositive() || exact.isZero()) {
      throw new FileFault(because({ id: 'no-rate', rate: value.text }), value);
    }
    const fromValue = requireValue(row, from, 'currency');
    const toValue = requireValue(row, to, 'currency');
    const pair = { from: readCurrency(fromValue.text, fromValue), to: readCurrency(toValue.text, toValue) };
    if (pair.from === pair.to) throw new FileFault(because({ id: 'rate-in-itself', currency: pair.from }), toValue);
    const day = readDate(requireValue(row, date, 'date'));
    const key = `${day} ${pair.from} ${pair.to}`;
    const before = seen.get(key);
    if (before !== undefined) {
      throw new FileFault(because({ id: 'rate-twice', from: pair.from, to: pair.to, on: day, line: before }), value);
    }
    seen.set(key, row.line);
    return { line: row.line, date: day, ...pair, rate: exact.toFixed() };
  });
  if (rows.length === 0) throw new FileFault(because({ id: 'no-rates' }));
  return { format, map: map.name, rows, skipped: table.skipped, notes: tableNotes(table) };
}
