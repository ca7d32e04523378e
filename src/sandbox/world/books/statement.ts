import type { Line } from './model.ts';

/** What was on an account before its first line, in units. */
const OPENING: Readonly<Record<string, bigint>> = { USD: 52_500_000n, LBP: 9_000_000_000_000n };

/** A bank account over the time of its lines, which tally: opening and lines are closing. */
export interface AccountStatement {
  readonly account: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly opening: bigint;
  readonly closing: bigint;
  /** By day; each with a number that the bank uses once. */
  readonly lines: readonly (Line & { readonly id: string })[];
}

/** The statement of one currency's account. Null where nothing happened on it. */
export function statementOf(lines: readonly Line[], currency: string): AccountStatement | null {
  const own = lines
    .filter((line) => line.currency === currency)
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return null;
  const opening = OPENING[currency] ?? 0n;
  return {
    account: `LB62099900000001001901${currency === 'USD' ? '229114' : '229122'}`,
    currency,
    from: first.date,
    to: last.date,
    opening,
    closing: own.reduce((sum, { amount }) => sum + amount, opening),
    lines: own.map((line, index) => ({ ...line, id: `${line.date.replaceAll('-', '')}-${currency}-${index + 1}` })),
  };
}
