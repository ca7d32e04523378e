import { monthsBetween } from '../world/clock.ts';
import { Dice } from '../world/dice.ts';

/** How receipts of a currency come into the books: files for every day, files from the third night on, or never any. */
export type BankManner = 'always' | 'late' | 'never';

export interface PlannedInvoice {
  readonly number: number;
  /** `2026-08-14`. */
  readonly issued: string;
  /** Net by currency, in ten-thousandths. */
  readonly nets: ReadonlyMap<string, bigint>;
  /** The day from which the courier calls it PAID. */
  readonly paidFrom: string | null;
  /** From this day on it states other nets. */
  readonly restated: { readonly from: string; readonly nets: ReadonlyMap<string, bigint> } | null;
  /** What the order's own record has more than the invoice's row, at first sight, in the invoice's first currency. */
  readonly short: bigint;
  /** From this day on no list holds it, until it is back. */
  readonly gone: { readonly from: string; readonly to: string | null } | null;
}

export interface PlannedReceipt {
  readonly id: string;
  readonly date: string;
  readonly currency: string;
  readonly amount: bigint;
  /** The invoice that its text names; null for an advance that names none. */
  readonly names: number | null;
  /** The night on which its file is imported, by index. */
  readonly imported: number;
}

/** A part of what is open of an invoice, written off one night, and perhaps taken back on another. */
export interface PlannedSettlement {
  readonly night: number;
  readonly number: number;
  readonly currency: string;
  readonly as: 'write-off' | 'bank-charge' | 'other';
  /** Of what is open: all, or about half. */
  readonly all: boolean;
  readonly undoneOn: number | null;
}

/** An advance that a person matches one night with an invoice; what the two differ by is agreed on. */
export interface PlannedMatch {
  readonly night: number;
  readonly receipt: string;
  readonly number: number;
}

export interface BalancePlan {
  readonly seed: number;
  /** Whether the journal is kept in USD too, at RATES. */
  readonly inBase: boolean;
  /** Days of the nights, in order; the clock is 03:00 UTC. */
  readonly nights: readonly string[];
  readonly bank: ReadonlyMap<string, BankManner>;
  readonly invoices: readonly PlannedInvoice[];
  readonly receipts: readonly PlannedReceipt[];
  readonly settlements: readonly PlannedSettlement[];
  readonly matches: readonly PlannedMatch[];
  /** Months to close, each in the morning after a night. */
  readonly closes: readonly { readonly period: string; readonly night: number }[];
}

export const FIRST_DAY = '2026-07-01';
const LAST_DAY = '2026-11-20';
const QUARTER = 2_500n;
/** USD for one unit, by currency. */
export const RATES: Readonly<Record<string, readonly [from: string, rate: string][]>> = {
  LBP: [
    [FIRST_DAY, '0.0000111'],
    ['2026-09-12', '0.0000112'],
    ['2026-10-31', '0.0000109'],
  ],
  EUR: [
    [FIRST_DAY, '1.08'],
    ['2026-08-31', '1.1'],
    ['2026-10-05', '1.075'],
  ],
};

export const dayAfter = (day: string, by: number): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
};

const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

/**
 * A random world of invoices, receipts and decisions over four months.
 *
 * @param gap how many days may be between two nights, at least and at most
 */
export function balancePlanOf(seed: number, gap: readonly [least: number, most: number] = [9, 30]): BalancePlan {
  const dice = new Dice(seed * 7_919 + 11);
  const nights: string[] = [];
  for (let day = dayAfter(FIRST_DAY, dice.int(20, 45)); day < LAST_DAY; day = dayAfter(day, dice.int(...gap)))
    nights.push(day);
  nights.push(LAST_DAY);
  const bank = new Map<string, BankManner>();
  for (const currency of dice.pick([['USD'], ['USD', 'LBP'], ['LBP', 'USD', 'EUR']])) {
    bank.set(currency, dice.pick(['always', 'always', 'late', 'never']));
  }
  const invoices = Array.from({ length: dice.int(3, 9) }, (_, index) =>
    invoiceOf(dice, 1_001 + index, [...bank.keys()]),
  );
  const short = new Dice(seed * 104_729 + 5);
  const receipts = [...receiptsOf(dice, { nights, bank, invoices })];
  return {
    seed,
    nights,
    bank,
    inBase: bank.size > 1 && short.chance(0.5),
    invoices: invoices.map((invoice) => shortened(short, invoice)),
    receipts,
    settlements: settlementsOf(dice, nights, invoices),
    closes: closesOf(dice, nights),
    matches: matchesOf(new Dice(seed * 15_485_863 + 3), nights, invoices, receipts),
  };
}

function amount(dice: Dice, currency: string): bigint {
  return currency === 'LBP' ? BigInt(dice.int(2, 300)) * 50_000n * 10_000n : BigInt(dice.int(4, 2_400)) * QUARTER;
}

function netsOf(dice: Dice, currencies: readonly string[]): Map<string, bigint> {
  const some = currencies.filter((_, index) => index === 0 || dice.chance(0.6));
  return new Map(
    some.map((currency) => [currency, dice.chance(0.08) ? -amount(dice, currency) : amount(dice, currency)]),
  );
}

