import { Totals } from '../money/index.ts';
import { type BilledOrder, billedTwice, currenciesAtStake, netOf } from './billed-twice.ts';
import type { Check, Finding } from './check.ts';
import { counts, finding, sayList, sayOrder, sentence } from './finding.ts';
import { population } from './population.ts';

export const orderOnTwoInvoices: Check = {
  code: 'order-on-two-invoices',
  severity: 'error',
  requires: [],
  title: 'No order stands on more than one invoice, whatever their months.',
  claim: 'The order stands on more than one invoice.',
  async find(context) {
    const orders = await billedTwice(context);
    const findings = [...orders.values()].flatMap(duplicates);
    return { findings, compared: (await population(context)).rows, notComparable: [] };
  },
  /** An order whose other invoice has vanished was not seen to be on one alone. */
  async unseen(context, gone) {
    const orders = await billedTwice(context);
    const isUnseen = ({ invoices, live }: BilledOrder): boolean => invoices.length > 1 && live.length < 2;
    return new Set(
      gone
        .filter(({ order_id }) => {
          const order = orders.get(order_id!);
          return order !== undefined && isUnseen(order);
        })
        .map(({ id }) => id),
    );
  },
};

function duplicates({ order_id, live }: BilledOrder): Finding[] {
  if (live.length < 2) return [];
  // The first row on each invoice: what stands on one several times is `order-repeated`.
  const later = live.slice(1).map(([row]) => row);
  const { period, reference } = later.at(-1)!;
  const currencies = currenciesAtStake(later);
  return (currencies.length > 0 ? currencies : [null]).map((currency) =>
    finding({
      period,
      periods: [...new Set(live.map(([row]) => row.period))].sort(),
      order_id,
      reference_id: reference,
      currency,
      ...counts(1, live.length),
      ...(currency === null ? {} : { effect: netOf(later, currency), parts: partsOf(later, currency) }),
      message: sentence(
        `${sayOrder(order_id, reference)} stands on ${live.length} invoices where 1 is right, ${sayList(live.map(([{ number }]) => number))}: ask the delivery company which one holds, and to take the order off the later ones.`,
      ),
    }),
  );
}

/** The rows on the later invoices are taken off the months of those invoices. */
function partsOf(later: Parameters<typeof currenciesAtStake>[0] & readonly { period: string }[], currency: string) {
  const months = new Totals();
  for (const row of later) {
    if (currenciesAtStake([row]).includes(currency)) months.add(row.period, netOf([row], currency));
  }
  return months.currencies().map((period) => ({ period, effect: months.of(period) }));
}
