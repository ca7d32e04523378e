import { sql } from 'kysely';
import {
  amountOfUnits,
  type ExactDecimal,
  eachOrderField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
} from '../../money/index.ts';
import { unitsText } from '../sql.ts';
import { amountOrZero } from './invoices.ts';
import type { LedgerReader } from './snapshot.ts';
import { rowWindows, type Window, within } from './windows.ts';

type OrderMoney = Readonly<Record<OrderMoneyField, ExactDecimal>>;

/** An invoice's row in one currency. A row without any amount has one line without a currency. */
export interface RowLine extends OrderMoney {
  readonly period: string;
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

/** The invoice rows of some months, by month, invoice, position and currency; those of vanished invoices are left out. */
export async function* readRows(db: LedgerReader, periods: readonly string[]): AsyncGenerator<RowLine> {
  for (const period of periods) {
    for await (const { lines } of readRowPages(db, period)) yield* lines;
  }
}

/** The same of one month, a window at a time: for readers that join something to a window's rows. */
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
      .select(['i.period', 'o.invoice_number', 'o.position', 'o.order_id', 'o.reference_id', 'o.workflow'])
      .select(['o.delivery_state', 'o.payment_state', 'a.currency'])
      .select(ORDER_MONEY_FIELDS.map((field) => unitsText(`a.${field}`).as(field)))
      .where(within(window))
      .orderBy('i.number')
      .orderBy('o.position')
      .orderBy('a.currency')
      .execute();
    yield {
      window,
      lines: lines.map((line) => ({
        ...line,
        ...eachOrderField((field) => amountOrZero(line[field])),
      })),
    };
  }
}

/** Money alone: what sums are made of. */
interface AmountLine extends OrderMoney {
  readonly currency: string;
}

/** The amounts of a month's invoice rows, a page at a time. */
export async function* readRowAmounts(db: LedgerReader, period: string): AsyncGenerator<readonly AmountLine[]> {
  for await (const window of rowWindows(db, period)) {
    const lines = await db
      .selectFrom('invoice as i')
      .innerJoin('invoice_order_amount as o', 'o.invoice_number', 'i.number')
      .select('o.currency')
      .select(ORDER_MONEY_FIELDS.map((field) => unitsText(`o.${field}`).as(field)))
      .where(within(window))
      .execute();
    yield amountLines(lines);
  }
}

/**
 * What a month's invoice rows should say: for each row its order's own record where the order book holds the order, and the row
 * itself where it does not, or where the record says nothing of the fee. A page at a time.
 */
export async function* readBookAmounts(db: LedgerReader, period: string): AsyncGenerator<readonly AmountLine[]> {
  for await (const window of rowWindows(db, period)) {
    const rows = db
      .selectFrom('invoice as i')
      .innerJoin('invoice_order as o', 'o.invoice_number', 'i.number')
      .leftJoin('courier_order as b', (join) =>
        join.onRef('b.order_id', '=', 'o.order_id').on('b.vanished_at', 'is', null),
      )
      .where(within(window));
    const recordedFee = sql`case when b.fee_stated = 1 then a.delivery_fee else 0 end`;
    yield amountLines(
      await rows
        .where('b.order_id', 'is not', null)
        .innerJoin('courier_order_amount as a', 'a.order_id', 'o.order_id')
        .select('a.currency')
        .select([unitsText('a.cod').as('cod'), unitsText(recordedFee).as('delivery_fee')])
        .execute(),
    );
    const unrecordedCod = sql`case when b.order_id is null then a.cod else 0 end`;
    yield amountLines(
      await rows
        .where((eb) => eb.or([eb('b.order_id', 'is', null), eb('b.fee_stated', '=', 0)]))
        .innerJoin('invoice_order_amount as a', (join) =>
          join.onRef('a.invoice_number', '=', 'o.invoice_number').onRef('a.position', '=', 'o.position'),
        )
        .select('a.currency')
        .select([unitsText(unrecordedCod).as('cod'), unitsText('a.delivery_fee').as('delivery_fee')])
        .execute(),
    );
  }
}

function amountLines(lines: readonly { currency: string; cod: string; delivery_fee: string }[]): AmountLine[] {
  return lines.map(({ currency, cod, delivery_fee }) => ({
    currency,
    cod: amountOfUnits(cod),
    delivery_fee: amountOfUnits(delivery_fee),
  }));
}