function invoiceOf(dice: Dice, number: number, currencies: readonly string[]): PlannedInvoice {
  const issued = dayAfter(FIRST_DAY, dice.int(0, daysBetween(FIRST_DAY, LAST_DAY) - 2));
  const paidFrom = dice.chance(0.6) ? dayAfter(issued, dice.int(0, 40)) : null;
  const from = dayAfter(issued, dice.int(3, 50));
  const nets = netsOf(dice, currencies);
  const isRestated = dice.chance(0.25);
  const other = new Map(
    [...nets].map(([currency, net]) => [
      currency,
      dice.chance(0.7) ? net + (amount(dice, currency) / 2n / QUARTER) * QUARTER : net,
    ]),
  );
  const gone = !isRestated && dice.chance(0.15);
  return {
    number,
    issued,
    nets,
    paidFrom,
    restated: isRestated ? { from, nets: other } : null,
    short: 0n,
    gone: gone ? { from, to: dice.chance(0.4) ? dayAfter(from, dice.int(15, 40)) : null } : null,
  };
}

/** Now and then an invoice has less than the order's own record, until it is corrected. */
function shortened(dice: Dice, invoice: PlannedInvoice): PlannedInvoice {
  const { issued, nets, paidFrom, restated, gone } = invoice;
  const [first] = nets.keys();
  if (first === undefined || restated !== null || gone !== null || !dice.chance(0.35)) return invoice;
  const short = amount(dice, first);
  if (paidFrom !== null || dice.chance(0.4)) return { ...invoice, short };
  const corrected = new Map(nets).set(first, nets.get(first)! + short);
  return { ...invoice, short, restated: { from: dayAfter(issued, dice.int(3, 50)), nets: corrected } };
}

/** Late, partial, early, double, none; and advances that name no invoice, of which no sum of invoices is. */
function* receiptsOf(
  dice: Dice,
  { nights, bank, invoices }: Pick<BalancePlan, 'nights' | 'bank' | 'invoices'>,
): Generator<PlannedReceipt> {
  let made = 0;
  const receipt = (date: string, currency: string, units: bigint, names: number | null): PlannedReceipt | null => {
    const manner = bank.get(currency)!;
    const first = manner === 'late' ? 2 : 0;
    const soonest = nights.findIndex((night, index) => index >= first && night > date);
    if (soonest < 0) return null;
    // Now and then a file is brought a night or two late.
    const imported = dice.chance(0.2) ? Math.min(nights.length - 1, soonest + dice.int(1, 2)) : soonest;
    made += 1;
    return { id: `B${String(made).padStart(4, '0')}`, date, currency, amount: units, names, imported };
  };
  for (const [currency, manner] of bank) {
    if (manner === 'never') continue;
    const advances = dice.int(1, 2);
    for (let index = 0; index < advances; index += 1) {
      const odd = currency === 'LBP' ? 370_000n : 3_700n;
      const date = dayAfter(FIRST_DAY, index === 0 ? dice.int(1, 15) : dice.int(16, 120));
      const one = receipt(date, currency, amount(dice, currency) + odd, null);
      if (one) yield one;
    }
  }
  for (const { number, issued, nets } of invoices) {
    for (const [currency, net] of nets) {
      if (bank.get(currency) === 'never' || net <= 0n) continue;
      // No set of invoices comes to it by chance, for then the receipt would be ambiguous.
      const half = (net / 2n / QUARTER) * QUARTER + (currency === 'LBP' ? 110_000n : 1_100n);
      const shares = dice.pick([[], [net], [net], [net], [half], [half, net - half], [net, net], [net + QUARTER]]);
      let last: string | null = null;
      for (const share of shares) {
        const drawn = dayAfter(issued, dice.chance(0.15) ? -dice.int(1, 10) : dice.int(0, 45));
        // Two equal lines of one day would be one line to whoever reads each in a file of its own.
        const date: string = drawn === last ? dayAfter(drawn, 1) : drawn;
        last = date;
        if (share === 0n || date > LAST_DAY || date < FIRST_DAY) continue;
        const one = receipt(date, currency, share, number);
        if (one) yield one;
      }
    }
  }
}

/** Now and then somebody says which invoice an advance was for, in the night that brings it or later. */
function matchesOf(
  dice: Dice,
  nights: readonly string[],
  invoices: readonly PlannedInvoice[],
  receipts: readonly PlannedReceipt[],
): PlannedMatch[] {
  return receipts.flatMap(({ id, names, imported }) => {
    if (names !== null || !dice.chance(0.4)) return [];
    return [{ night: dice.int(imported, nights.length - 1), receipt: id, number: dice.pick(invoices).number }];
  });
}

function settlementsOf(
  dice: Dice,
  nights: readonly string[],
  invoices: readonly PlannedInvoice[],
): PlannedSettlement[] {
  return Array.from({ length: dice.int(0, 3) }, () => {
    const { number, nets } = dice.pick(invoices);
    const night = dice.int(0, nights.length - 1);
    const undoneOn = dice.chance(0.3) && night < nights.length - 1 ? dice.int(night + 1, nights.length - 1) : null;
    return {
      night,
      number,
      currency: dice.pick([...nets.keys()]),
      as: dice.pick(['write-off', 'bank-charge', 'other'] as const),
      all: dice.chance(0.5),
      undoneOn,
    };
  });
}

/** Some of the first months, in order, each in the morning after a night that came after its end. */
function closesOf(dice: Dice, nights: readonly string[]): BalancePlan['closes'] {
  const closes: { period: string; night: number }[] = [];
  if (dice.chance(0.35)) return closes;
  let last = 0;
  for (const period of monthsBetween('2026-07', '2026-10')) {
    if (dice.chance(0.3)) break;
    const possible = nights
      .map((_, index) => index)
      .filter((index) => index >= last && nights[index]!.slice(0, 7) > period);
    if (possible.length === 0) break;
    last = dice.chance(0.7) ? possible[0]! : dice.pick(possible);
    closes.push({ period, night: last });
  }
  return closes;
}
