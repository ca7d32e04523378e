import { addDays, dayNumber } from '../base/day.ts';
import { compareText } from '../base/text.ts';
import { formatUnits, type Units } from '../money/units.ts';

/** Days for which receipts were imported, first and last included. */
export type Days = { readonly from: string; readonly to: string };

/** An imported statement of one account in one currency. */
export interface HeldStatement extends Days {
  readonly account: string | null;
  readonly currency: string;
  /** The file states the days itself; otherwise they are those of its first line and its last. */
  readonly statesDays: boolean;
  /** Null if the file does not state both. */
  readonly balances: { readonly opening: Units; readonly closing: Units } | null;
  /** By how much its lines miss the closing balance, if a person accepted the file all the same. */
  readonly unexplained: Units;
  /** Its lines on days on which any statement begins or ends, where two may have the same line; there may be more. */
  readonly edges: readonly { readonly receipt: number; readonly date: string; readonly amount: Units }[];
}

/** Money that moved in an account between two balances, and that no file shows. */
export interface Gap extends Pick<HeldStatement, 'account' | 'currency'> {
  /**
   * The last day before it, and the first day after it: both are covered themselves. If they are one day, the gap is
   * within that day.
   */
  readonly after: string;
  readonly before: string;
  /** The next opening balance less the last closing balance; null if the files state none. */
  readonly amount: Units | null;
  /** The money may also have moved on the days `after` and `before` themselves. */
  readonly includesBothDays: boolean;
}

/** A gap as it is printed. */
export type GapTexts = Pick<Gap, 'account' | 'currency' | 'after' | 'before'> & { readonly amount: string | null };

export function gapTexts({ account, currency, after, before, amount }: Gap): GapTexts {
  return { account, currency, after, before, amount: amount === null ? null : formatUnits(amount) };
}

/** The most days between two files of a cash book that are no gap: a cash book has no line for a day without money. */
const CASH_DAYS = 7;

/**
 * The days that the statements of one account in one currency cover, and the gaps between them. Two neighbours also
 * cover the days between them if one closes with the opening balance of the next; without balances, if no day is
 * between them; and if they are cash books, if they are at most a week apart.
 */
export function chainOfStatements(statements: readonly HeldStatement[]) {
  const waiting = [...statements].sort((a, b) => compareText(a.from, b.from) || compareText(a.to, b.to));
  const days: Days[] = [];
  // In a statement that does not add up, the gap may be anywhere from its first day to its last.
  const gaps = waiting
    .filter(({ unexplained }) => unexplained !== 0n)
    .map((statement): Gap => {
      const { from, to, unexplained } = statement;
      return { ...accountOf(statement), after: from, before: to, amount: unexplained, includesBothDays: true };
    });
  /** The statements that end on the last day that is covered so far. */
  let ends: HeldStatement[] = [];
  while (waiting.length > 0) {
    const next = waiting.splice(placeOfNext(waiting, ends), 1)[0]!;
    const covered = days.at(-1);
    if (covered) {
      // One that begins before the last day that is covered leaves nothing out.
      const missing = next.from < covered.to ? null : missingBefore(next, ends);
      if (missing === null) {
        if (next.to > covered.to) ends = [next];
        else if (next.to === covered.to) ends.push(next);
        days[days.length - 1] = { from: covered.from, to: next.to > covered.to ? next.to : covered.to };
        continue;
      }
      // A cash book has no line for a day without money: that days are left out is no sign of a missing file.
      if (![next, ...ends].every(isCashBook)) {
        // If the balances of two files meet on one day, the gap is within that day.
        const includesBothDays = covered.to === next.from;
        gaps.push({ ...accountOf(next), after: covered.to, before: next.from, ...missing, includesBothDays });
      }
    }
    days.push({ from: next.from, to: next.to });
    ends = [next];
  }
  return { days, gaps };
}

