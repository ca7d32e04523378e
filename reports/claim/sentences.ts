/** The sentences of a claim: in its points, its notes, and the letter around them. */
import type { Sentence } from '../../src/base/sentence.ts';
import type { ReturnsStanding } from '../../src/checks/facts/returns/convention.ts';
import type { Unit } from '../model.ts';

export type { ReturnsStanding };

/** The parts of a claim: what the courier owes us, what we owe the courier, and what it is only asked to confirm. */
export const CLAIM_SECTIONS = ['owed-to-us', 'owed-by-us', 'confirm'] as const;
export type ClaimSection = (typeof CLAIM_SECTIONS)[number];

type Amount = { date: string; amount: string; currency: string };

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
  /** Two states or dates that do not agree. */
  states: string[];
  /** A receipt, if the question is what it pays. */
  receipt: (Amount & { cameIn: boolean }) | null;
  /** Receipts that may be the payment. */
  possible: Amount[];
};

/** Receipts that pay no invoice yet, and the part of them that exceeds the claim. */
export type ClaimReceived =
  | { id: 'claim-received'; date: string; amount: string; currency: string; isShared: boolean }
  | { id: 'claim-beyond'; open: string; amount: string; currency: string }
  | { id: 'claim-left'; amount: string; currency: string };

export type ClaimNote =
  | { id: 'claim-of'; by: string | null; to: string | null; on: string }
  | { id: 'claim-parts' }
  | { id: 'claim-returns'; convention: string; basis: ReturnsStanding['returns_basis'] }
  | { id: 'claim-total'; currency: string; owed_to_us: string; owed_by_us: string; net: string };

/** The words of a part's heading, of a line's figures, and of the letter around them. */
export type ClaimSentence =
  | { id: 'claim-section'; section: ClaimSection }
  | { id: 'claim-figures'; currency: string; due: string; received: string; difference: string }
  | { id: 'claim-fee'; currency: string; charged: string; agreed: string; difference: string; received: string | null }
  | {
      id: 'claim-place';
      invoice: number | string | null;
      order: string | null;
      reference: string | null;
      day: string | null;
    }
  | { id: 'claim-before'; on: string }
  | { id: 'claim-heading'; months: string[] }
  | { id: 'claim-to' }
  | { id: 'claim-salutation' }
  | { id: 'claim-opening' }
  | { id: 'claim-confirm' }
  | { id: 'claim-closing' }
  /** What is open on a point that is only to be confirmed. */
  | { id: 'claim-open'; currency: string; due: string; received: string }
  | { id: 'claim-part-sum'; title: string }
  | { id: 'claim-part-total'; title: string; currency: string; amount: string }
  | { id: 'claim-word'; word: 'due' | 'received' | 'difference' | 'what' | 'net' };

/** How the courier counts RETURN orders; null if no invoice has one, and while nobody knows. */
export function claimReturns(standing: ReturnsStanding): Sentence | null {
  const { returns: convention, returns_basis: basis, invoices_with_returns } = standing;
  if (convention === null || invoices_with_returns === 0) return null;
  return { id: 'claim-returns', convention, basis } satisfies ClaimNote;
}
