import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import {
  type AgreedFee,
  type FeeDifference,
  feeDifferences,
  type RateCard,
  rateCards,
  type TariffLine,
  type TariffSubject,
  type TariffUnknown,
  tariffDay,
} from '../../imports/tariff.ts';
import { readCouriersTariff, type TariffRow } from '../../ledger/queries/imports.ts';
import { type FeeLine, readRecordedFees } from '../../ledger/queries/orders/records.ts';
import { readBilledFees, readRowCharges } from '../../ledger/queries/rows/of-orders.ts';
import type { Units } from '../../money/units.ts';
import type { CheckContext, NotComparable } from '../check.ts';
import { billedOrders, isCalledOff } from './billed-orders.ts';
import { ownLinks } from './own-links.ts';
import { orderWorth } from './returns/standing.ts';
import { rowPlaces } from './row-place.ts';
import { ourSource } from './sources.ts';

/** A charge of an invoiced order beside the rate card: on its first live invoice, by its own record; without an order book by the invoice and the own book. */
export interface PricedOrder {
  readonly order_id: string;
  readonly reference: string;
  readonly number: number;
  readonly period: string;
  readonly day: string;
  readonly workflow: string;
  readonly district: string | null;
  /** The kind of charge: `delivery`, and of a settlement sheet's row each of its own. */
  readonly charge: string;
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
  /** What of each order's charges was compared, by currency. */
  readonly covered: ReadonlyMap<string, ReadonlyMap<string, Units>>;
  /** Of each kind and currency of a month, what was agreed and what was charged instead, over the orders that the rate card covers. */
  readonly kinds: readonly PricedKind[];
  readonly compared: number;
  readonly notComparable: readonly NotComparable[];
}

export interface PricedKind {
  readonly period: string;
  readonly charge: string;
  readonly currency: string;
  readonly agreed: Units;
  readonly charged: Units;
}

/** Why some orders have no price to compare with. */
export type NoFeeSentence =
  | { id: 'record-without-fee' }
  | { id: 'price-needs-order-book' }
  | { id: 'own-book-lacks-order-or-has-several' }
  | { id: 'no-price-agreed' };

/** What the fee of an invoice of an API is, and of a sheet with one column of fees. */
export const DELIVERY = 'delivery';

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
  const { source, line, of_courier: courier, from_day: from, to_day: to, merchant_location } = row;
  return { ...row, ...{ place: `${source}:${line}`, courier, from, to, merchantLocation: merchant_location } };
}

/** What a price goes by, as an order's record has it. */
export type PricedBy = Pick<
  FeeLine,
  'workflow' | 'district' | 'area_id' | 'area_name' | 'merchant_location' | 'packages'
>;

/** The same as the rate card is asked. @param weight null where nobody says it */
export function tariffSubject(
  order: PricedBy,
  day: string,
  cod: ReadonlyMap<string, Units>,
  weight: Units | null = null,
): TariffSubject {
  const { workflow, district, area_id, area_name, merchant_location } = order;
  const names = (...all: (string | number | null)[]) => all.flatMap((each) => (each === null ? [] : [String(each)]));
  const areas = names(area_id, area_name);
  const packages = Math.max(order.packages ?? 1, 1);
  return { workflow, district, areas, merchantLocations: names(merchant_location), day, packages, cod, weight };
}

