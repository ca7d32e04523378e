import { monthAfter, monthsBetween } from '../world/clock.ts';
import { Dice } from '../world/dice.ts';
import { dayAfter, daysBetween } from './days.ts';
import type { Line } from './facts.ts';

export const COURIERS = ['swift', 'cedar', 'olive'] as const;
/** The one that sends sheets. */
export const OF_SHEETS = 'olive';
export const CURRENCIES = ['USD', 'LBP'] as const;

/** What is whole in a currency, and what tells each invoice's amount from any sum of others. */
const COINS: Readonly<Record<string, { readonly step: bigint; readonly tail: bigint }>> = {
  USD: { step: 50_000n, tail: 100n },
  LBP: { step: 50_000_000_000n, tail: 100_000_000n },
};

export interface PlannedInvoice {
  readonly courier: string;
  readonly id: string;
  readonly issued: string;
  readonly nets: ReadonlyMap<string, bigint>;
  /** Orders on it. */
  readonly rows: number;
  /** What is paid on an order that came back, by currency; nothing where none did. */
  readonly returned: ReadonlyMap<string, bigint>;
  /** Whether some orders on it were collected at the warehouse. */
  readonly hasStates: boolean;
  /** The hour of its date, in UTC. */
  readonly hour: number;
  /** The day from which the courier calls it paid. */
  readonly paidFrom: string | null;
  /** From this day on it states other nets. */
  readonly restated: { readonly from: string; readonly nets: ReadonlyMap<string, bigint> } | null;
}

/** A file of a bank account. */
export interface PlannedFile {
  readonly name: string;
  readonly format: 'ofx' | 'camt' | 'cash';
  /** The bank's ids: a line's own, those of a place in the file, which another line has had, or others each time. */
  readonly ids: 'own' | 'used' | 'other';
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly Line[];
  readonly opening: bigint;
  readonly closing: bigint;
}

export type Convention = 'as-stated' | 'deducted' | 'charged' | 'separate';

export type Act =
  | { readonly kind: 'sync' }
  | { readonly kind: 'bank'; readonly file: PlannedFile }
  | { readonly kind: 'sheet'; readonly file: string; readonly payouts: readonly PlannedInvoice[] }
  | { readonly kind: 'undo'; readonly file: string }
  | { readonly kind: 'advance'; readonly how: 'rest' | 'part'; readonly pick: number }
  | { readonly kind: 'unmatch'; readonly pick: number }
  | { readonly kind: 'settle'; readonly pick: number; readonly all: boolean; readonly as: string }
  | { readonly kind: 'unsettle'; readonly pick: number }
  | { readonly kind: 'close'; readonly month: string }
  | { readonly kind: 'reopen'; readonly month: string }
  | { readonly kind: 'claim'; readonly sent: boolean }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'decide'; readonly pick: number; readonly how: 'ack' | 'resolve' }
  | { readonly kind: 'payers'; readonly courier: string }
  | { readonly kind: 'rename'; readonly courier: string; readonly to: string }
  | { readonly kind: 'swap'; readonly one: string; readonly other: string }
  | { readonly kind: 'out'; readonly courier: string }
  | { readonly kind: 'back'; readonly courier: string };

export interface Night {
  readonly day: string;
  readonly acts: readonly Act[];
}

export interface Plan {
  readonly seed: number;
  readonly months: readonly string[];
  readonly invoices: readonly PlannedInvoice[];
  readonly lags: ReadonlyMap<string, number>;
  /** How each courier counts orders that come back. */
  readonly returns: ReadonlyMap<string, Convention>;
  readonly zone: string;
  readonly nights: readonly Night[];
  readonly span: Span;
}

/** What the worlds hold: what the product cannot do yet is left out. */
export interface Span {
  readonly gaps: boolean;
  readonly renames: boolean;
  readonly removals: boolean;
  readonly parts: boolean;
  /** Payers that a courier gets later. */
  readonly payers: boolean;
  /** Orders that come back, and those that are collected at the warehouse. */
  readonly states: boolean;
  /** Whether each courier has a row for each month and currency. */
  readonly everyMonth: boolean;
  /** Ids that are used again, and the same lines under other ids. */
  readonly ids: boolean;
  /** Whether a claim asks for no more than is owed. */
  readonly claims: boolean;
  /** Whether what is printed adds up. */
  readonly papers: boolean;
  /** Whether commands take a payout's own number. */
  readonly payoutNumbers: boolean;
}

