import { because } from '../../words/errors/prices.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  type Column,
  currencyOf,
  dateColumns,
  findColumn,
  needed,
  textValue,
  type Value,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { Skipped } from './receipts-file.ts';
import { tableNotes } from './receipts-table.ts';
import type { Table, TableRow } from './table.ts';

/** One agreed price. What is null holds for any; amounts are exact decimal texts. */
export interface TariffRow {
  readonly line: number;
  /** The courier whose price it is, as the file names it. */
  readonly courier: string | null;
  readonly workflow: string | null;
  readonly district: string | null;
  readonly area: string | null;
  readonly merchant_location: string | null;
  /** First and last day that it holds, ISO. */
  readonly from: string | null;
  readonly to: string | null;
  readonly currency: string;
  readonly fee: string;
  readonly per_package: string | null;
}

export interface TariffFile {
  readonly format: Format;
  readonly map: string;
  readonly rows: readonly TariffRow[];
  readonly skipped: readonly Skipped[];
  readonly notes: readonly string[];
}

/** Reads a rate card: `[courier,]workflow,district,area,merchant_location,from,to,currency,fee[,per_package]`. @throws FileFault */
export function readTariff(table: Table, map: ColumnMap, format: Format): TariffFile {
  const column = (field: string): Column | null =>
    map.columns[field] === undefined ? null : findColumn(table.headers, map.columns[field]);
  const [from, to, fee, perPackage] = [column('from'), column('to'), column('fee'), column('per_package')];
  const readDate = dateColumns(table.rows, [from, to], map);
  const readAmount = amountColumns(table.rows, [fee, perPackage], map);
  const day = (row: TableRow, of: Column | null): string | null => {
    const value = valueAt(row, of);
    return value.text === '' ? null : readDate(value);
  };
  const amount = (value: Value, stated: string | null): { amount: string; currency: string } => {
    const read = readAmount(value);
    if (read.amount.startsWith('-') && !/^-[0.]+$/.test(read.amount)) {
      throw new FileFault(because({ id: 'fee-negative' }), value);
    }
    return {
      amount: exactAmount(read.amount, value),
      currency: currencyOf(stated, read.currency, value, column('currency')),
    };
  };
  const rows = table.rows.map((row): TariffRow => {
    const stated = textValue(row, column('currency')) ?? map.currency ?? null;
    const charged = amount(needed(row, fee, 'fee'), stated);
    const more = valueAt(row, perPackage);
    const [first, last] = [day(row, from), day(row, to)];
    if (first !== null && last !== null && first > last) {
      throw new FileFault(because({ id: 'ends-before-it-begins', from: first, to: last }), {
        line: row.line,
        column: to?.header,
      });
    }
    return {
      line: row.line,
      courier: textValue(row, column('courier')) ?? map.courier ?? null,
      workflow: textValue(row, column('workflow')),
      district: textValue(row, column('district')),
      area: textValue(row, column('area')),
      merchant_location: textValue(row, column('merchant_location')),
      from: first,
      to: last,
      currency: charged.currency,
      fee: charged.amount,
      per_package: more.text === '' ? null : amount(more, charged.currency).amount,
    };
  });
  if (rows.length === 0) throw new FileFault(because({ id: 'no-prices' }));
  return { format, map: map.name, rows, skipped: table.skipped, notes: tableNotes(table) };
}
