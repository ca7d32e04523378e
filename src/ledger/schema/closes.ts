/** The close log: closed months, what each close froze, and reopened months. Append-only. */

/** A month that was closed. Its id is that of its evidence. */
export interface PeriodCloseTable {
  id: number;
  period: string;
  at: string;
  actor: string;
  /** 1 for the first closed month: the books begin with it. */
  is_first: 0 | 1;
  /** The reason given for closing it while errors were open; null if none was open. */
  with_open: string | null;
  /** The time zone of the books at the close: the month's days are days in it. */
  time_zone: string;
  /** SHA-256 of the canonical JSON of the figures. */
  figures_sha256: string;
  /** The head of the chain at the close: that of the close's own evidence. */
  chain: string;
}

/** A frozen figure: plain decimal text; a count as an integer. */
export interface PeriodCloseFigureTable {
  close_id: number;
  /** `settled` has for each invoice the part of its net that was settled by then. */
  section: 'counts' | 'totals' | 'roll-forward' | 'settled';
  /** Empty for counts. */
  currency: string;
  /** The figure's name; in the section `settled` the invoice's number. */
  figure: string;
  value: string;
}

/** An item that was open at the end of a closed month: an invoice, or a receipt that no invoice explained. */
export interface PeriodCloseItemTable {
  close_id: number;
  kind: 'invoice' | 'unallocated';
  /** The invoice's number, or the receipt's id. */
  subject: number;
  currency: string;
  issued_on: string;
  /**
   * Plain decimal text, like the three amounts below. `open` is this less `received` and `differences`: for a receipt,
   * whose net is zero, it is negative.
   */
  net_due_to_merchant: string;
  received: string;
  differences: string;
  open: string;
}

export interface PeriodCloseDocumentTable {
  close_id: number;
  kind: 'invoice' | 'listing' | 'import';
  /** The invoice's number, the month of a listing, the id of an import. */
  subject: string;
  evidence_id: number;
  /** Null for a listing: many pages make up a walk. */
  sha256: string | null;
  /** An invoice's status at the close; the kind of an import. */
  status: string | null;
}

/** An error that was open when the month was closed all the same. */
export interface PeriodCloseFindingTable {
  close_id: number;
  mismatch_id: string;
  code: string;
  currency: string | null;
  effect: string | null;
}

/** A closed month that was opened again: its close is no longer in force. */
export interface PeriodReopenTable {
  id: number;
  close_id: number;
  period: string;
  at: string;
  actor: string;
  reason: string;
}
