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
} from '../../imports/tariff.ts';
import { readCouriersTariff, type TariffRow } from '../../ledger/queries/imports.ts';
import type { PricedBy } from '../../ledger/queries/orders/deliveries.ts';
import { type FeeLine, readRecordedFees } from '../../ledger/queries/orders/records.ts';
import { readBilledFees, readRowCharges } from '../../ledger/queries/rows/billed-rows.ts';
import { DELIVERY } from '../../money/fields.ts';
import type { Units } from '../../money/units.ts';
import type { CheckContext, NotComparable, UncomparedSentence } from '../check.ts';
import { hasOnlySheets, type Lacking } from '../requirement.ts';
import { billedOrders, isCalledOff, rowKey, rowPlaces } from './billed-orders.ts';
import { ownLinks } from './own-links.ts';
import { countsFee, orderSigns } from './returns/convention.ts';
import { ourSource, type Sources } from './sources.ts';

/**
 * A charge for an invoiced order, compared with the rate card, on the order's first live invoice. The order's record
 * states the charge; without an order book the invoice does, and the own book the district.
 */
export interface PricedOrder
  extends Pick<FeeLine, 'order_id' | 'reference' | 'number' | 'period' | 'workflow' | 'district'> {
  readonly day: string;
  /** The kind of charge: `delivery`, or on a settlement sheet also others, such as `handling`. */
  readonly charge: string;
  readonly fee: AgreedFee;
  /** What is charged, by currency. */
  readonly charged: ReadonlyMap<string, Units>;
  readonly differences: readonly FeeDifference[];
}

/** An order whose charge is compared with the rate card, in a sentence. */
export type PricedOrderWords = {
  number: number;
  order: string;
  reference: string;
  workflow: string;
  district: string | null;
  day: string;
  /** The kind of charge, if it is not the delivery fee. */
  charge?: string;
  /** The places of the rate card's lines that give the price, or that fit equally well; empty if none fits. */
  lines: string[];
};

/**
 * The parameters of a sentence about a price, and the field of its finding. `ofCharge` and `lines` are apart, because
 * the sentences of the two checks that are on record have them in another order.
 */
export function sayPriced({ order_id: order, reference, number, workflow, district, day, charge, fee }: PricedOrder) {
  const ofCharge: Pick<PricedOrderWords, 'charge'> = charge === DELIVERY ? {} : { charge };
  return {
    about: { number, order, reference, workflow, district, day },
    ofCharge,
    lines: fee.kind === 'none' ? [] : fee.lines.map(({ place }) => place),
    field: charge === DELIVERY ? 'delivery_fee' : `charge ${charge}`,
  };
}

/** What was agreed and what was charged in a month, of one kind of charge and in one currency. */
export interface PricedKind {
  readonly period: string;
  readonly charge: string;
  readonly currency: string;
  readonly agreed: Units;
  readonly charged: Units;
}

/**
 * What is lacking if the price goes by facts that neither the invoices nor the own book state. The courier's order book
 * states them; a courier that sends sheets has none.
 */
export function orderFactsLacking(sources: Sources): Lacking<UncomparedSentence> {
  if (!hasOnlySheets(sources)) return { why: { id: 'price-needs-order-book' }, commands: ['remit sync --orders'] };
  const commands = ['remit import tariff FILE', 'remit import orders FILE'];
  return { why: { id: 'price-needs-more-of-order' }, commands };
}

/** One currency of an invoiced order, with the facts that decide its price. */
type Line = FeeLine & {
  /** False if there is no order book of the courier's and the own book lacks the order. */
  readonly is_booked?: boolean;
};

/** The lines of the courier's rate card, each with its file and line for messages. */
export async function tariffLines({ db }: Pick<CheckContext, 'db'>): Promise<TariffLine[]> {
  return (await readCouriersTariff(db)).map(tariffLine);
}

/** A line of the rate card, with its place for messages. */
export function tariffLine<R extends TariffRow>(row: R): R & TariffLine {
  const { source, line, of_courier: courier, from_day: from, to_day: to, merchant_location } = row;
  return { ...row, place: `${source}:${line}`, courier, from, to, merchantLocation: merchant_location };
}

/** An order in the form in which the rate card prices it. @param weight null if it is not known */
export function tariffSubject(
  order: PricedBy & { readonly workflow: string },
  day: string,
  cod: ReadonlyMap<string, Units>,
  weight: Units | null = null,
): TariffSubject {
  const { workflow, district, area_id, area_name, merchant_location } = order;
  const textsOf = (...all: (string | number | null)[]) => all.flatMap((each) => (each === null ? [] : [String(each)]));
  const areas = textsOf(area_id, area_name);
  const packages = Math.max(order.packages ?? 1, 1);
  return { workflow, district, areas, merchantLocations: textsOf(merchant_location), day, packages, cod, weight };
}

