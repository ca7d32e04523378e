import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { parseInstant } from '../instant.ts';
import { isOneOf } from '../ledger/sql.ts';
import { amountOfUnits, ExactDecimal } from '../money/index.ts';
import type { CheckContext } from './check.ts';

/** A row's money, by currency: COD and fee. */
export type RowMoney = ReadonlyMap<string, { readonly cod: ExactDecimal; readonly delivery_fee: ExactDecimal }>;

/** A row of an order that has several, and the invoice it is on. */
export interface BilledRow {
  readonly order_id: string;
  readonly reference: string;
  readonly number: number;
  readonly position: number;
  readonly period: string;
  readonly isLive: boolean;
  readonly money: RowMoney;
}

/** An order that stands on several rows, of one invoice or of several. */
export interface BilledOrder {
  readonly order_id: string;
  /** By invoice, in the order in which they were issued: of each, its rows in the order of the document. */
  readonly invoices: readonly (readonly [BilledRow, ...BilledRow[]])[];
  /** The same without the invoices that have vanished; the first is the order's own. */
  readonly live: readonly (readonly [BilledRow, ...BilledRow[]])[];
}

type Line = Record<'order_id' | 'reference' | 'period' | 'issued_at', string> &
  Record<'number' | 'position', number> &
  Record<'vanished_at' | 'currency' | 'cod' | 'fee', string | null>;

/** The orders of these months' invoices that stand on more than one row anywhere, by id. */
export function billedTwice({
  db,
  periods,
  memo,
}: Pick<CheckContext, 'db' | 'periods' | 'memo'>): Promise<ReadonlyMap<string, BilledOrder>> {
  return memo.once('billed-twice', async () => {
    const { rows } = await sql<Line>`
      select o.order_id, o.reference_id as reference, i.number, o.position, i.period, i.issued_at, i.vanished_at,
        a.currency, cast(a.cod as text) as cod, cast(a.delivery_fee as text) as fee
      from invoice_order o
      join invoice i on i.number = o.invoice_number
      left join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
      where o.order_id in (
        select o.order_id from invoice i join invoice_order o on o.invoice_number = i.number
        where ${isOneOf('i.period', periods)} and (
          select count(*) from invoice_order other where other.order_id = o.order_id
        ) > 1
      )
      order by o.order_id, i.number, o.position, a.currency`.execute(db);
    return new Map([...groupBy(rows, ({ order_id }) => order_id)].map(([id, lines]) => [id, orderOf(id, lines)]));
  });
}

function orderOf(order_id: string, lines: readonly Line[]): BilledOrder {
  const issued = new Map(lines.map(({ number, issued_at }) => [number, parseInstant(issued_at)?.getTime() ?? 0]));
  const invoices = [...groupBy(lines, ({ number }) => number)]
    .sort(([a], [b]) => issued.get(a)! - issued.get(b)! || a - b)
    .map(([, own]) => [...groupBy(own, ({ position }) => position).values()].map(rowOf) as [BilledRow, ...BilledRow[]]);
  return { order_id, invoices, live: invoices.filter(([first]) => first.isLive) };
}

function rowOf(lines: readonly Line[]): BilledRow {
  const { order_id, reference, number, position, period, vanished_at } = lines[0]!;
  const money = new Map(
    lines.flatMap(({ currency, cod, fee }) =>
      currency === null ? [] : [[currency, { cod: amountOfUnits(cod!), delivery_fee: amountOfUnits(fee!) }] as const],
    ),
  );
  return { order_id, reference, number, position, period, isLive: vanished_at === null, money };
}

/** The currencies in which some rows have an amount that is not zero, in order. */
export function currenciesAtStake(rows: readonly Pick<BilledRow, 'money'>[]): string[] {
  const touched = rows.flatMap(({ money }) =>
    [...money].flatMap(([currency, { cod, delivery_fee }]) => (cod.isZero() && delivery_fee.isZero() ? [] : currency)),
  );
  return [...new Set(touched)].sort();
}

/** COD less fee of some rows in one currency. */
export function netOf(rows: readonly Pick<BilledRow, 'money'>[], currency: string): ExactDecimal {
  return rows.reduce((sum, { money }) => {
    const amounts = money.get(currency);
    return amounts ? sum.plus(amounts.cod).minus(amounts.delivery_fee) : sum;
  }, new ExactDecimal(0));
}
