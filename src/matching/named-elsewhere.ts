import type { MatchInput, Receipt } from './model.ts';
import { namesIn } from './open-items.ts';

/**
 * The receipts whose text clearly names invoices of other currencies alone, with the numbers of these. No rule matches such a receipt;
 * it may pay them at a rate that a person knows.
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
    const { strong } = namesIn(receipt, (number) => numbers.has(number));
    const askForIt = strong.filter((number) => asking.has(`${number} ${receipt.currency}`));
    if (strong.length > 0 && askForIt.length === 0) named.set(receipt, [...strong]);
  }
  return named;
}
