import { isInRange, units } from '../units.ts';

export type Money = ReadonlyMap<string, bigint>;

export interface Amounts {
  readonly cod: Money;
  readonly delivery_fee: Money;
}

export interface ReadHeader extends Amounts {
  readonly number: number;
  readonly status: string;
  readonly issued_at: string;
  readonly net_due_to_merchant: Money;
}

export interface ReadRow extends Amounts {
  readonly order_id: string;
  readonly reference_id: string;
  readonly workflow: string;
  readonly delivery_state: string;
  readonly payment_state: string;
}

export interface ReadDetail extends ReadHeader {
  readonly rows: readonly ReadRow[];
}

export interface ReadListRow extends ReadHeader {
  readonly order_count: number;
}

export interface ReadOrder extends ReadRow {
  readonly merchant_invoice: number | null;
  readonly stamps: readonly { delivery_state: string; timestamp: string }[];
}

class Unreadable extends Error {}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Unreadable();
  return value as Fields;
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Unreadable();
  return value;
}

function whole(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Unreadable();
  return value;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable();
  return value;
}

function money(value: unknown): Money {
  return new Map(
    list(value).map((pair) => {
      const [currency, amount] = list(pair);
      const size = units(amount);
      if (size === null) throw new Unreadable();
      return [text(currency), size] as const;
    }),
  );
}

const amounts = (from: Fields): Amounts => ({ cod: money(from.cod), delivery_fee: money(from.delivery_fee) });

const header = (from: Fields): ReadHeader => ({
  number: whole(from.number),
  status: text(from.status),
  issued_at: text(from.issued_at),
  ...amounts(from),
  net_due_to_merchant: money(from.net_due_to_merchant),
});

const row = (from: Fields): ReadRow => ({
  order_id: text(from.order_id),
  reference_id: text(from.reference_id),
  workflow: text(from.workflow),
  delivery_state: text(from.delivery_state),
  payment_state: text(from.payment_state),
  ...amounts(from),
});

/**
 * A document whose COD and fees, signs aside, come to more than the ledger holds in a currency is absurd as a whole.
 */
function requireSums(all: readonly Amounts[]): void {
  const sums = new Map<string, bigint>();
  for (const { cod, delivery_fee } of all) {
    for (const [currency, amount] of [...cod, ...delivery_fee]) {
      sums.set(currency, (sums.get(currency) ?? 0n) + (amount < 0n ? -amount : amount));
    }
  }
  if (![...sums.values()].every(isInRange)) throw new Unreadable();
}

/** Null when the text is no such document. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return null;
    throw error;
  }
}

export const readDetail = (body: string): ReadDetail | null =>
  orNull(() => {
    const from = fields(JSON.parse(body));
    const detail = { ...header(from), rows: list(from.orders).map((each) => row(fields(each))) };
    requireSums([detail]);
    requireSums(detail.rows);
    return detail;
  });

export const readListRow = (item: unknown): ReadListRow | null =>
  orNull(() => ({ ...header(fields(item)), order_count: whole(fields(item).order_count) }));

export const readOrder = (item: unknown): ReadOrder | null =>
  orNull(() => {
    const from = fields(item);
    requireSums([row(from)]);
    return {
      ...row(from),
      merchant_invoice: from.merchant_invoice === null ? null : whole(from.merchant_invoice),
      stamps: list(from.statestamps).map((each) => ({
        delivery_state: text(fields(each).delivery_state),
        timestamp: text(fields(each).timestamp),
      })),
    };
  });

export interface ReadPage {
  readonly count: number;
  readonly last: boolean;
  readonly items: readonly unknown[];
}

/** A page of a list, in any of the wrappings that the API's description shows. */
export const readPage = (body: string): ReadPage | null =>
  orNull(() => {
    const from = fields(JSON.parse(body));
    return { count: whole(from.count), last: from.next === null, items: unwrapped(from.results) };
  });

function unwrapped(results: unknown): readonly unknown[] {
  if (!Array.isArray(results)) return unwrapped(fields(results).results);
  const [first] = results;
  if (results.length === 1 && Array.isArray(first)) return first;
  if (results.length === 1 && first !== null && typeof first === 'object' && 'results' in first) {
    return unwrapped(first.results);
  }
  return results;
}
