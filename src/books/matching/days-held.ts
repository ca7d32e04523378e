import { compareText, dayNumber } from '../day.ts';

/** Days of which the receipts are held, the first and the last included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * So many days between two statements are no gap: a bank that saw no movement, and a cash book, have no line for them, and the days of
 * a file that states none are those of its first and last line.
 */
const NO_GAP = 7;

/** The days of several statements laid together: in order, none touching another. */
export function daysHeld(statements: readonly Days[]): Days[] {
  const held: Days[] = [];
  for (const { from, to } of [...statements].sort((a, b) => compareText(a.from, b.from))) {
    const last = held.at(-1);
    if (!last || dayNumber(from) - dayNumber(last.to) > NO_GAP) held.push({ from, to });
    else if (to > last.to) held[held.length - 1] = { from: last.from, to };
  }
  return held;
}

/** Whether every day from one to another is held. */
export function holdsAll(held: readonly Days[], from: string, to: string): boolean {
  return held.some((days) => days.from <= from && days.to >= to);
}