/** Compares the charges of these months' invoiced orders with the rate card, each kind with its price. What was cancelled before it was delivered has no agreed fee. */
export function pricedOrders(context: CheckContext): Promise<PricedOrders> {
  return context.facts.once('priced-orders', async () => {
    const cards = rateCards(await tariffLines(context));
    const placeOf = await rowPlaces(context);
    const isAlone = ourSource(context.sources) === 'own-book';
    const lines = isAlone ? await billedLines(context) : await readRecordedFees(context.db, context.periods);
    const chargesOf = isAlone ? await chargesOfRows(context) : () => undefined;
    const rows = lines.filter((row) => placeOf({ ...row, vanished_at: null }).isOwn);
    const prices = new Map<string, AgreedFee | null>();
    const [agreed, covered] = [new SumsOf(), new SumsOf()];
    const kinds = new Map<string, PricedKind>();
    const apart: PricedOrder[] = [];
    const uncompared = { unstated: 0, untold: 0, unbooked: 0 };
    let compared = 0;
    const worthOf = await orderWorth(context);
    for (const [order_id, lines] of groupBy(rows, (row) => row.order_id)) {
      // The fee of a return that does not count is charged to nobody.
      if (worthOf(order_id)?.delivery_fee === 0) continue;
      const [first] = lines as [Line, ...Line[]];
      if (first.fee_stated === 0 || first.is_booked === false) {
        uncompared[first.is_booked === false ? 'unbooked' : isAlone ? 'untold' : 'unstated'] += 1;
        continue;
      }
      const { reference, number, period, workflow, district } = first;
      const day = dayOf(first, context.settings.timeZone);
      const cod = byCurrency(lines, (line) => line.cod);
      let isCompared = false;
      for (const [charge, charged] of chargesOf(first)?.kinds ?? [[DELIVERY, byCurrency(lines, (line) => line.fee)]]) {
        const card = cards.get(charge);
        const subject = tariffSubject(first, day, cod, chargesOf(first)?.weight);
        const fee = card ? priceOf(first, { charge, subject, card, prices, isAlone }) : NO_PRICE;
        if (fee === null) continue;
        isCompared = true;
        const differences = fee.kind === 'agreed' ? feeDifferences(charged, fee.fees) : [];
        if (fee.kind === 'agreed') {
          agreed.add(order_id, fee.fees);
          covered.add(order_id, charged);
          for (const currency of new Set([...fee.fees.keys(), ...charged.keys()])) {
            const key = `${period} ${charge} ${currency}`;
            const before = kinds.get(key) ?? { period, charge, currency, agreed: 0n, charged: 0n };
            const [price, sum] = [fee.fees.get(currency) ?? 0n, charged.get(currency) ?? 0n];
            kinds.set(key, { ...before, agreed: before.agreed + price, charged: before.charged + sum });
          }
          if (differences.length === 0) continue;
        } else if (charge !== DELIVERY && [...charged.values()].every((units) => units === 0n)) continue;
        apart.push({
          ...{ order_id, reference, number, period, day, workflow, district, charge, fee, charged, differences },
        });
      }
      if (isCompared) compared += 1;
      else uncompared.untold += 1;
    }
    const notComparable = (['unstated', 'untold', 'unbooked'] as const)
      .map((which) => ({ why: { id: WHY[which] } satisfies NoFeeSentence, count: uncompared[which] }))
      .filter(({ count }) => count > 0);
    const sums = { agreed: agreed.byOrder, covered: covered.byOrder, kinds: [...kinds.values()] };
    return { apart, ...sums, compared, notComparable };
  });
}

const NO_PRICE = { kind: 'none' } as const satisfies AgreedFee;

/** Amounts by order and currency. */
class SumsOf {
  readonly byOrder = new Map<string, Map<string, Units>>();

  add(order: string, amounts: ReadonlyMap<string, Units>): void {
    const sums = this.byOrder.get(order) ?? new Map<string, Units>();
    for (const [currency, units] of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + units);
    this.byOrder.set(order, sums);
  }
}

function byCurrency(lines: readonly Line[], of: (line: Line) => string | null): ReadonlyMap<string, Units> {
  return new Map(lines.flatMap((line) => (line.currency === null ? [] : [[line.currency, BigInt(of(line) ?? 0)]])));
}

/** What a row of a settlement sheet is charged, by kind and currency, and its weight. */
interface RowCharges {
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, Units>>;
  readonly weight: Units | null;
}

/** Gives a function that tells what a sheet says of a row; undefined for a row of an API, and for one of which the sheet has no charge. */
async function chargesOfRows({ db, periods }: CheckContext) {
  const rows = new Map<string, { kinds: Map<string, Map<string, Units>>; weight: Units | null }>();
  for (const { number, position, name, currency, amount, weight } of await readRowCharges(db, periods)) {
    const key = `${number} ${position}`;
    const row = rows.get(key) ?? { kinds: new Map(), weight: weight === null ? null : BigInt(weight) };
    rows.set(key, row);
    const sums = row.kinds.get(name) ?? new Map<string, Units>();
    row.kinds.set(name, sums.set(currency, BigInt(amount)));
  }
  return ({ number, position }: Line): RowCharges | undefined => rows.get(`${number} ${position}`);
}

/** Many orders are of one kind and day: each kind is looked up once. */
function priceOf(
  line: Line,
  how: {
    charge: string;
    subject: TariffSubject;
    card: RateCard;
    prices: Map<string, AgreedFee | null>;
    isAlone: boolean;
  },
): AgreedFee | null {
  const { charge, subject, card, prices, isAlone } = how;
  const { cod, weight, ...others } = subject;
  const amounts = card.goesByAmounts ? [...cod].map(([currency, units]) => `${currency} ${units} ${weight}`) : [];
  const key = JSON.stringify([charge, ...Object.values(others), amounts]);
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
