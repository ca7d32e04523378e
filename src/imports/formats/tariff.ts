import { DELIVERY } from '../../money/fields.ts';
import { parseUnits } from '../../money/units.ts';
import { because } from '../../words/errors/prices.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { KIND_NAME } from '../maps/settlement-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  currencyOf,
  dateColumns,
  type FileColumn,
  findColumn,
  measureAt,
  requireValue,
  textValue,
  type Value,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { SkippedLine } from './receipts-file.ts';
import { tableNotes } from './receipts-table.ts';
import type { Table, TableRow } from './table.ts';

/** One agreed price. Null covers every value; amounts are exact decimal texts. */
export interface PriceInFile {
  readonly line: number;
  /** The courier whose price it is, as the file names it. */
  readonly courier: string | null;
  readonly workflow: string | null;
  readonly district: string | null;
  readonly area: string | null;
  readonly merchant_location: string | null;
  /** The first and last day on which the price holds, ISO; null is open. */
  readonly from: string | null;
  readonly to: string | null;
  readonly currency: string;
  readonly fee: string;
  readonly per_package: string | null;
  /** The kind of charge that it prices. */
  readonly charge: string;
  /** The share of the COD in percent (`1.5`), at least `min` and at most `max`. */
  readonly percent: string | null;
  readonly min: string | null;
  readonly max: string | null;
  /** It holds for COD of at least `cod_from` and less than `cod_to`. */
  readonly cod_from: string | null;
  readonly cod_to: string | null;
  /** It holds for weights of at least `weight_from` and less than `weight_to`, in kilograms. */
  readonly weight_from: string | null;
  readonly weight_to: string | null;
}

export interface TariffFile {
  readonly format: Format;
  readonly map: string;
  readonly rows: readonly PriceInFile[];
  readonly skipped: readonly SkippedLine[];
  readonly notes: readonly string[];
}

/** Reads a rate card by a map: each line is a price, with a fee, a share of the COD, or both. @throws FileFault */
export function readTariff(table: Table, map: ColumnMap<string>, format: Format): TariffFile {
  const column = (field: string): FileColumn | null =>
    map.columns[field] === undefined ? null : findColumn(table.headers, map.columns[field]);
  const [from, to, fee, percent] = [column('from'), column('to'), column('fee'), column('percent')];
  const amounts = { per_package: column('per_package'), min: column('min'), max: column('max') };
  const slab = { cod_from: column('cod_from'), cod_to: column('cod_to') };
  const readDate = dateColumns(table.rows, [from, to], map);
  const readAmount = amountColumns(table.rows, [fee, ...Object.values(amounts), ...Object.values(slab)], map);
  const dayAt = (row: TableRow, dayColumn: FileColumn | null): string | null => {
    const value = valueAt(row, dayColumn);
    return value.text === '' ? null : readDate(value);
  };
  const readFee = (value: Value, stated: string | null): { amount: string; currency: string } => {
    const read = readAmount(value);
    if (read.amount.startsWith('-') && !/^-[0.]+$/.test(read.amount)) {
      throw new FileFault(because({ id: 'fee-negative' }), value);
    }
    return {
      amount: exactAmount(read.amount, value),
      currency: currencyOf(stated, read.currency, value, column('currency')),
    };
  };
  const rows = table.rows.map((row): PriceInFile => {
    const stated = textValue(row, column('currency')) ?? map.currency ?? null;
    const share = measureAt(row, percent, '%');
    const flat = share === null ? requireValue(row, fee, 'fee') : valueAt(row, fee);
    const charged =
      flat.text === ''
        ? { amount: '0.00', currency: currencyOf(stated, null, valueAt(row, percent), column('currency')) }
        : readFee(flat, stated);
    const amountAt = (amountColumn: FileColumn | null): string | null => {
      const value = valueAt(row, amountColumn);
      return value.text === '' ? null : readFee(value, charged.currency).amount;
    };
    const weight = { from: measureAt(row, column('weight_from'), 'kg'), to: measureAt(row, column('weight_to'), 'kg') };
    const cod = { from: amountAt(slab.cod_from), to: amountAt(slab.cod_to) };
    const bounds = { from: amountAt(amounts.min), to: amountAt(amounts.max) };
    for (const [low, high] of [
      [cod.from, cod.to],
      [weight.from, weight.to],
    ] as const) {
      if (low !== null && high !== null && parseUnits(low) >= parseUnits(high)) {
        throw new FileFault(because({ id: 'range-is-empty', from: low, to: high }), { line: row.line });
      }
    }
    if (bounds.from !== null && bounds.to !== null && parseUnits(bounds.from) > parseUnits(bounds.to)) {
      throw new FileFault(because({ id: 'range-is-empty', from: bounds.from, to: bounds.to }), { line: row.line });
    }
    const charge = textValue(row, column('charge'))?.toLowerCase() ?? DELIVERY;
    if (!KIND_NAME.test(charge)) {
      throw new FileFault(because({ id: 'no-charge-kind', charge }), valueAt(row, column('charge')));
    }
    const [first, last] = [dayAt(row, from), dayAt(row, to)];
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
      per_package: amountAt(amounts.per_package),
      charge,
      percent: share,
      ...{ min: bounds.from, max: bounds.to, cod_from: cod.from, cod_to: cod.to },
      ...{ weight_from: weight.from, weight_to: weight.to },
    };
  });
  if (rows.length === 0) throw new FileFault(because({ id: 'no-prices' }));
  return { format, map: map.name, rows, skipped: table.skipped, notes: tableNotes(table) };
}
