import type { Invoice, Match, MatchOutcome, MoneyToMatch, Receipt } from '../../src/matching/model.ts';
import { parseUnits } from '../../src/money/units.ts';

/** A receipt of 9 October 2026 without a name in its text. */
export function receipt(id: string, amount: string, fields: Partial<Receipt> = {}): Receipt {
  const units = parseUnits(amount);
  return { id, date: '2026-10-09', currency: 'USD', amount: units, left: units, text: 'Transfer', ...fields };
}

/** An invoice of 5 October 2026 that nothing was paid of. */
export function invoice(number: number, net: string, fields: Partial<Invoice> = {}): Invoice {
  return { number, date: '2026-10-05', currency: 'USD', net: parseUnits(net), matched: 0n, ...fields };
}

/** The next run's input: what the matches used is taken off both sides. */
export function nextRun(input: MoneyToMatch, matches: readonly Match[]): MoneyToMatch {
  const used = (id: string, currency: string) =>
    sum(matches.flatMap((m) => (m.currency === currency ? m.receipts : [])).filter((share) => share.id === id));
  const brought = (number: number, currency: string) =>
    sum(matches.flatMap((m) => (m.currency === currency ? m.invoices : [])).filter((s) => s.number === number));
  return {
    ...input,
    receipts: input.receipts.map((r) => ({ ...r, left: r.left - used(r.id, r.currency) })),
    invoices: input.invoices.map((i) => ({ ...i, matched: i.matched + brought(i.number, i.currency) })),
    held: [...(input.held ?? []), ...matches],
  };
}

export function sum(shares: readonly { readonly amount: bigint }[]): bigint {
  return shares.reduce((total, { amount }) => total + amount, 0n);
}

/** What was matched, short enough to compare: `equal r1 → 10009`. */
export function brief({ matches }: MatchOutcome): string[] {
  return matches.map(
    ({ rule, receipts, invoices }) =>
      `${rule} ${receipts.map(({ id }) => id).join('+')} → ${invoices.map(({ number }) => number).join('+') || 'nothing'}`,
  );
}
