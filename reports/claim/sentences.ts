/** The sentences of a claim: in its points, its notes, and the letter around them. */
import type { ReturnsConvention } from '../../src/base/returns.ts';
import type { Sentence } from '../../src/base/sentence.ts';
import type { ReturnsStanding } from '../../src/checks/facts/returns/convention.ts';
import type { Unit } from '../model.ts';

/** For the renderers, which import no checks. */
export type { ReturnsStanding };

/** The parts of a claim: what the courier owes us, what we owe the courier, and what it is only asked to confirm. */
export const CLAIM_SECTIONS = ['owed-to-us', 'owed-by-us', 'confirm'] as const;
export type ClaimSection = (typeof CLAIM_SECTIONS)[number];

type ReceiptAmount = { date: string; amount: string; currency: string };

/** What is wrong, as the courier reads it. */
export type ClaimWhat = {
  id: 'claim-what';
  code: string;
  /** What is right, and what the document states. */
  figures: { expected: string; actual: string; unit: Unit; currency: string | null; field: string | null } | null;
  invoices: (number | string)[];
  months: string[];
  /** The invoice that an order's record names. */
  link: string | null;
  /** What is wrong with that invoice where no other lists the order; absent where one does. */
  linked?: 'unknown' | 'vanished' | 'listed';
  /** Two states or dates that do not agree. */
  states: string[];
  /** A receipt, if the question is what it pays. */
  receipt: (ReceiptAmount & { cameIn: boolean }) | null;
  /** Receipts that may be the payment. */
  possible: ReceiptAmount[];
};

/** What is taken off the part that is owed to us. */
export type ClaimReceived =
  /** A receipt that pays no invoice yet. `isShared`: another courier may claim it too. */
  | { id: 'claim-received'; date: string; amount: string; currency: string; isShared: boolean }
  /** More is claimed than is open between us (`open`). */
  | { id: 'claim-beyond'; open: string; amount: string; currency: string }
  /** The receipts exceed the claim; what is beyond it is left for a later claim. */
  | { id: 'claim-left'; amount: string; currency: string };

export type ClaimNote =
  /** Who claims, of whom, and when. */
  | { id: 'claim-of'; by: string | null; to: string | null; on: string }
  /** What the totals leave out, and what a minus means. */
  | { id: 'claim-parts' }
  | { id: 'claim-returns'; convention: ReturnsConvention; basis: ReturnsStanding['returns_basis'] }
  | { id: 'claim-total'; currency: string; owed_to_us: string; owed_by_us: string; net: string };

/** The words of a part's heading, of a line's figures, and of the letter around them. */
export type ClaimSentence =
  | { id: 'claim-section'; section: ClaimSection }
  | { id: 'claim-figures'; currency: string; due: string; received: string; difference: string }
  | { id: 'claim-fee'; currency: string; charged: string; agreed: string; difference: string; received: string | null }
  /** What a point is about. */
  | {
      id: 'claim-place';
      invoice: number | string | null;
      order: string | null;
      reference: string | null;
      day: string | null;
    }
  /** The day on which an earlier claim asked for the same. */
  | { id: 'claim-before'; on: string }
  | { id: 'claim-heading'; months: string[] }
  | { id: 'claim-to' }
  | { id: 'claim-salutation' }
  | { id: 'claim-opening' }
  | { id: 'claim-confirm' }
  | { id: 'claim-closing' }
  /** What is open on a point that is only to be confirmed. */
  | { id: 'claim-open'; currency: string; due: string; received: string }
  /** The label of a part's sums in a table, and a sum as a sentence of the letter. */
  | { id: 'claim-part-sum'; title: string }
  | { id: 'claim-part-total'; title: string; currency: string; amount: string }
  | { id: 'claim-word'; word: 'due' | 'received' | 'difference' | 'what' | 'net' };

/** Says how the courier counts RETURN orders; null if no invoice has one, or nobody knows yet. */
export function claimReturns(standing: ReturnsStanding): Sentence | null {
  const { returns: convention, returns_basis: basis, invoices_with_returns } = standing;
  if (convention === null || invoices_with_returns === 0) return null;
  return { id: 'claim-returns', convention, basis } satisfies ClaimNote;
}
