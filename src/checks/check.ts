import type { Kysely } from 'kysely';
import type { LedgerSchema, MismatchTable, Severity } from '../ledger/index.ts';

/** Limits that an accountant can set in remit.toml. */
export interface CheckSettings {
  /** Days after which an unpaid invoice is overdue. */
  readonly overdueDays: number;
  /** Days within which a delivered order should stand on an invoice. */
  readonly invoiceLagDays: number;
}

export interface CheckContext {
  readonly db: Kysely<LedgerSchema>;
  /** The months to look at (`2026-10`), in order; a finding of another month is dropped. */
  readonly periods: readonly string[];
  readonly settings: CheckSettings;
  readonly now: Date;
}

/** What a check found, before it has an identity and a status. See design: the mismatch catalogue. */
export type Finding = Omit<MismatchTable, 'id' | 'code' | 'severity' | 'status' | 'note'> & {
  /** Overrides the check's own severity where the catalogue grades one field differently. */
  readonly severity?: Severity;
  /** Tells apart findings that are otherwise about the same code, invoice, order, currency and field; 0 where absent. */
  readonly occurrence?: number;
  /** What the finding is about where that is not its order, such as the reference that several orders share. */
  readonly subject?: string;
};

/** A small named function that reads the ledger and returns what does not agree. */
export interface Check {
  readonly code: string;
  readonly severity: Severity;
  /**
   * What must have been synced; a check that lacks it is skipped, with the reason. `order-book`: some time the whole order book.
   * `current-order-book`: the whole order book no earlier than the month's invoices, because the absence of an order from an
   * older one says nothing. `readable-order-book`: that, with every order in it read, because one that could not be read is in the
   * book all the same.
   */
  readonly needs: 'invoices' | 'order-book' | 'current-order-book' | 'readable-order-book';
  /** One sentence for people: what the check compares. */
  readonly title: string;
  /** Its figures grow with the calendar (an age in days), so that a new one tells nothing new: what a person settled stays settled. */
  readonly ages?: true;
  find(context: CheckContext): Promise<Finding[]>;
}
