import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import {
  type AgreedFee,
  type FeeDifference,
  feeDifferences,
  RateCard,
  type TariffLine,
  type TariffSubject,
  type TariffUnknown,
  tariffDay,
} from '../../imports/tariff/index.ts';
import { readCouriersTariff, type TariffRow } from '../../ledger/queries/imports.ts';
import { type FeeLine, readRecordedFees } from '../../ledger/queries/orders/records.ts';
import { readBilledFees } from '../../ledger/queries/rows/of-orders.ts';
import type { Units } from '../../money/index.ts';
import type { CheckContext, NotComparable } from '../check.ts';
import { billedOrders, isCalledOff } from './billed-orders.ts';
import { ownLinks } from './own-links.ts';
import { orderWorth } from './returns/standing.ts';
import { rowPlaces } from './row-place.ts';
import { ourSource } from './sources.ts';

/** An invoiced order beside the rate card: on its first live invoice, by its own record; without an order book by the invoice and the own book. */
export interface PricedOrder {
  readonly order_id: string;
  readonly reference: string;
  readonly number: number;
  readonly period: string;
  readonly day: string;
  readonly workflow: string;
  readonly district: string | null;
  readonly fee: AgreedFee;
  /** What is charged, by currency. */
  readonly charged: ReadonlyMap<string, Units>;
  readonly differences: readonly FeeDifference[];
}

export interface PricedOrders {
  /** Those whose fee is not the agreed one, or for which the rate card has no price. */
  readonly apart: readonly PricedOrder[];
  /** The agreed fee of each order that was compared and that the rate card covers, by currency; one that is not named is agreed as nothing. */
  readonly agreed: ReadonlyMap<string, ReadonlyMap<string, Units>>;
  readonly compared: number;
  readonly notComparable: readonly NotComparable[];
}

/** Why some orders have no price to compare with. */
export type NoFeeSentence =
  | { id: 'record-without-fee' }
  | { id: 'price-needs-order-book' }
  | { id: 'own-book-lacks-order-or-has-several' }
  | { id: 'no-price-agreed' };

const WHY = {
  unstated: 'record-without-fee',
  untold: 'price-needs-order-book',
  unbooked: 'own-book-lacks-order-or-has-several',
} as const;

type Line = FeeLine & {
  /** False for an order that the own book, where that alone is ours, does not hold. */
  readonly is_booked?: boolean;
};

/** The lines of the courier's rate card, each with its file and line for messages. */
export async function tariffLines({ db }: Pick<CheckContext, 'db'>): Promise<TariffLine[]> {
  return (await readCouriersTariff(db)).map(tariffLine);
}

/** A line of the rate card, with its place for messages. */
export function tariffLine<R extends TariffRow>(row: R): R & TariffLine {
  const { source, line, of_courier: courier, from_day: from, to_day: to, merchant_location, per_package } = row;
  return {
    ...row,
    ...{ place: `${source}:${line}`, courier, from, to, merchantLocation: merchant_location, perPackage: per_package },
  };
}

/** What a price goes by, as an order's record has it. */
export type PricedBy = Pick<
  FeeLine,
  'workflow' | 'district' | 'area_id' | 'area_name' | 'merchant_location' | 'packages'
>;

/** The same as the rate card is asked. */
export function tariffSubject(order: PricedBy, day: string): TariffSubject {
  const { workflow, district, area_id, area_name, merchant_location } = order;
  const names = (...all: (string | number | null)[]) => all.flatMap((each) => (each === null ? [] : [String(each)]));
  const areas = names(area_id, area_name);
  const packages = Math.max(order.packages ?? 1, 1);
  return { workflow, district, areas, merchantLocations: names(merchant_location), day, packages };
}

