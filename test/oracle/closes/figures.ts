import type { InvoiceSide } from '../history/invoices.ts';
import { of, sumOf } from '../judge/money.ts';

/** Money of a month that a close freezes, but for its closing balance. */
export const FIGURES = [
  'cod',
  'delivery_fee',
  'net_due_to_merchant',
  'order_cod',
  'order_delivery_fee',
  'paid',
  'outstanding',
] as const;

export type Figure = (typeof FIGURES)[number];

export interface MonthFigures {
  readonly invoices: number;
  readonly orders: number;
  /** By currency. */
  readonly money: ReadonlyMap<string, Readonly<Record<Figure, bigint>>>;
  /** An invoice of the month has no readable detail: whether it counts is left open. */
  readonly isUnread: boolean;
}

const NOTHING = Object.fromEntries(FIGURES.map((figure) => [figure, 0n])) as Record<Figure, bigint>;

export const figureOf = ({ money }: MonthFigures, currency: string, figure: Figure): bigint =>
  (money.get(currency) ?? NOTHING)[figure];

/**
 * The figures of `totals`, of a month's live invoices by their last readable details. Rules 56 and 58.
 *
 * @param wasPaid whether an invoice was paid at the close; undefined for one that the close did not know
 */
export function figuresOf(
  side: InvoiceSide,
  month: string,
  wasPaid: (number: number) => boolean | undefined = () => undefined,
): MonthFigures {
  const own = [...side.invoices.values()].filter(({ live, period }) => live && period === month);
  const money = new Map<string, Record<Figure, bigint>>();
  let [invoices, orders] = [0, 0];
  for (const { number, details } of own) {
    const document = details.at(-1)?.document;
    if (!document) continue;
    invoices += 1;
    orders += document.rows.length;
    const rows = {
      order_cod: sumOf(document.rows.map(({ cod }) => cod)),
      order_delivery_fee: sumOf(document.rows.map(({ delivery_fee }) => delivery_fee)),
    };
    const { cod, delivery_fee, net_due_to_merchant } = document;
    const isPaid = document.status === 'PAID' && (wasPaid(number) ?? true);
    const share = isPaid ? { paid: net_due_to_merchant } : { outstanding: net_due_to_merchant };
    for (const [figure, sizes] of Object.entries({ cod, delivery_fee, net_due_to_merchant, ...rows, ...share })) {
      for (const currency of sizes.keys()) {
        const line = money.get(currency) ?? { ...NOTHING };
        money.set(currency, { ...line, [figure]: line[figure as Figure] + of(sizes, currency) });
      }
    }
  }
  return { invoices, orders, money, isUnread: own.some(({ details }) => details.length === 0) };
}