/**
 * Compares the charges of these months' invoiced orders with the rate card, each kind with its price. Orders that were
 * cancelled before they were delivered are not among them. What is charged, and the facts that decide the price, are:
 *
 * - with the courier's order book: the fee, the district and all other facts of the order's record; no weight
 * - with the own book alone, and invoices of an API: the fee of the invoice's row, the district of the own book
 * - with the own book alone, and settlement sheets: each kind of charge and the weight of the sheet's row, and the
 *   district of the own book
 *
 * With the own book alone the other facts are not known ({@link unknownOf}).
 */
export function pricedOrders(context: CheckContext) {
  return context.facts.once('priced-orders', async () => {
    const cards = rateCards(await tariffLines(context));
    const placeOf = await rowPlaces(context);
    const isOwnBookAlone = ourSource(context.sources) === 'own-book';
    const lines = isOwnBookAlone ? await billedLines(context) : await readRecordedFees(context.db, context.periods);
    const sheetRowOf = isOwnBookAlone ? await sheetRows(context) : () => undefined;
    // An order is priced once, on its first live invoice. Only rows of live invoices were read: none has vanished.
    const countedLines = lines.filter((line) => placeOf({ ...line, vanished_at: null }).isCounted);
    const priceOf = agreedPrices(isOwnBookAlone);
    const sums = new PricedSums();
    /** The charges that are not as agreed, or for which the rate card has no price. */
    const differing: PricedOrder[] = [];
    /** Why orders were not compared, an entry for each. */
    const uncompared: UncomparedSentence['id'][] = [];
    let compared = 0;
    const signsOfOrder = await orderSigns(context);
    for (const [order_id, orderLines] of groupBy(countedLines, (line) => line.order_id)) {
      // The fee of a return that does not count is charged to nobody.
      if (!countsFee(signsOfOrder(order_id))) continue;
      const [first] = orderLines as [Line, ...Line[]];
      const why = whyUncompared(first);
      if (why !== null) {
        uncompared.push(why);
        continue;
      }
      const { reference, number, period, workflow, district } = first;
      const day = dayIn(first.delivered_at ?? first.issued_at, context.settings.timeZone);
      const { subject, charges } = chargesOf(orderLines, day, sheetRowOf(first));
      const priced = [...charges].flatMap(([charge, charged]) => {
        const card = cards.get(charge);
        // A kind of charge that the rate card does not name is a finding: it has no price.
        if (!card) return { charge, charged, fee: NO_PRICE };
        const fee = priceOf(charge, subject, card);
        // Null: the price depends on facts that are not known, so that the charge cannot be compared.
        return fee === null ? [] : { charge, charged, fee };
      });
      if (priced.length > 0) compared += 1;
      else uncompared.push('price-needs-order-book');
      const order = { order_id, reference, number, period, day, workflow, district };
      for (const { charge, charged, fee } of priced) {
        if (fee.kind === 'agreed') {
          sums.add({ order_id, period, charge }, fee.fees, charged);
          const differences = feeDifferences(charged, fee.fees);
          if (differences.length > 0) differing.push({ ...order, charge, fee, charged, differences });
        } else if (charge === DELIVERY || [...charged.values()].some((units) => units !== 0n)) {
          // Another charge than the delivery fee needs no price while it is zero.
          differing.push({ ...order, charge, fee, charged, differences: [] });
        }
      }
    }
    const { agreed, covered, kinds } = sums;
    const countOf = (why: UncomparedSentence['id']) => uncompared.filter((each) => each === why).length;
    const notComparable: NotComparable[] = [
      { why: { id: 'record-without-fee' }, count: countOf('record-without-fee') },
      { ...orderFactsLacking(context.sources), count: countOf('price-needs-order-book') },
      { why: { id: 'own-book-lacks-order-or-has-several' }, count: countOf('own-book-lacks-order-or-has-several') },
    ];
    return { differing, agreed, covered, kinds: [...kinds.values()], compared, notComparable };
  });
}

/** What is charged for an order, by kind and currency, and the facts that decide the price. */
function chargesOf(lines: readonly Line[], day: string, sheetRow: SheetRow | undefined) {
  const cod = byCurrency(lines, (line) => line.cod);
  const subject = tariffSubject(lines[0]!, day, cod, sheetRow?.weight);
  const deliveryFee = byCurrency(lines, (line) => line.fee);
  const charges = sheetRow?.charges ?? new Map([[DELIVERY, deliveryFee]]);
  return { subject, charges };
}