/** Compares the fees of these months' invoiced orders with the rate card. What was cancelled before it was delivered has no agreed fee. */
export function pricedOrders(context: CheckContext): Promise<PricedOrders> {
  return context.facts.once('priced-orders', async () => {
    const card = new RateCard(await tariffLines(context));
    const placeOf = await rowPlaces(context);
    const isAlone = ourSource(context.sources) === 'own-book';
    const lines = isAlone ? await billedLines(context) : await readRecordedFees(context.db, context.periods);
    const rows = lines.filter((row) => placeOf({ ...row, vanished_at: null }).isOwn);
    const prices = new Map<string, AgreedFee | null>();
    const agreed = new Map<string, ReadonlyMap<string, Units>>();
    const apart: PricedOrder[] = [];
    const uncompared = { unstated: 0, untold: 0, unbooked: 0 };
    let compared = 0;
    const worthOf = await orderWorth(context);
    for (const [order_id, lines] of groupBy(rows, (row) => row.order_id)) {
      // The fee of a return that does not count is charged to nobody.
      if (worthOf(order_id)?.delivery_fee === 0) continue;
      const [first] = lines as [Line, ...Line[]];
      const day = dayOf(first, context.settings.timeZone);
      const fee = first.fee_stated === 0 ? null : priceOf(first, { day, card, prices, isAlone });
      if (fee === null || first.is_booked === false) {
        uncompared[first.is_booked === false ? 'unbooked' : isAlone ? 'untold' : 'unstated'] += 1;
        continue;
      }
      compared += 1;
      if (fee.kind === 'agreed') agreed.set(order_id, fee.fees);
      const charged = new Map(
        lines.flatMap((line) => (line.currency === null ? [] : [[line.currency, BigInt(line.fee!)] as const])),
      );
      const differences = fee.kind === 'agreed' ? feeDifferences(charged, fee.fees) : [];
      if (fee.kind === 'agreed' && differences.length === 0) continue;
      const { reference, number, period, workflow, district } = first;
      apart.push({
        ...{ order_id, reference, number, period, day, workflow, district, fee, charged, differences },
      });
    }
    const notComparable = (['unstated', 'untold', 'unbooked'] as const)
      .map((which) => ({ why: { id: WHY[which] } satisfies NoFeeSentence, count: uncompared[which] }))
      .filter(({ count }) => count > 0);
    return { apart, agreed, compared, notComparable };
  });
}

/** Many orders are of one kind and day: each kind is looked up once. */
function priceOf(
  line: Line,
  how: { day: string; card: RateCard; prices: Map<string, AgreedFee | null>; isAlone: boolean },
): AgreedFee | null {
  const { day, card, prices, isAlone } = how;
  const subject = tariffSubject(line, day);
  const key = JSON.stringify(Object.values(subject));
  const known = prices.get(key);
  if (known !== undefined) return known;
  const fee = isAlone ? card.agreedWithout(subject, unknownOf(line)) : card.agreed(subject);
  prices.set(key, fee);
  return fee;
}

/** What an invoice and the own book leave open of what prices go by. */
function unknownOf({ district }: Line): ReadonlySet<TariffUnknown> {
  return new Set(['area', 'merchantLocation', 'packages', ...(district === null ? (['district'] as const) : [])]);
}

function dayOf({ delivered_at, issued_at }: Line, zone: string): string {
  return tariffDay(delivered_at === null ? null : dayIn(delivered_at, zone), dayIn(issued_at, zone));
}

/**
 * The rows of these months' live invoices where there is no order book: by what the invoice says, and the district of the own book. What
 * the invoices call cancelled and never delivered has no agreed fee.
 */
async function billedLines(context: CheckContext): Promise<Line[]> {
  const rows = await readBilledFees(context.db, context.periods);
  const { linked } = await ownLinks(context);
  const billed = await billedOrders(context);
  const lines: Line[] = [];
  for (const row of rows) {
    if (isCalledOff(billed.get(row.order_id)!)) continue;
    const own = linked.get(row.order_id)?.own;
    lines.push({ ...row, ...NOT_BILLED, district: own?.district ?? null, is_booked: own !== undefined });
  }
  return lines;
}

/** What an order's record would say, and no invoice does. */
const NOT_BILLED = {
  fee_stated: 1,
  merchant_location: null,
  packages: null,
  area_id: null,
  area_name: null,
  delivered_at: null,
} as const;
