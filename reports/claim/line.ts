import { type ExactDecimal, formatAmount, parseAmount, ZERO } from '../../src/money/decimal.ts';
import type { ClaimReceived, ClaimSection, ClaimWhat } from './sentences.ts';

/**
 * A point of a claim: what is asked of the courier about one finding. Three codes are about no finding.
 * `receipt-unallocated`: money that came in and pays no invoice yet; it is deducted. `left-for-later`: the part of that
 * money that exceeds the claim. `beyond-balance`: the part of the claim that exceeds the balance. `id` and `code` are
 * for programs: no letter or sheet has them.
 */
export interface ClaimLine {
  /** Its number in the letter, by which an answer can name it. */
  readonly line: number;
  readonly section: ClaimSection;
  /** The finding's id; null if the point is about none. */
  readonly id: string | null;
  readonly code: string;
  readonly invoice_number: number | null;
  /** The courier's number of a payout of a settlement sheet, such as `ES-902`; null for an invoice of the API. */
  readonly invoice_number_text: string | null;
  readonly order_id: string | null;
  readonly reference_id: string | null;
  /** The day (ISO) of the invoice, of the delivery or of the receipt. */
  readonly day: string | null;
  /** What is wrong. */
  readonly what: ClaimWhat | ClaimReceived;
  readonly currency: string | null;
  /** What is due on this point and how much of it came in; null if it is not about money. */
  readonly due: string | null;
  readonly received: string | null;
  /** Without a sign (`section` says who owes it), but a deducted receipt is negative; zero if it is to be confirmed. */
  readonly claimed: string;
  /** For a fee that differs from the rate card; else null. */
  readonly charged: string | null;
  readonly agreed: string | null;
  /** When the same was claimed before (ISO); null the first time. */
  readonly claimed_on: string | null;
}

/**
 * Whether a line only asks what a receipt pays (it has a receipt and names no invoice), and another line deducts that
 * receipt (`claim-received`). The deduction asks the same, and no letter asks twice.
 */
export function isReceiptDeducted(
  { what }: Pick<ClaimLine, 'what'>,
  lines: readonly Pick<ClaimLine, 'what'>[],
): boolean {
  if (what.id !== 'claim-what' || what.receipt === null || what.invoices.length > 0) return false;
  const { date, amount, currency } = what.receipt;
  return lines.some(
    ({ what: other }) =>
      other.id === 'claim-received' && other.date === date && other.amount === amount && other.currency === currency,
  );
}

export interface ClaimTotal {
  readonly currency: string;
  /** Lines with an amount. */
  readonly count: number;
  readonly owed_to_us: string;
  readonly owed_by_us: string;
  /** What is owed to us less what we owe; negative if we owe more. */
  readonly net: string;
}

/** A claim's sums by currency, without what is only to be confirmed. */
export function claimTotals(lines: readonly Pick<ClaimLine, 'section' | 'currency' | 'claimed'>[]): ClaimTotal[] {
  return claimedCurrencies(lines).map((currency) => {
    const inCurrency = lines.filter((line) => line.currency === currency);
    const toUs = inCurrency.filter(({ section }) => section === 'owed-to-us');
    const byUs = inCurrency.filter(({ section }) => section === 'owed-by-us');
    const owedToUs = sumOf(toUs, ({ claimed }) => claimed);
    const owedByUs = sumOf(byUs, ({ claimed }) => claimed);
    return {
      currency,
      count: toUs.length + byUs.length,
      owed_to_us: formatAmount(owedToUs),
      owed_by_us: formatAmount(owedByUs),
      net: formatAmount(owedToUs.minus(owedByUs)),
    };
  });
}

/** Adds up the amounts of a section's lines by currency: due, received, and the difference, which they claim. */
export function figureTotals(lines: readonly ClaimLine[]) {
  return claimedCurrencies(lines).map((currency) => {
    const inCurrency = lines.filter((line) => line.currency === currency);
    return {
      currency,
      due: formatAmount(sumOf(inCurrency, ({ due }) => due)),
      received: formatAmount(sumOf(inCurrency, ({ received }) => received)),
      difference: formatAmount(sumOf(inCurrency, ({ claimed }) => claimed)),
    };
  });
}

/** The currencies in which something is claimed, by name. */
export function claimedCurrencies(lines: readonly Pick<ClaimLine, 'section' | 'currency'>[]): string[] {
  const claimed = lines.filter(({ section }) => section !== 'confirm').flatMap(({ currency }) => currency ?? []);
  return [...new Set(claimed)].sort();
}

/** Decimal texts added up; a line without one adds nothing. */
export function sumOf<L>(lines: readonly L[], textOf: (line: L) => string | null): ExactDecimal {
  return lines.reduce((sum, line) => sum.plus(parseAmount(textOf(line) ?? '0')), ZERO);
}
