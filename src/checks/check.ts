import type { ReferenceRule } from '../books/references/index.ts';
import type { LedgerReader } from '../ledger/read/index.ts';
import type { MismatchTable, Severity } from '../ledger/schema.ts';
import type { ExactDecimal } from '../money/index.ts';
import type { Knowledge } from './knowledge.ts';
import type { Memo } from './memo.ts';
import type { MatchSettings } from './receipts/match-books.ts';
import type { Requirement } from './requirement.ts';

/** Limits that an accountant can set in remit.toml. */
export interface CheckSettings extends MatchSettings {
  /** Days after which an unpaid invoice is overdue. */
  readonly overdueDays: number;
  /** Days within which a delivered order should stand on an invoice. */
  readonly invoiceLagDays: number;
  /** Days from an invoice's date in which its money may be on its way. */
  readonly remittanceLagDays: number;
  /** The largest difference between net and receipts that is let pass, in units of each currency: decimal text. */
  readonly remittanceTolerance: string;
  /** The largest share by which an implied rate may be off the table: decimal text. */
  readonly rateTolerance: string;
  /** What is done to references that are not equal as they are. */
  readonly referenceRule: ReferenceRule;
}

export interface CheckContext {
  readonly db: LedgerReader;
  /** The months to look at (`2026-10`), in order: those of the period that were ever synced. */
  readonly periods: readonly string[];
  readonly settings: CheckSettings;
  readonly now: Date;
  /** What of the courier's books the ledger holds at all. */
  readonly knowledge: Knowledge;
  /** What several checks need, read once. */
  readonly memo: Memo;
}

/** Money that a finding takes in the bridge of one month, in the finding's currency. */
export interface Part {
  readonly period: string;
  readonly effect: ExactDecimal;
}

/** What a check found, before it has an identity and a status. See design: the mismatch catalogue. */
export interface Finding extends Omit<MismatchTable, 'id' | 'code' | 'severity' | 'status' | 'note'> {
  /** Overrides the check's own severity where the catalogue grades one finding differently. */
  readonly severity?: Severity;
  /** The months in which it shows, its own among them. */
  readonly periods: readonly string[];
  /** The row's place among the rows of its order on its invoice, counted over all of them, from 0. */
  readonly place: number;
  /** Where its effect stands in the bridge: all of it in its own month, unless said otherwise. */
  readonly parts: readonly Part[];
}

/** What a check could not compare, and why not. */
export interface NotComparable {
  readonly why: string;
  readonly count: number;
}

/** What a check did: what it found, and how much it looked at. */
export interface Looked {
  readonly findings: readonly Finding[];
  /** How many invoices, rows or orders it compared. */
  readonly compared: number;
  readonly notComparable: readonly NotComparable[];
}

/** A mismatch that was known and that a check no longer shows. */
export type Gone = Pick<
  MismatchTable,
  'id' | 'code' | 'period' | 'invoice_number' | 'order_id' | 'currency' | 'field' | 'message'
>;

/** A small named function that reads the ledger and returns what does not agree. It writes nothing. */
export interface Check {
  readonly code: string;
  readonly severity: Severity;
  /** One sentence for people: what the check compares. */
  readonly title: string;
  /** What is wrong, as the courier reads it in a claim; absent where nothing is asked of the courier. */
  readonly claim?: string;
  /** What it needs to look at all; the first that is not met is why it is skipped. */
  readonly requires: readonly Requirement[];
  /** Its figures grow with the calendar (an age in days), so that a new one tells nothing new: what a person settled stays settled. */
  readonly ages?: true;
  /**
   * It looks at what it is about whichever months are asked for, and what it finds is kept and shown all the same: nobody asks about a
   * month that is closed.
   */
  readonly everywhere?: true;
  /** Where its effects stand in the bridge: a step between the two figures, or money outside the month's invoices. */
  readonly stands?: 'outside';
  find(context: CheckContext): Promise<Looked>;
  /**
   * Which mismatches that it no longer shows it could not look at again, so that they are not resolved: a document has vanished, or is
   * newer than what it is compared with.
   */
  unseen?(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>>;
}
