import {
  amountOfUnits,
  type ExactDecimal,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  type Units,
} from '../../money/index.ts';
import { unitsText } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';
import { rowWindows, type Window, within } from './windows.ts';

/** An invoice's row in one currency. A row without any amount has one line without a currency. */
export interface RowLine extends Readonly<Record<OrderMoneyField, Units>> {
  readonly invoice_number: number;
  /** Where the row stands in its invoice, from 0: an order may stand in one more than once. */
  readonly position: number;
  readonly order_id: string;
  readonly reference_id: string;
  readonly workflow: string;
  readonly delivery_state: string;
  readonly payment_state: string;
  readonly currency: string | null;
}

/**
 * The invoice rows of a month, by invoice, position and currency, a window at a time; those of vanished invoices are left out. Their
 * money stays in units: they are too many for a decimal each.
 */
export async function* readRowPages(
  db: LedgerReader,
  period: string,
): AsyncGenerator<{ readonly window: Window; readonly lines: readonly RowLine[] }> {
  for await (const window of rowWindows(db, period)) {
    const lines = await db
      .selectFrom('invoice as i')
      .innerJoin('invoice_order as o', 'o.invoice_number', 'i.number')
      .leftJoin('invoice_order_amount as a', (join) =>
        join.onRef('a.invoice_number', '=', 'o.invoice_number').onRef('a.position', '=', 'o.position'),
      )
      .select(['o.invoice_number', 'o.position', 'o.order_id', 'o.reference_id', 'o.workflow'])
      .select(['o.delivery_state', 'o.payment_state', 'a.currency'])
      .select(ORDER_MONEY_FIELDS.map((field) => unitsText(`a.${field}`).as(field)))
      .where(within(window))
      .orderBy('i.number')
      .orderBy('o.position')
      .orderBy('a.currency')
      .execute();
    yield { window, lines: inUnits(lines, ORDER_MONEY_FIELDS) };
  }
}

/** Turns the units of lines that were just read from text into integers, in place; nothing there is nothing owed. */
function inUnits<F extends string, L extends Record<F, string | null>>(
  lines: readonly L[],
  fields: readonly F[],
): readonly (Omit<L, F> & Record<F, Units>)[] {
  for (const line of lines as readonly Record<F, string | null | Units>[]) {
    for (const field of fields) line[field] = BigInt(line[field] ?? 0);
  }
  return lines as never;
}

/** Money alone: what sums are made of. */
interface AmountLine extends Readonly<Record<OrderMoneyField, ExactDecimal>> {
  readonly currency: string;
}

/**
 * The amounts of a month's invoice rows, a page at a time: of each page one exact sum a currency. Adding up integer units costs a
 * fraction of adding up decimals, and is no less exact.
 */
export async function* readRowAmounts(db: LedgerReader, period: string): AsyncGenerator<readonly AmountLine[]> {
  for await (const window of rowWindows(db, period, AMOUNTS)) {
    const lines = await db
      .selectFrom('invoice as i')
      .innerJoin('invoice_order_amount as o', 'o.invoice_number', 'i.number')
      .select('o.currency')
      .select(ORDER_MONEY_FIELDS.map((field) => unitsText(`o.${field}`).as(field)))
      .where(within(window))
      .execute();
    yield sumsOf(lines);
  }
}

/** A page of amounts alone may be larger than one of whole rows. */
const AMOUNTS = 5_000;

/** One line a currency: the sums of a page's lines. */
function sumsOf(lines: readonly ({ currency: string } & Record<OrderMoneyField, string>)[]): AmountLine[] {
  const sums = new Map<string, PageSum[]>();
  for (const line of lines) {
    let ofCurrency = sums.get(line.currency);
    if (!ofCurrency) {
      ofCurrency = ORDER_MONEY_FIELDS.map((field) => ({ field, small: 0, large: 0n }));
      sums.set(line.currency, ofCurrency);
    }
    for (const sum of ofCurrency) {
      const units = line[sum.field];
      if (units.length <= MOST_DIGITS) sum.small += Number(units);
      else sum.large += BigInt(units);
    }
  }
  return [...sums].map(([currency, ofCurrency]) => ({
    currency,
    ...(Object.fromEntries(
      ofCurrency.map(({ field, small, large }) => [field, amountOfUnits(BigInt(small) + large)]),
    ) as Record<OrderMoneyField, ExactDecimal>),
  }));
}

/** Counts of units: those of few digits as an integer that a number holds exactly, which is quicker, and all others. */
interface PageSum {
  readonly field: OrderMoneyField;
  small: number;
  large: Units;
}

/** So many digits, once a row of a page in each currency, stay far below 2^53. */
const MOST_DIGITS = 11;
