import type { Line } from './shop-books.ts';

/** The opening balances, in units. */
const OPENING: Readonly<Record<string, bigint>> = { USD: 52_500_000n, LBP: 9_000_000_000_000n };

/** A bank account from its first line to its last: opening balance + lines = closing balance. */
export interface AccountStatement {
  readonly account: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly opening: bigint;
  readonly closing: bigint;
  /** By day, each with an id that the bank uses once. */
  readonly lines: readonly (Line & { readonly id: string })[];
}

/** The statement of one currency's account; null without lines. */
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

/** A text, escaped for XML and OFX. */
export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