/** Why a fee cannot be compared with the agreed one; null if it can. */
function whyUncompared({ fee_stated, is_booked }: Line) {
  if (is_booked === false) return 'own-book-lacks-order-or-has-several';
  return fee_stated === 1 ? null : 'record-without-fee';
}

const NO_PRICE = { kind: 'none' } as const satisfies AgreedFee;

type UnitsByCurrency = Map<string, Units>;

/** Sums up what was agreed and what is charged, over the charges for which the rate card has a price. */
class PricedSums {
  /** The agreed fees of each order, by its id and currency: zero for a currency that is not in it. */
  readonly agreed = new Map<string, UnitsByCurrency>();
  /** What was charged for them, in the same way. */
  readonly covered = new Map<string, UnitsByCurrency>();
  /** Over all these orders: by month, kind of charge and currency. */
  readonly kinds = new Map<string, PricedKind>();

  add(
    { order_id, period, charge }: Pick<PricedOrder, 'order_id' | 'period' | 'charge'>,
    fees: ReadonlyMap<string, Units>,
    charged: ReadonlyMap<string, Units>,
  ): void {
    addTo(this.agreed, order_id, fees);
    addTo(this.covered, order_id, charged);
    for (const currency of new Set([...fees.keys(), ...charged.keys()])) {
      const key = `${period} ${charge} ${currency}`;
      const sum = this.kinds.get(key) ?? { period, charge, currency, agreed: 0n, charged: 0n };
      const agreed = sum.agreed + (fees.get(currency) ?? 0n);
      this.kinds.set(key, { ...sum, agreed, charged: sum.charged + (charged.get(currency) ?? 0n) });
    }
  }
}

function addTo(sums: Map<string, UnitsByCurrency>, orderId: string, amounts: ReadonlyMap<string, Units>): void {
  const ofOrder = sums.get(orderId) ?? new Map<string, Units>();
  for (const [currency, units] of amounts) ofOrder.set(currency, (ofOrder.get(currency) ?? 0n) + units);
  sums.set(orderId, ofOrder);
}

function byCurrency(lines: readonly Line[], textOf: (line: Line) => string | null): UnitsByCurrency {
  return new Map(lines.flatMap((line) => (line.currency === null ? [] : [[line.currency, BigInt(textOf(line) ?? 0)]])));
}

/** The charges of a settlement sheet's row, by kind and currency, and its weight. */
type SheetRow = { readonly charges: Map<string, UnitsByCurrency>; readonly weight: Units | null };

/** Makes the function that finds a row's charges on a sheet; undefined for an API's row, or without charges. */
async function sheetRows({ db, periods }: CheckContext): Promise<(line: Line) => SheetRow | undefined> {
  const rows = new Map<string, SheetRow>();
  for (const { name, currency, amount, weight, ...place } of await readRowCharges(db, periods, 'charge')) {
    const key = rowKey(place);
    const row = rows.get(key) ?? { charges: new Map(), weight: weight === null ? null : BigInt(weight) };
    rows.set(key, row);
    const ofCharge = row.charges.get(name) ?? new Map<string, Units>();
    row.charges.set(name, ofCharge.set(currency, BigInt(amount)));
  }
  return (line) => rows.get(rowKey(line));
}

/** Makes the function that looks up a charge's price, once for orders alike; null if it goes by facts not known. */
function agreedPrices(isOwnBookAlone: boolean) {
  const prices = new Map<string, AgreedFee | null>();
  return (charge: string, subject: TariffSubject, card: RateCard): AgreedFee | null => {
    const { cod, weight, ...others } = subject;
    const amounts = card.goesByAmounts ? [...cod].map(([currency, units]) => `${currency} ${units} ${weight}`) : [];
    const key = JSON.stringify([charge, ...Object.values(others), amounts]);
    const priced = prices.get(key);
    if (priced !== undefined) return priced;
    const fee = isOwnBookAlone ? card.agreedWithout(subject, unknownOf(subject)) : card.agreed(subject);
    prices.set(key, fee);
    return fee;
  };
}

/** The facts that may decide a price and that an invoice and the own book do not state. */
export function unknownOf({ district }: Pick<FeeLine, 'district'>): ReadonlySet<TariffUnknown> {
  return new Set(['area', 'merchantLocation', 'packages', ...(district === null ? (['district'] as const) : [])]);
}

/**
 * The rows of these months' live invoices, if there is no order book: fees as the invoice states them, the district
 * from the own book. Orders that the invoices call cancelled and never delivered are left out.
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

/** The fields of an order's record that no invoice states. An invoice does state the fee (`fee_stated`). */
const NOT_BILLED = {
  fee_stated: 1,
  merchant_location: null,
  packages: null,
  area_id: null,
  area_name: null,
  delivered_at: null,
} as const;
