import { addDays, dayNumber } from '../base/day.ts';
import { compareText } from '../base/text.ts';
import type { Units } from '../money/units.ts';

/** Days for which receipts were imported, first and last included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A statement of one account in one currency that is in force. */
export interface HeldStatement extends Days {
  readonly account: string | null;
  readonly currency: string;
  /** Whether the file states the days itself; else they are those of its first line and its last. */
  readonly statesDays: boolean;
  /** Null where the file does not state both. */
  readonly balances: { readonly opening: Units; readonly closing: Units } | null;
  /** By how much it does not add up, which a person took all the same. */
  readonly unexplained: Units;
  /** Its lines of the days on which a statement begins or ends: those that another holds too explain nothing twice. */
  readonly edges: readonly { readonly receipt: number; readonly date: string; readonly amount: Units }[];
}

/** Money of an account that no file shows: between the day of one balance and that of the next. */
export interface Gap {
  readonly account: string | null;
  readonly currency: string;
  readonly after: string;
  readonly before: string;
  /** The next opening less the last closing; null where the files state no balances. */
  readonly amount: Units | null;
}

/** Days between two files of a cash book that are no gap: it has no line for a day without money. */
const CASH_DAYS = 7;

/**
 * The days that the statements of one account in one currency hold, and what is missing between them. Neighbours hold the days between
 * them where the closing of one is the opening of the next; without balances where no day is between them; and, of cash books, where they
 * are at most a week apart.
 */
export function chainOf(statements: readonly HeldStatement[]): { readonly days: Days[]; readonly gaps: Gap[] } {
  const rest = [...statements].sort((a, b) => compareText(a.from, b.from) || compareText(a.to, b.to));
  const days: Days[] = [];
  const gaps = rest
    .filter(({ unexplained }) => unexplained !== 0n)
    .map((one): Gap => ({ ...whose(one), after: one.from, before: one.to, amount: one.unexplained }));
  /** Those that end on the last day so far. */
  let ends: HeldStatement[] = [];
  while (rest.length > 0) {
    const next = rest.splice(nextOf(rest, ends), 1)[0]!;
    const last = days.at(-1);
    const apart = !last || next.from < last.to ? null : apartBy(ends, next);
    if (last && apart === null) {
      if (next.to > last.to) ends = [next];
      else if (next.to === last.to) ends.push(next);
      days[days.length - 1] = { from: last.from, to: next.to > last.to ? next.to : last.to };
      continue;
    }
    if (last && apart && ![next, ...ends].every(isCashBook)) {
      gaps.push({ ...whose(next), after: last.to, before: next.from, ...apart });
    }
    days.push({ from: next.from, to: next.to });
    ends = [next];
  }
  return { days, gaps };
}

/** Which of the statements comes next: of those that begin on one day the shortest, and of these the one that goes on from the last balance. */
function nextOf(rest: readonly HeldStatement[], ends: readonly HeldStatement[]): number {
  const { from, to } = rest[0]!;
  const same = rest.filter((one) => one.from === from && (one.to === to || to !== from));
  const goesOn = same.find((one) => ends.some((end) => missing(end, one) === 0n));
  const begins = same.find(({ balances }) => !same.some((one) => one.balances?.closing === balances?.opening));
  return rest.indexOf(goesOn ?? (ends.length === 0 && begins ? begins : same[0]!));
}

/** What is missing between a statement and those before it; null where it goes on where they end. */
function apartBy(ends: readonly HeldStatement[], next: HeldStatement): Pick<Gap, 'amount'> | null {
  const amounts = ends.map((end) => missing(end, next)).filter((amount) => amount !== null);
  if (amounts.length > 0) return amounts.includes(0n) ? null : { amount: amounts.at(-1)! };
  const most = [next, ...ends].every(isCashBook) ? CASH_DAYS : 1;
  return dayNumber(next.from) - dayNumber(ends[0]!.to) <= most ? null : { amount: null };
}

/** The money between two statements; null where one of them states no balances. */
function missing(end: HeldStatement, next: HeldStatement): Units | null {
  if (end.balances === null || next.balances === null) return null;
  const own = new Set(next.edges.map(({ receipt }) => receipt));
  const shared = end.edges.filter(({ receipt, date }) => date >= next.from && own.has(receipt));
  return shared.reduce((sum, { amount }) => sum + amount, next.balances.opening - end.balances.closing);
}

function isCashBook({ statesDays, balances }: HeldStatement): boolean {
  return !statesDays && balances === null;
}

const whose = ({ account, currency }: HeldStatement) => ({ account, currency });

/** The days that several accounts of one currency hold together, without those that touch a gap of any of them; in order. */
export function daysHeld(days: readonly Days[], gaps: readonly Gap[]): Days[] {
  const held: Days[] = [];
  for (const { from, to } of [...days].sort((a, b) => compareText(a.from, b.from))) {
    const last = held.at(-1);
    if (!last || from > addDays(last.to, 1)) held.push({ from, to });
    else if (to > last.to) held[held.length - 1] = { from: last.from, to };
  }
  return gaps.reduce((left, gap) => left.flatMap((one) => without(one, gap)), held);
}

/** What is left of some days beside a gap: a payment window that reaches into it, or over it, is not held. */
function without(days: Days, { after, before }: Gap): Days[] {
  // Money is missing within a day where the balances of two files meet on it.
  const [last, first] = after < before ? [after, before] : [addDays(after, -1), addDays(before, 1)];
  if (days.to <= last || days.from >= first) return [days];
  return [
    { from: days.from, to: last },
    { from: first, to: days.to },
  ].filter(({ from, to }) => from <= to);
}

/** Whether a gap is what keeps some days from being held. */
export function touches({ after, before }: Gap, { from, to }: Days): boolean {
  return after < before ? from < before && to > after : from <= after && to >= before;
}
