import { DELIVERY, type PriceFigure } from '../../money/fields.ts';
import { parseUnits, type Units } from '../../money/units.ts';
import { because } from '../../words/errors/prices.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { KIND_NAME } from '../maps/settlement-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  columnsByField,
  currencyOf,
  dateColumns,
  type FileColumn,
  measureAt,
  requireValue,
  textValue,
  type Value,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { MappedFile } from './receipts-file.ts';
import { type Table, type TableRow, tableNotes } from './table.ts';

/** One agreed price. Null covers every value; amounts, percent (`1.5`) and kilograms are exact decimal texts. */
export interface PriceInFile extends Readonly<Record<PriceFigure, string | null>> {
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
  /** The kind of charge that it prices. */
  readonly charge: string;
}

export interface TariffFile extends MappedFile {
  readonly rows: readonly PriceInFile[];
}

/** Reads a rate card by a map: each line is a price, with a fee, a share of the COD, or both. @throws FileFault */
export function readTariff(table: Table, map: ColumnMap<string>, format: Format): TariffFile {
  const column = columnsByField(table, map);
  const [from, to, fee, percent] = [column('from'), column('to'), column('fee'), column('percent')];
  const [perPackage, min, max] = [column('per_package'), column('min'), column('max')];
  const [codFrom, codTo] = [column('cod_from'), column('cod_to')];
  const readDate = dateColumns(table.rows, [from, to], map);
  const readAmount = amountColumns(table.rows, [fee, perPackage, min, max, codFrom, codTo], map);
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
    // A share of the COD may be all that is charged.
    const feeCell = share === null ? requireValue(row, fee, 'fee') : valueAt(row, fee);
    const charged =
      feeCell.text === ''
        ? { amount: '0.00', currency: currencyOf(stated, null, valueAt(row, percent), column('currency')) }
        : readFee(feeCell, stated);
    const amountAt = (amountColumn: FileColumn | null): string | null => {
      const value = valueAt(row, amountColumn);
      return value.text === '' ? null : readFee(value, charged.currency).amount;
    };
    const weight = { from: measureAt(row, column('weight_from'), 'kg'), to: measureAt(row, column('weight_to'), 'kg') };
    const cod = { from: amountAt(codFrom), to: amountAt(codTo) };
    const bounds = { from: amountAt(min), to: amountAt(max) };
    // A slab does not include its end, so that it is empty from 5 to 5; the bounds of a share may be equal.
    for (const slab of [cod, weight]) refuseEmpty(slab, row, (low, high) => low >= high);
    refuseEmpty(bounds, row, (low, high) => low > high);
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
      per_package: amountAt(perPackage),
      charge,
      percent: share,
      min: bounds.from,
      max: bounds.to,
      cod_from: cod.from,
      cod_to: cod.to,
      weight_from: weight.from,
      weight_to: weight.to,
    };
  });
  if (rows.length === 0) throw new FileFault(because({ id: 'no-prices' }));
  return { format, map: map.name, rows, skipped: table.skipped, notes: tableNotes(table) };
}

/** @throws FileFault for a range with both ends, if `isEmpty` says that nothing is in it */
function refuseEmpty(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  { line }: TableRow,
  isEmpty: (from: Units, to: Units) => boolean,
): void {
  if (from === null || to === null || !isEmpty(parseUnits(from), parseUnits(to))) return;
  throw new FileFault(because({ id: 'range-is-empty', from, to }), { line });
}