/**
 * The index of the statement that comes next, among those that begin on the same day as the first of `waiting` (if that
 * is of one day, among those of that day). It opens with the last closing balance. At the very beginning, its opening
 * balance is the closing balance of no other. If there is none, the first of them comes next.
 */
function placeOfNext(waiting: readonly HeldStatement[], ends: readonly HeldStatement[]): number {
  const { from, to } = waiting[0]!;
  const isOfOneDay = from === to;
  const candidates = waiting.filter((each) => each.from === from && (!isOfOneDay || each.to === to));
  const continuing = candidates.find((next) => ends.some((end) => missingBetween(end, next) === 0n));
  const isLedTo = ({ balances }: HeldStatement) =>
    candidates.some((each) => each.balances?.closing === balances?.opening);
  const beginning = ends.length === 0 ? candidates.find((each) => !isLedTo(each)) : undefined;
  return waiting.indexOf(continuing ?? beginning ?? candidates[0]!);
}

/**
 * The money that is missing between a statement and those before it; null if it continues them. `amount` is null if no
 * balances tell how much is missing.
 */
function missingBefore(next: HeldStatement, ends: readonly HeldStatement[]): Pick<Gap, 'amount'> | null {
  const amounts = ends.map((end) => missingBetween(end, next)).filter((amount) => amount !== null);
  if (amounts.length > 0) return amounts.includes(0n) ? null : { amount: amounts.at(-1)! };
  const mostDays = [next, ...ends].every(isCashBook) ? CASH_DAYS : 1;
  return dayNumber(next.from) - dayNumber(ends[0]!.to) <= mostDays ? null : { amount: null };
}

/**
 * The next opening balance less the closing balance before it, without lines that both statements have; null if one
 * states no balances. One closes at 100 with a line of 30, the next opens at 70 with the same line: 0.
 */
function missingBetween(end: HeldStatement, next: HeldStatement): Units | null {
  if (end.balances === null || next.balances === null) return null;
  const receiptsOfNext = new Set(next.edges.map(({ receipt }) => receipt));
  const shared = end.edges.filter(({ receipt, date }) => date >= next.from && receiptsOfNext.has(receipt));
  return shared.reduce((sum, { amount }) => sum + amount, next.balances.opening - end.balances.closing);
}

function isCashBook({ statesDays, balances }: HeldStatement): boolean {
  return !statesDays && balances === null;
}

function accountOf({ account, currency }: HeldStatement): Pick<Gap, 'account' | 'currency'> {
  return { account, currency };
}

/** The days that any account of one currency covers, in order, parted at each gap. */
export function daysHeld(days: readonly Days[], gaps: readonly Gap[]): Days[] {
  const held: Days[] = [];
  for (const { from, to } of [...days].sort((a, b) => compareText(a.from, b.from))) {
    const last = held.at(-1);
    if (!last || from > addDays(last.to, 1)) held.push({ from, to });
    else if (to > last.to) held[held.length - 1] = { from: last.from, to };
  }
  return gaps.reduce((remaining, gap) => remaining.flatMap((stretch) => withoutGap(stretch, gap)), held);
}

/** The days up to a gap's `after`, and those from its `before` on; without both days if it may be on them. */
function withoutGap(days: Days, { after, before, includesBothDays }: Gap): Days[] {
  const [last, first] = includesBothDays ? [addDays(after, -1), addDays(before, 1)] : [after, before];
  if (days.to <= last || days.from >= first) return [days];
  return [
    { from: days.from, to: last },
    { from: first, to: days.to },
  ].filter(({ from, to }) => from <= to);
}

/**
 * Whether a gap is within these days or reaches into them. Days that end on its `after` or begin on its `before` hold
 * nothing of it, unless it may be on those days too.
 */
export function touches({ after, before, includesBothDays }: Gap, { from, to }: Days): boolean {
  return includesBothDays ? from <= before && to >= after : from < before && to > after;
}
