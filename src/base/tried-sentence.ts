/** Why a rule matched some invoices and receipts, or did not. Amounts are plain decimals. */
export type TriedSentence =
  | { id: 'tried-matched'; rule: string }
  /** `asked` is what the invoices ask for, `left` what is left of the receipts. */
  | { id: 'tried-amount'; asked: string; left: string; currency: string }
  | { id: 'tried-paid' }
  | { id: 'tried-issued-later'; days: number }
  | { id: 'tried-issued-long-before'; days: number; most: number }
  | { id: 'tried-names-none' }
  | { id: 'tried-names-others' }
  /** The first rule alone, and the last, take what is clearly named. */
  | { id: 'tried-names-by-name' }
  | { id: 'tried-names-other-currency' }
  | { id: 'tried-names-too-many'; count: number; most: number }
  | { id: 'tried-several'; ways: number }
  | { id: 'tried-too-many' }
  | { id: 'tried-contested' }
  | { id: 'tried-earlier-receipt'; receipt: number | string }
  | { id: 'tried-no-set'; invoices: number; left: string; currency: string }
  | { id: 'tried-no-parts'; receipts: number; asked: string; currency: string }
  | { id: 'tried-nothing-to-take-back'; days: number }
  | { id: 'tried-received-later'; days: number }
  | { id: 'tried-received-long-before'; days: number; most: number }
  | { id: 'tried-used-in-part' }
  | { id: 'tried-taken-back-already' }
  | { id: 'tried-later-receipt'; receipt: number | string };

/** How a receipt or an invoice stands, said before what the rules tried. */
export type ExplainedSentence =
  | { id: 'explained-not-courier' }
  | { id: 'explained-of-other'; courier: string }
  | { id: 'explained-several-couriers'; couriers: readonly string[] }
  | { id: 'explained-by-hand-only' }
  | { id: 'explained-manual'; match: number; by: string }
  | { id: 'explained-settled'; match: number; by: string }
  | { id: 'explained-matched'; match: number }
  | { id: 'explained-changed'; match: number }
  | { id: 'explained-ambiguous' }
  | { id: 'explained-unmatched' }
  | { id: 'explained-nothing-left' }
  | { id: 'explained-closed'; months: readonly string[] }
  | { id: 'explained-no-candidates' };
