import { type ExactDecimal, formatAmount } from '../src/money/decimal.ts';
import { eachField, MONEY_FIELDS, type MoneyField } from '../src/money/fields.ts';
import { Totals } from '../src/money/sum.ts';
import { formatUnits, type Units } from '../src/money/units.ts';
import type { Column, ColumnType, Row } from './model.ts';

/** Names of columns after the type that they have in most reports and lists; any other is a `text`. */
const NAMES_BY_TYPE: readonly (readonly [type: ColumnType, ...names: string[]])[] = [
  [
    'id',
    'period code courier mismatch_id order_id reference_id slowest_order section transaction id',
    'sha256 before_sha256 after_sha256',
  ],
  ['number', 'number invoice_number invoice_number_text receipt run evidence import line merchant_location'],
  ['wide', 'message cause note says text fault state with_open undone_reason undone_why reopened_reason'],
  ['count', 'orders returned outliers count invoices mismatches size rows new'],
  ['days', 'days age invoiced_median invoiced_most'],
  ['measure', 'before after expected actual'],
  ['date', 'date day expected_on delivered_on issued_on oldest_on received_on'],
  [
    'datetime',
    'at started_at finished_at issued_at delivered_at received_at seen_at paid_seen_at undone_at reopened_at',
  ],
  [
    'money',
    'amount effect effect_at_close difference differences due claimed now to_confirm debit credit',
    'base_debit base_credit opening closing open open_today received received_since settled_since restated_since',
    'matched left outstanding overdue charged order_charged agreed unpriced agreed_fee fee_an_order book_cod',
    'cod delivery_fee net own_cod own_delivery_fee own_net rows_net net_due_to_merchant paid paid_on_word',
  ],
];

const TYPES: ReadonlyMap<string, ColumnType> = new Map(
  NAMES_BY_TYPE.flatMap(([type, ...lists]) => namesIn(lists).map((name) => [name, type] as const)),
);

function namesIn(lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split(' '));
}

/**
 * Columns by their names, each of the type that its name has in most reports.
 *
 * @param lists names with spaces between them: `district*` tells rows apart (`key`), `paid:days` is of another type
 */
export function columnsOf(...lists: readonly string[]): Column[] {
  return namesIn(lists).map((column): Column => {
    const [name = '', type = TYPES.get(name) ?? 'text'] = column.replace('*', '').split(':');
    return { name, type: type as ColumnType, ...(column.endsWith('*') ? { key: true } : {}) };
  });
}

export function moneyColumns(names: readonly string[]): Column[] {
  return names.map((name) => ({ name, type: 'money' }));
}

export const MONEY_COLUMNS = moneyColumns(MONEY_FIELDS);

/** A row of the columns' cells, in the order of the columns. */
export function rowIn(columns: readonly Column[], cells: Row): Row {
  return Object.fromEntries(columns.map(({ name }) => [name, cells[name] ?? null]));
}

/** An amount as a cell, which is empty if it is not known. */
export function unitsCell(units: Units | null): string | null {
  return units === null ? null : formatUnits(units);
}

export function moneyCells(amounts: Readonly<Record<MoneyField, ExactDecimal>>): Record<MoneyField, string> {
  return eachField(MONEY_FIELDS, (field) => formatAmount(amounts[field]));
}

/** The stated net minus (COD - fee): not zero for returns, and for a net that does not follow from its invoice. */
export function netBeyondCodLessFee(amounts: Readonly<Record<MoneyField, ExactDecimal>>): ExactDecimal {
  const { cod, delivery_fee, net_due_to_merchant } = amounts;
  return net_due_to_merchant.minus(cod).plus(delivery_fee);
}

/** How many rows are added up as integers before decimal.js adds their sum. */
const PENDING_ROWS = 500;

/** The totals of a report's money columns, by currency, added up while its rows are read. */
export class ColumnTotals<F extends string> {
  readonly #names: readonly F[];
  readonly #columns: Map<F, Totals>;
  /** The sums of the rows that the totals do not have yet, by currency, in the order of the columns. */
  readonly #pending = new Map<string, Units[]>();
  #pendingRows = 0;

  constructor(...columns: F[]) {
    this.#names = columns;
    this.#columns = new Map(columns.map((column) => [column, new Totals()]));
  }

  /**
   * Adds a row's amounts; a row without a currency has none.
   *
   * @throws SumRangeError when a total is beyond the ledger's range
   */
  add(currency: string | null, amounts: Readonly<Record<F, Units | ExactDecimal>>): void {
    if (currency === null) return;
    for (const [column, totals] of this.#columns) totals.add(currency, amounts[column]);
  }

  /**
   * Adds one of very many rows, ten times faster: its amounts are integers, which are first added to each other. An
   * amount that is null adds nothing.
   *
   * @throws SumRangeError when a total is beyond the ledger's range, at the latest with the last row
   */
  addRow(currency: string | null, amounts: Readonly<Record<F, Units | null>>): void {
    if (currency === null) return;
    const sums = this.#pending.get(currency) ?? Array.from(this.#columns, () => 0n);
    this.#pending.set(currency, sums);
    this.#names.forEach((name, index) => {
      sums[index] = sums[index]! + (amounts[name] ?? 0n);
    });
    this.#pendingRows += 1;
    if (this.#pendingRows === PENDING_ROWS) this.addPending();
  }

  /**
   * Adds what {@link addRow} kept: call it after the last row, so that a sum that is too large fails there.
   *
   * @throws SumRangeError when a total is beyond the ledger's range
   */
  addPending(): void {
    for (const [currency, sums] of this.#pending) {
      for (const [index, name] of this.#names.entries()) this.#columns.get(name)!.add(currency, sums[index]!);
    }
    this.#pending.clear();
    this.#pendingRows = 0;
  }

  /** One row per currency, in alphabetical order. */
  rows(): Row[] {
    this.addPending();
    const currencies = [...this.#columns.values()][0]?.currencies() ?? [];
    return currencies.map((currency) => ({
      currency,
      ...Object.fromEntries([...this.#columns].map(([name, totals]) => [name, formatUnits(totals.unitsOf(currency))])),
    }));
  }
}
