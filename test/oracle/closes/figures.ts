import type { InvoiceSide, KnownInvoice } from '../history/invoices.ts';
import type { Money } from '../history/read.ts';
import { currenciesIn, of, sumOf } from '../judge/money.ts';

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

/** What the flag cleared of an invoice: its net when it was first shown as PAID, of the times that it is now. */
export function clearedBy({ details }: Pick<KnownInvoice, 'details'>): Money {
  const since = details.findLastIndex(({ document }) => document.status !== 'PAID') + 1;
  return details[since]?.document.net_due_to_merchant ?? new Map();
}

/**
 * The figures of `totals`, of a month's live invoices by their last readable details; outstanding of vanished ones too.
 * Rules 56 and 58.
 *
 * @param clearedThen what the flag cleared of an invoice by the close; undefined for one that the close did not know,
 * null for an unpaid one
 */
export function figuresOf(
  side: InvoiceSide,
  month: string,
  clearedThen: (number: number) => Money | null | undefined = () => undefined,
): MonthFigures {
  const all = [...side.invoices.values()].filter(({ period }) => period === month);
  const own = all.filter(({ live }) => live);
  const money = new Map<string, Record<Figure, bigint>>();
  let [invoices, orders] = [0, 0];
  const add = (currency: string, figure: Figure, amount: bigint) => {
    const line = money.get(currency) ?? { ...NOTHING };
    money.set(currency, { ...line, [figure]: line[figure] + amount });
  };
  for (const invoice of all) {
    const net = invoice.live ? (invoice.details.at(-1)?.document.net_due_to_merchant ?? new Map()) : new Map();
    const now = clearedBy(invoice);
    const then = clearedThen(invoice.number);
    for (const currency of currenciesIn(net, now)) {
      const cleared =
        then === undefined ? of(now, currency) : nearerToNothing(of(now, currency), of(then ?? new Map(), currency));
      add(currency, 'outstanding', of(net, currency) - cleared);
    }
  }
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
    const paid = document.status === 'PAID' && clearedThen(number) !== null ? net_due_to_merchant : new Map();
    for (const [figure, sizes] of Object.entries({ cod, delivery_fee, net_due_to_merchant, ...rows, paid })) {
      for (const currency of sizes.keys()) add(currency, figure as Figure, of(sizes, currency));
    }
  }
  return { invoices, orders, money, isUnread: own.some(({ details }) => details.length === 0) };
}

/** Of two amounts the one that clears less: what is above it came in since. */
function nearerToNothing(now: bigint, then: bigint): bigint {
  if (now >= 0n) return now < then ? now : then < 0n ? 0n : then;
  return now > then ? now : then > 0n ? 0n : then;
}