export const payerOf = (courier: string): string => `${courier.toUpperCase()} DELIVERY`;
/** Who pays for it too, as one learns later. */
export const agentOf = (courier: string): string => `${courier.toUpperCase()} CASH AGENT`;

export function seamPlanOf(seed: number, span: Span): Plan {
  const dice = new Dice(seed * 7_919 + 101);
  const first = dice.pick(['2026-06', '2026-07', '2026-08']);
  const months = monthsBetween(first, monthAfter(first, dice.int(1, 3)));
  const begin = `${months[0]}-01`;
  const last = dayAfter(`${monthAfter(months.at(-1)!, 1)}-01`, dice.int(8, 24));
  const days: string[] = [];
  for (let day = dayAfter(begin, dice.int(8, 20)); day < last; day = dayAfter(day, dice.int(9, 24))) days.push(day);
  days.push(last);
  const invoices = COURIERS.flatMap((courier) => invoicesOf(new Dice(dice.seed()), { courier, begin, last, span }));
  const lines = linesOf(new Dice(dice.seed()), invoices, begin, last);
  const acts = days.map((): Act[] => [{ kind: 'sync' }]);
  const put = (night: number, act: Act) => acts[Math.min(night, days.length - 1)]!.push(act);
  for (const currency of CURRENCIES) {
    const own = lines.filter((line) => line.currency === currency);
    planFiles(new Dice(dice.seed()), { currency, lines: own, days, begin, span, put });
  }
  planSheets(new Dice(dice.seed()), { invoices, days, put });
  planDecisions(new Dice(dice.seed()), { days, months, span, put });
  const lags = new Map(COURIERS.map((courier) => [courier as string, dice.pick([3, 5, 5, 9])]));
  const conventions = ['as-stated', 'deducted', 'charged', 'separate'] as const;
  return {
    seed,
    span,
    months,
    invoices,
    lags,
    returns: new Map(COURIERS.map((one) => [one, one === OF_SHEETS ? 'as-stated' : dice.pick(conventions)])),
    zone: dice.chance(0.4) ? 'Asia/Beirut' : 'UTC',
    nights: days.map((day, index) => ({ day, acts: acts[index]! })),
  };
}

function invoicesOf(
  dice: Dice,
  { courier, begin, last, span }: { courier: string; begin: string; last: string; span: Span },
): PlannedInvoice[] {
  const isSheet = courier === OF_SHEETS;
  return Array.from({ length: dice.int(2, 7) }, (_, index) => {
    const issued = dayAfter(begin, dice.int(0, daysBetween(begin, last) - 3));
    const some = dice.pick([['USD'], ['USD'], ['USD', 'LBP'], ['USD', 'LBP'], ['LBP']]);
    const net = (currency: string) => {
      const { step, tail } = COINS[currency]!;
      const amount = BigInt(dice.int(1, 90)) * step + (1n << BigInt(index)) * tail;
      return dice.chance(0.06) ? -amount : amount;
    };
    const nets = new Map(some.map((currency) => [currency, net(currency)]));
    const moved = new Map(
      [...nets].map(([currency, due]) => [currency, due + BigInt(dice.int(-4, 9)) * COINS[currency]!.step]),
    );
    const isRestated = dice.chance(0.3);
    return {
      courier,
      id: isSheet ? `ES-${901 + index}` : String(10_001 + index),
      issued,
      nets,
      rows: dice.int(1, 3),
      returned: new Map(
        span.states && dice.chance(0.3)
          ? some.map((currency) => [currency, BigInt(dice.int(1, 3)) * COINS[currency]!.step])
          : [],
      ),
      hasStates: span.states && dice.chance(0.4),
      // By the clock of Beirut it may be the next day; in the same month, of which the lists are.
      hour: !isSheet && Number(issued.slice(8)) < 28 && dice.chance(0.3) ? 22 : 10,
      paidFrom: dice.chance(isSheet ? 0.8 : 0.6) ? dayAfter(issued, isSheet ? 0 : dice.int(0, 35)) : null,
      restated: isRestated ? { from: dayAfter(issued, dice.int(4, 45)), nets: moved } : null,
    };
  });
}

