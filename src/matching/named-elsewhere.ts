import type { MatchInput, Receipt } from './model.ts';
import { namesIn } from './open-items.ts';

/**
 * The invoices that the text of a receipt clearly names, where none of them asks for its currency: no rule matches it, and it may pay
 * them at a rate that a person knows. By receipt.
 */
export function namedElsewhere({
  receipts,
  invoices,
}: Pick<MatchInput, 'receipts' | 'invoices'>): Map<Receipt, number[]> {
  const numbers = new Set(invoices.map(({ number }) => number));
  const asking = new Set(invoices.map(({ number, currency }) => `${number} ${currency}`));
  const named = new Map<Receipt, number[]>();
  for (const receipt of receipts) {
    if (receipt.left <= 0n) continue;
    const strong = [...namesIn(receipt, (number) => numbers.has(number)).strong];
    if (strong.length > 0 && !strong.some((number) => asking.has(`${number} ${receipt.currency}`)))
      named.set(receipt, strong);
  }
  return named;
}
