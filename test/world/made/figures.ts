import { dayText } from './days.ts';
import { headerOf } from './invoice-figures.ts';
import type { Invoice, Order, World } from './model.ts';
import { Purse, plain } from './money.ts';
import { agreed, UNPRICED } from './prices.ts';

/** By month and currency what the courier's invoices come to, and what the shop's own side makes of the same orders. */
export function figuresOf(world: World): string[] {
  const live = world.invoices.filter(({ isVanished }) => !isVanished);
  const [courier, ours] = [new Map<string, Purse>(), new Map<string, Purse>()];
  const of = (months: Map<string, Purse>, { issued }: Invoice) => {
    const month = dayText(issued).slice(0, 7);
    if (!months.has(month)) months.set(month, new Purse());
    return months.get(month)!;
  };
  const counted = new Set<Order>();
  // In the order of their dates and numbers: each order counts on the first that lists it.
  for (const invoice of live) {
    of(courier, invoice).addAll(headerOf(invoice, true).net);
    for (const order of invoice.orders) {
      if (counted.has(order) || order.isUnknown) continue;
      counted.add(order);
      of(ours, invoice).addAll(netUnits(order, invoice));
    }
  }
  return [...courier].flatMap(([month, purse]) =>
    purse.entries().map(([currency, cents]) => {
      const own = ours.get(month)!.of(currency);
      return `${month} ${currency} courier ${plain(cents)} ours ${plain(own)}`;
    }),
  );
}

/**
 * What an order is worth to the shop: what its own book asked for, else what the record had; less the agreed fee, else
 * the record's.
 */
function netUnits(order: Order, invoice: Invoice): Purse {
  if (order.outcome === 'cancelled') return new Purse();
  const isDelivered = order.outcome === 'delivered';
  const fee =
    order.district === UNPRICED
      ? order.fee
      : agreed(order.workflow, order.district, isDelivered ? order.ended : invoice.issued);
  return (isDelivered ? codOf(order) : new Purse()).addAll(fee, -1n);
}

/** The own book says what the courier pays out as well as what it collects. */
function codOf({ own, cod }: Order): Purse {
  return (own?.cod ?? cod).copy();
}
