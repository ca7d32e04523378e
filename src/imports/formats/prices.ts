import { parseAmount } from '../../money/decimal.ts';
import { DELIVERY, eachField, type PriceFigure } from '../../money/fields.ts';
import { parseUnits, type Units } from '../../money/units.ts';
import { pricesError } from '../../words/errors/prices.ts';
import { type ColumnMap, type Format, RATE_FIELDS, TARIFF_FIELDS } from '../maps/column-map.ts';
import { KIND_NAME } from '../maps/settlement-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  columnsByField,
  currencyOf,
  dateColumns,
  dayAt,
  type FileColumn,
  measureAt,
  requireValue,
  statedCurrency,
  textValue,
  type Value,
  valueAt,
} from './columns.ts';
import { readCurrency } from './currency-text.ts';
import { FileFault } from './fault.ts';
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
  const at = eachField(TARIFF_FIELDS, columnsByField(table, map));
  const readDate = dateColumns(table.rows, [at.from, at.to], map);
  const amounts = [at.fee, at.per_package, at.min, at.max, at.cod_from, at.cod_to];
  const readAmount = amountColumns(table.rows, amounts, map);
  /** Reads an amount of any column: it must be 0 or more. */
  const readMoney = (value: Value, stated: string | null): { amount: string; currency: string } => {
    const read = readAmount(value);
    if (read.amount.startsWith('-') && !/^-[0.]+$/.test(read.amount)) {
      throw new FileFault(pricesError({ id: 'fee-negative' }), value);
    }
    const amount = exactAmount(read.amount, value);
    return { amount, currency: currencyOf(stated, read.currency, value, at.currency) };
  };
  const readPrice = (row: TableRow): PriceInFile => {
    const stated = statedCurrency(row, at.currency, map);
    const share = measureAt(row, at.percent, '%');
    // A share of the COD may be all that is charged.
    const feeCell = share === null ? requireValue(row, at.fee, 'fee') : valueAt(row, at.fee);
    const charged =
      feeCell.text === ''
        ? { amount: '0.00', currency: currencyOf(stated, null, valueAt(row, at.percent), at.currency) }
        : readMoney(feeCell, stated);
    // Every other amount of the row is in the currency of the fee.
    const amountAt = (column: FileColumn | null): string | null => {
      const value = valueAt(row, column);
      return value.text === '' ? null : readMoney(value, charged.currency).amount;
    };
    const weight = { from: measureAt(row, at.weight_from, 'kg'), to: measureAt(row, at.weight_to, 'kg') };
    const cod = { from: amountAt(at.cod_from), to: amountAt(at.cod_to) };
    // The least and the highest amount of a share of the COD.
    const bounds = { from: amountAt(at.min), to: amountAt(at.max) };
    // A slab (of COD or weight) does not include its end: from 5 to 5 it is empty. The two bounds may be equal.
    for (const slab of [cod, weight]) refuseEmpty(slab, row, (low, high) => low >= high);
    refuseEmpty(bounds, row, (low, high) => low > high);
    const charge = chargeKindAt(row, at.charge);
    const [first, last] = [dayAt(row, at.from, readDate), dayAt(row, at.to, readDate)];
    if (first !== null && last !== null && first > last) {
      const place = { line: row.line, column: at.to?.header };
      throw new FileFault(pricesError({ id: 'ends-before-it-begins', from: first, to: last }), place);
    }
    return {
      line: row.line,
      courier: textValue(row, at.courier) ?? map.courier ?? null,
      workflow: textValue(row, at.workflow),
      district: textValue(row, at.district),
      area: textValue(row, at.area),
      merchant_location: textValue(row, at.merchant_location),
      from: first,
      to: last,
      currency: charged.currency,
      fee: charged.amount,
      per_package: amountAt(at.per_package),
      charge,
      percent: share,
      min: bounds.from,
      max: bounds.to,
      cod_from: cod.from,
      cod_to: cod.to,
      weight_from: weight.from,
      weight_to: weight.to,
    };
  };
  const rows = table.rows.map(readPrice);
  if (rows.length === 0) throw new FileFault(pricesError({ id: 'no-prices' }));
  return { format, map: map.name, rows, skipped: table.skipped, notes: tableNotes(table) };
}

/** The kind of charge that a row prices: the delivery, if the row names none. @throws FileFault for another name */
function chargeKindAt(row: TableRow, column: FileColumn | null): string {
  const charge = textValue(row, column)?.toLowerCase() ?? DELIVERY;
  if (KIND_NAME.test(charge)) return charge;
  throw new FileFault(pricesError({ id: 'no-charge-kind', charge }), valueAt(row, column));
}

/** @throws FileFault for a range with both ends, if `isEmpty` says that nothing is in it */
function refuseEmpty(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  { line }: TableRow,
  isEmpty: (from: Units, to: Units) => boolean,
): void {
  if (from === null || to === null || !isEmpty(parseUnits(from), parseUnits(to))) return;
  throw new FileFault(pricesError({ id: 'range-is-empty', from, to }), { line });
}

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
  const { date, from, to, rate } = eachField(RATE_FIELDS, columnsByField(table, map));
  const readDate = dateColumns(table.rows, [date], map);
  const readNumber = amountColumns(table.rows, [rate], map);
  const seen = new Map<string, number>();
  const rows = table.rows.map((row): RateInFile => {
    const value = requireValue(row, rate, 'rate');
    const read = readNumber(value);
    const exact = parseAmount(read.amount);
    if (read.currency !== null || !exact.isPositive() || exact.isZero()) {
      throw new FileFault(pricesError({ id: 'no-rate', rate: value.text }), value);
    }
    const fromValue = requireValue(row, from, 'currency');
    const toValue = requireValue(row, to, 'currency');
    const pair = { from: readCurrency(fromValue.text, fromValue), to: readCurrency(toValue.text, toValue) };
    if (pair.from === pair.to) throw new FileFault(pricesError({ id: 'rate-in-itself', currency: pair.from }), toValue);
    const day = readDate(requireValue(row, date, 'date'));
    const key = `${day} ${pair.from} ${pair.to}`;
    const before = seen.get(key);
    if (before !== undefined) {
      throw new FileFault(pricesError({ id: 'rate-twice', ...pair, on: day, line: before }), value);
    }
    seen.set(key, row.line);
    return { line: row.line, date: day, ...pair, rate: exact.toFixed() };
  });
  if (rows.length === 0) throw new FileFault(pricesError({ id: 'no-rates' }));
  return { format, map: map.name, rows, skipped: table.skipped, notes: tableNotes(table) };
}
