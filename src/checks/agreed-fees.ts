import { type RawBuilder, sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import {
  type AgreedFee,
  type FeeDifference,
  feeDifferences,
  RateCard,
  type TariffUnknown,
  tariffDay,
} from '../books/tariff/index.ts';
import { readTariff } from '../ledger/read/prices.ts';
import { isOneOf, unitsText } from '../ledger/sql.ts';
import type { Units } from '../money/index.ts';
import { billedOrders, isCalledOff } from './billed-orders.ts';
import type { CheckContext, NotComparable } from './check.ts';
import { ourSource } from './knowledge.ts';
import { ownLinks } from './own-links.ts';
import { rowPlaces } from './row-place.ts';

/** An invoiced order beside the rate card: on its first live invoice, by its own record; without an order book by the invoice and the own book. */
export interface PricedOrder {
  readonly order_id: string;
  readonly reference: string;
  readonly number: number;
  readonly period: string;
  readonly day: string;
  /** What the order is, for messages. */
  readonly what: string;
  readonly fee: AgreedFee;
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

/** Why some orders have no price to compare with, and how many. */
const WHY = {
  unstated: 'the order’s own record says nothing of a fee',
  untold: 'the agreed price goes by what only the order book knows of the order; run `remit sync --orders`',
  unbooked: 'your own book does not hold the order, or several of its reference',
} as const;

type Line = Record<'order_id' | 'reference' | 'period' | 'issued_at' | 'workflow', string> &
  Record<'number' | 'position' | 'fee_stated', number> &
  Record<'merchant_location' | 'packages' | 'area_id', number | null> &
  Record<'area_name' | 'district' | 'delivered_at' | 'currency' | 'fee', string | null> & {
    /** False for an order that the own book, where that alone is ours, does not hold. */
    readonly is_booked?: boolean;
  };

/** Compares the fees of these months' invoiced orders with the rate card. What was cancelled before it was delivered has no agreed fee. */
export function pricedOrders(context: CheckContext): Promise<PricedOrders> {
  return context.memo.once('priced-orders', async () => {
    const card = new RateCard(
      (await readTariff(context.db)).map(
        ({ source, line, from_day, to_day, merchant_location, per_package, ...rest }) => ({
          ...rest,
          place: `${source}:${line}`,
          from: from_day,
          to: to_day,
          merchantLocation: merchant_location,
          perPackage: per_package,
        }),
      ),
    );
    const placeOf = await rowPlaces(context);
    const isAlone = ourSource(context.knowledge) === 'own-book';
    const lines = isAlone ? await readBilledLines(context) : await readLines(context);
    const rows = lines.filter((row) => placeOf({ ...row, vanished_at: null }).isOwn);
    const prices = new Map<string, AgreedFee | null>();
    const agreed = new Map<string, ReadonlyMap<string, Units>>();
    const apart: PricedOrder[] = [];
    const uncompared = { unstated: 0, untold: 0, unbooked: 0 };
    let compared = 0;
    for (const [order_id, lines] of groupBy(rows, (row) => row.order_id)) {
      const [first] = lines as [Line, ...Line[]];
      const fee = first.fee_stated === 0 ? null : priceOf(first, card, prices, isAlone);
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
      const what = district === null ? workflow : `${workflow} to ${district}`;
      apart.push({ order_id, reference, number, period, day: dayOf(first), what, fee, differences });
    }
    const notComparable = (['unstated', 'untold', 'unbooked'] as const)
      .map((which) => ({ why: WHY[which], count: uncompared[which] }))
      .filter(({ count }) => count > 0);
    return { apart, agreed, compared, notComparable };
  });
}

/** Many orders are of one kind and day: each kind is looked up once. */
function priceOf(
  line: Line,
  card: RateCard,
  prices: Map<string, AgreedFee | null>,
  isAlone: boolean,
): AgreedFee | null {
  const { workflow, district, area_id, area_name, merchant_location } = line;
  const packages = Math.max(line.packages ?? 1, 1);
  const day = dayOf(line);
  const key = JSON.stringify([workflow, district, area_id, area_name, merchant_location, packages, day]);
  const known = prices.get(key);
  if (known !== undefined) return known;
  const names = (...all: (string | number | null)[]) => all.flatMap((each) => (each === null ? [] : [String(each)]));
  const areas = names(area_id, area_name);
  const subject = { workflow, district, areas, merchantLocations: names(merchant_location), day, packages };
  const fee = isAlone ? card.agreedWithout(subject, unknownOf(line)) : card.agreed(subject);
  prices.set(key, fee);
  return fee;
}

/** What an invoice and the own book leave open of what prices go by. */
function unknownOf({ district }: Line): ReadonlySet<TariffUnknown> {
  return new Set(['area', 'merchantLocation', 'packages', ...(district === null ? (['district'] as const) : [])]);
}

function dayOf({ delivered_at, issued_at }: Line): string {
  return tariffDay(delivered_at?.slice(0, 10) ?? null, issued_at.slice(0, 10));
}

/** The rows of these months' live invoices whose orders have a record, with its fee as it was first seen delivered, else as it is now. */
async function readLines({ db, periods }: CheckContext): Promise<Line[]> {
  const rowsWith = (fees: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    select o.order_id, b.reference_id as reference, i.number, o.position, i.period, i.issued_at, b.workflow, b.fee_stated,
      b.merchant_location, b.number_of_packages as packages, b.area_id, b.area_name, b.district,
      b.first_delivered_at as delivered_at, a.currency, ${unitsText('a.delivery_fee')} as fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join courier_order b on b.order_id = o.order_id
    ${fees} a on a.order_id = o.order_id
    where ${isOneOf('i.period', periods)} and i.vanished_at is null
      and not (b.delivered_seen_at is null and b.delivery_state = 'CANCELLED') and ${condition}`;
  const isAsNow = sql`not exists (select 1 from courier_order_delivered_amount d where d.order_id = o.order_id)`;
  // Two statements in one: a join with both tables at once would go through all orders of all months.
  const { rows } = await sql<Line>`
    ${rowsWith(sql`left join courier_order_amount`, isAsNow)}
    union all
    ${rowsWith(sql`join courier_order_delivered_amount`, sql`1 = 1`)}
    order by number, position, currency`.execute(db);
  return rows;
}

/**
 * The rows of these months' live invoices where there is no order book: by what the invoice says, and the district of the own book. What
 * the invoices call cancelled and never delivered has no agreed fee.
 */
async function readBilledLines(context: CheckContext): Promise<Line[]> {
  const { db, periods } = context;
  const { rows } = await sql<
    Pick<
      Line,
      'order_id' | 'reference' | 'number' | 'position' | 'period' | 'issued_at' | 'workflow' | 'currency' | 'fee'
    >
  >`
    select o.order_id, o.reference_id as reference, i.number, o.position, i.period, i.issued_at, o.workflow,
      a.currency, ${unitsText('a.delivery_fee')} as fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    left join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${isOneOf('i.period', periods)} and i.vanished_at is null
    order by i.number, o.position, a.currency`.execute(db);
  const { linked } = await ownLinks(context);
  const billed = await billedOrders(context);
  const lines: Line[] = [];
  for (const row of rows) {
    if (isCalledOff(billed.get(row.order_id)!)) continue;
    const own = linked.get(row.order_id)?.own;
    // Spreading a row costs many times as much, and there is one for every order.
    lines.push(Object.assign(row, NOT_BILLED, { district: own?.district ?? null, is_booked: own !== undefined }));
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
