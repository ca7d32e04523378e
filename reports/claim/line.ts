import type { ClaimReceived, ClaimSection, ClaimWhat } from './sentences.ts';

/**
 * A point of a claim: what is asked of the courier about one finding. Three codes are about no finding: `receipt-unallocated`: money
 * that came in and pays no invoice yet; it is taken off. `left-for-later`: the part of that money that exceeds the claim.
 * `beyond-balance`: the part of the claim that exceeds the balance. `id` and `code` are for programs: no letter and no sheet shows them.
 */
export interface ClaimLine {
  /** Its number in the letter, by which an answer can name it. */
  readonly line: number;
  readonly section: ClaimSection;
  /** Null where it is about no finding. */
  readonly id: string | null;
  readonly code: string;
  readonly invoice_number: number | null;
  /** What both sides call a payout of a settlement sheet, such as `ES-902`; null where the number is an invoice's own. */
  readonly invoice_number_text: string | null;
  readonly order_id: string | null;
  readonly reference_id: string | null;
  /** The day (ISO) of the invoice, of the delivery or of the receipt. */
  readonly day: string | null;
  /** What is wrong. */
  readonly what: ClaimWhat | ClaimReceived;
  readonly currency: string | null;
  /** What is due on this point and what of it came in; null where it is not about money. */
  readonly due: string | null;
  readonly received: string | null;
  /** Without a sign, but for a receipt that is taken off: the part says who owes it. Nothing is claimed of what is to be confirmed. */
  readonly claimed: string;
  /** A fee beside the rate card; else null. */
  readonly charged: string | null;
  readonly agreed: string | null;
  /** When the same was claimed before (ISO); null the first time. */
  readonly claimed_on: string | null;
}
