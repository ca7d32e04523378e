/**
 * Random months of a courier that counts RETURN orders in one of the ways of the design. Shares no code with the
 * product.
 */

export const CONVENTIONS = [
  'as-stated',
  'deducted',
  'deducted+return-fees',
  'charged',
  'charged+return-fees',
  'separate',
  'separate+return-fees',
] as const;
export type Convention = (typeof CONVENTIONS)[number];

/** Money in cents. */
export interface Row {
  id: string;
  isReturn: boolean;
  currency: string;
  cod: bigint;
  fee: bigint;
  state: string;
  /** What the order's own record says; null where there is none. */
  record: { cod: bigint; fee: bigint } | null;
}

export interface Invoice {
  number: number;
  period: string;
  rows: Row[];
  /** Currency to what the header states beside what its rows make: COD, fee, net. */
  wrong: Map<string, [cod: bigint, fee: bigint, net: bigint]>;
}

/** A mismatch that must be found: `effect` null where it takes no money. */
export interface Expected {
  code: string;
  invoice: number | null;
  order: string | null;
  currency: string;
  period: string;
  effect: bigint | null;
}

export interface World {
  convention: Convention;
  invoices: Invoice[];
  /** Delivered long ago, and on no invoice. */
  forgotten: Row[];
  expected: Expected[];
}

export const MONTHS = ['2026-09', '2026-10'];
const CURRENCIES = ['USD', 'EUR', 'LBP'];

export class Dice {
  readonly roll: () => number;
  constructor(roll: () => number) {
    this.roll = roll;
  }
  int(from: number, to: number): number {
    return from + Math.floor(this.roll() * (to - from + 1));
  }
  cents(from: number, to: number): bigint {
    return BigInt(this.int(from, to));
  }
  one<T>(of: readonly T[]): T {
    return of[this.int(0, of.length - 1)]!;
  }
}

/**
 * Invoices in which all agrees; each has a return with COD and a fee in dollars, so that every convention differs on
 * it.
 */
export function cleanWorld(dice: Dice, convention: Convention, count: number, from = 1): World {
  const invoices = Array.from({ length: count }, (_, nth): Invoice => {
    const number = from + nth;
    const rows = Array.from({ length: dice.int(1, 5) }, (_, at) => orderOf(dice, `S${number}-${at}`));
    rows.push(returnOf(dice, convention, `R${number}-0`, 'USD'));
    for (let at = dice.int(0, 2); at > 0; at -= 1) {
      const more = returnOf(dice, convention, `R${number}-${at}`, dice.one(CURRENCIES));
      // A return of which nothing is paid decides nothing; more of the same sign keep the sum from being nothing.
      rows.push(dice.int(0, 3) === 0 ? { ...more, cod: 0n, fee: 0n, record: { cod: 0n, fee: 0n } } : more);
    }
    return { number, period: MONTHS[nth % 2]!, rows, wrong: new Map() };
  });
  return { convention, invoices, forgotten: [], expected: [] };
}

function orderOf(dice: Dice, id: string): Row {
  const [cod, fee] = [dice.cents(500, 20_000), dice.cents(150, 500)];
  return { id, isReturn: false, currency: dice.one(CURRENCIES), cod, fee, state: 'DELIVERED', record: { cod, fee } };
}

function returnOf(dice: Dice, convention: Convention, id: string, currency: string): Row {
  const paid = dice.cents(300, 5_000);
  const cod = convention === 'as-stated' ? -paid : paid;
  const fee = dice.cents(100, 400);
  return { id, isReturn: true, currency, cod, fee, state: 'DELIVERED', record: { cod, fee } };
}

/** Whether the fee of a return counts. */
export function countsFee(convention: Convention): boolean {
  return convention === 'as-stated' || convention.endsWith('+return-fees');
}

/** What COD and fee of an order are worth to the merchant. */
export function worth(convention: Convention, isReturn: boolean, cod: bigint, fee: bigint): bigint {
  if (!isReturn) return cod - fee;
  return (convention === 'as-stated' ? cod : -cod) - (countsFee(convention) ? fee : 0n);
}

/** The design's table: COD, fee and net of an invoice's header, by currency. */
export function headerOf({ rows, wrong }: Invoice, convention: Convention): Map<string, [bigint, bigint, bigint]> {
  const header = new Map<string, [bigint, bigint, bigint]>();
  for (const currency of new Set([...rows.map((row) => row.currency), ...wrong.keys()])) {
    const sum = (isReturn: boolean, field: 'cod' | 'fee') =>
      rows
        .filter((row) => row.currency === currency && row.isReturn === isReturn)
        .reduce((total, row) => total + row[field], 0n);
    const [s, r, f] = [sum(false, 'cod'), sum(true, 'cod'), sum(false, 'fee')];
    const g = countsFee(convention) ? sum(true, 'fee') : 0n;
    const [kind] = convention.split('+') as [string];
    const [cod, fee, apart] = {
      'as-stated': [s + r, f + g, 0n],
      deducted: [s - r, f + g, 0n],
      charged: [s, f + r + g, 0n],
      separate: [s, f + g, r],
    }[kind] as [bigint, bigint, bigint];
    const [c, d, n] = wrong.get(currency) ?? [0n, 0n, 0n];
    header.set(currency, [cod + c, fee + d, cod - fee - apart + n]);
  }
  return header;
}

/** What the month's orders come to by their records, each once, by currency. */
export function ourFigures({ convention, invoices }: World, period: string): Map<string, bigint> {
  const ours = new Map<string, bigint>();
  const seen = new Set<string>();
  for (const invoice of invoices) {
    for (const { id, isReturn, currency, state, record } of invoice.rows) {
      const isFirst = !seen.has(id);
      seen.add(id);
      if (!isFirst || invoice.period !== period || record === null) continue;
      const cod = state === 'DELIVERED' ? record.cod : 0n;
      const fee = state === 'CANCELLED' ? 0n : record.fee;
      ours.set(currency, (ours.get(currency) ?? 0n) + worth(convention, isReturn, cod, fee));
    }
  }
  return ours;
}