/**
 * Money that names its invoice: all, a part, in parts, twice, too much, none; money that does not; advances; and other
 * people's.
 */
function linesOf(dice: Dice, invoices: readonly PlannedInvoice[], begin: string, last: string): Line[] {
  const lines: Line[] = [];
  const add = (date: string, currency: string, amount: bigint, payer: string, names: readonly string[]) => {
    if (date < begin || date >= last || amount === 0n) return;
    const key = `B${String(lines.length + 1).padStart(4, '0')}`;
    lines.push({ key, account: `ACCOUNT-${currency}`, date, currency, amount, payer, names });
  };
  for (const { courier, id, issued, nets } of invoices) {
    for (const [currency, net] of nets) {
      if (net <= 0n) continue;
      const { step } = COINS[currency]!;
      const part = ((BigInt(dice.int(1, 9)) * net) / 10n / step) * step;
      const payer = payerOf(courier);
      const shares = dice.pick([[], [], [net], [net], [net], [part], [part, net - part], [net, net], [net + step]]);
      if (dice.chance(0.25)) {
        add(dayAfter(issued, dice.int(1, 20)), currency, net, payer, []);
        continue;
      }
      for (const share of shares) {
        const after = dice.chance(0.15) ? -dice.int(1, 10) : dice.int(0, 40);
        add(dayAfter(issued, after), currency, share, payer, [id]);
      }
    }
  }
  for (const courier of COURIERS) {
    for (const currency of CURRENCIES) {
      if (!dice.chance(0.6)) continue;
      const amount = BigInt(dice.int(5, 80)) * COINS[currency]!.step;
      add(
        dayAfter(begin, dice.int(0, 75)),
        currency,
        amount,
        dice.chance(0.7) ? payerOf(courier) : agentOf(courier),
        [],
      );
    }
  }
  for (const currency of CURRENCIES) {
    const amount = BigInt(dice.int(-60, 60)) * COINS[currency]!.step;
    add(dayAfter(begin, dice.int(0, 60)), currency, amount, 'CORNER SHOP', []);
  }
  return lines.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

interface Planning {
  readonly days: readonly string[];
  readonly put: (night: number, act: Act) => void;
}

/** An account's files: one after another, overlapping, late, left out, taken back and brought again. */
function planFiles(
  dice: Dice,
  more: Planning & {
    readonly currency: string;
    readonly lines: readonly Line[];
    readonly begin: string;
    readonly span: Span;
  },
): void {
  const { currency, lines, days, begin, span, put } = more;
  const manner = dice.pick(['always', 'always', 'always', 'late', 'never']);
  if (manner === 'never') return;
  const format = dice.pick(['ofx', 'camt', 'camt', 'cash'] as const);
  const ids = span.ids ? dice.pick(['own', 'own', 'used', 'other'] as const) : 'own';
  const start = BigInt(dice.int(1, 500)) * 10_000n;
  const balanceBefore = (day: string) =>
    lines.filter(({ date }) => date < day).reduce((sum, { amount }) => sum + amount, start);
  let from = begin;
  let count = 0;
  for (const [night, day] of days.entries()) {
    if (manner === 'late' && night === 0) {
      from = day;
      continue;
    }
    const to = dayAfter(day, -1);
    // Now and then a file begins some days before the one ahead of it ended.
    const since = dice.chance(0.3) && from > begin ? dayAfter(from, -dice.int(1, 6)) : from;
    const own = lines.filter(({ date }) => date >= since && date <= to);
    const [opening, closing] = [balanceBefore(since), balanceBefore(dayAfter(to, 1))];
    from = dayAfter(to, 1);
    if (format === 'cash' && own.length === 0) continue;
    count += 1;
    const file: PlannedFile = {
      name: `${currency}-${count}`,
      format,
      ids,
      currency,
      from: since,
      to,
      lines: own,
      opening,
      closing,
    };
    const isMissing = span.gaps && dice.chance(0.15);
    if (isMissing && dice.chance(0.5)) continue;
    const brought = night + (isMissing || dice.chance(0.1) ? dice.int(1, 2) : 0);
    put(brought, { kind: 'bank', file });
    if (!dice.chance(0.12)) continue;
    put(brought + dice.int(0, 1), { kind: 'undo', file: file.name });
    if (dice.chance(0.5)) put(brought + dice.int(1, 3), { kind: 'bank', file });
  }
}

/** Sheets of what was paid out since the one before, now and then with older payouts as they are by then. */
function planSheets(
  dice: Dice,
  { invoices, days, put }: Planning & { readonly invoices: readonly PlannedInvoice[] },
): void {
  let pending = invoices.filter(({ courier }) => courier === OF_SHEETS);
  const sent: PlannedInvoice[] = [];
  let count = 0;
  for (const [night, day] of days.entries()) {
    const fresh = pending.filter(({ issued }) => issued < day);
    const again = sent.filter(({ restated }) => dice.chance(0.1) || (restated !== null && restated.from <= day));
    if (fresh.length + again.length === 0 || dice.chance(0.2)) continue;
    pending = pending.filter((one) => !fresh.includes(one));
    sent.push(...fresh.filter((one) => !sent.includes(one)));
    count += 1;
    put(night, { kind: 'sheet', file: `sheet-${count}`, payouts: [...new Set([...fresh, ...again])] });
  }
}

function planDecisions(
  dice: Dice,
  { days, months, span, put }: Planning & { readonly months: readonly string[]; readonly span: Span },
): void {
  const often = (chance: number, act: () => Act) => {
    for (const night of days.keys()) if (dice.chance(chance)) put(night, act());
  };
  often(0.35, () => ({
    kind: 'settle',
    pick: dice.seed(),
    all: dice.chance(0.5),
    as: dice.pick(['write-off', 'bank-charge', 'other']),
  }));
  often(0.12, () => ({ kind: 'unsettle', pick: dice.seed() }));
  often(0.2, () => ({ kind: 'advance', how: 'rest', pick: dice.seed() }));
  if (span.parts) often(0.25, () => ({ kind: 'advance', how: 'part', pick: dice.seed() }));
  often(0.12, () => ({ kind: 'unmatch', pick: dice.seed() }));
  often(0.3, () => ({ kind: 'claim', sent: dice.chance(0.4) }));
  often(0.15, () => ({ kind: 'decide', pick: dice.seed(), how: dice.pick(['ack', 'resolve'] as const) }));
  if (span.claims) often(0.1, () => ({ kind: 'withdraw' }));
  if (span.payers && dice.chance(0.6)) {
    put(dice.int(0, days.length - 1), { kind: 'payers', courier: dice.pick(COURIERS) });
  }
  if (span.renames && dice.chance(0.6)) {
    const courier = dice.pick(COURIERS);
    put(dice.int(0, days.length - 1), { kind: 'rename', courier, to: `${courier}-express` });
  }
  if (span.renames && dice.chance(0.4)) {
    const [one, other] = dice.pick([
      ['swift', 'cedar'],
      ['swift', 'olive'],
    ]) as [string, string];
    put(dice.int(0, days.length - 1), { kind: 'swap', one, other });
  }
  if (span.removals && dice.chance(0.5)) {
    const courier = dice.pick(COURIERS);
    const night = dice.int(0, days.length - 1);
    put(night, { kind: 'out', courier });
    if (dice.chance(0.6)) put(night + dice.int(1, 2), { kind: 'back', courier });
  }
  let at = 0;
  if (dice.chance(0.3)) return;
  for (const month of months) {
    const possible = [...days.keys()].filter((night) => night >= at && days[night]!.slice(0, 7) > month);
    if (possible.length === 0 || dice.chance(0.2)) return;
    at = dice.chance(0.7) ? possible[0]! : dice.pick(possible);
    put(at, { kind: 'close', month });
    if (!dice.chance(0.15)) continue;
    put(at, { kind: 'reopen', month });
    if (dice.chance(0.3)) return;
    put(at, { kind: 'close', month });
  }
}
