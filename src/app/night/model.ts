import type { CheckResult, FoundGroup, FoundMismatch, Severity } from '../check-result.ts';
import type { CourierCash } from '../custody.ts';
import type { BooksSync } from '../sync.ts';

/** A part of the night that failed, as errors are printed. */
export interface FailedPart {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exit_code: number;
}

/** An amount in one currency, as plain decimal text; negative where you are short. */
export interface Effect {
  readonly currency: string;
  readonly effect: string;
}

/** Claims that the courier has not answered. */
export interface Unanswered {
  /** After how many days a claim is reported: `dispute_days`. */
  readonly days: number;
  readonly count: number;
  /** Their sum, as claimed. */
  readonly effects: readonly Effect[];
  /** The day of the oldest, by the books' time zone. */
  readonly oldest: string;
  /** Whether one is reported tonight: after `dispute_days`, and each week from then on. */
  readonly due: boolean;
}

/** How many mismatches of one code the night's check opened, reopened and resolved. */
export interface CodeNews {
  readonly code: string;
  readonly severity: Severity;
  readonly opened: number;
  readonly reopened: number;
  readonly resolved: number;
  /** How many are open now. */
  readonly open: number;
}

/** What the night's check found: what changed, and what is open. */
export interface NightCheck extends Pick<CheckResult, 'period' | 'open' | 'new' | 'resolved' | 'skipped'> {
  /** How many of the new ones had been resolved before. */
  readonly reopened: number;
  /** The codes of which something changed or is open, in the order of the catalogue. */
  readonly codes: readonly CodeNews[];
  readonly incomplete: CheckResult['incomplete'];
  /** The couriers that were checked, if there are several. */
  readonly couriers: readonly string[];
  /** Months that are incomplete only because they are not over: no trouble. */
  readonly running: readonly string[];
  /** Months that a person closed though they are incomplete, with a reason on record: no trouble either. */
  readonly accepted: readonly string[];
  /** The effects of new mismatches, of resolved ones, and of all that are not resolved (`short`). */
  readonly new_effects: readonly Effect[];
  readonly resolved_effects: readonly Effect[];
  readonly short: readonly Effect[];
  /** `short` per month and courier, without those in which it is zero. */
  readonly short_by_month: readonly (Effect & { readonly courier?: string; readonly period: string })[];
  /** What opened or reopened, and what was resolved, by cause; with the ids of those in `mismatches`. */
  readonly groups: readonly FoundGroup[];
  readonly resolved_groups: readonly FoundGroup[];
  /** What opened, reopened or was resolved, the worst first; at most 100. */
  readonly mismatches: readonly Omit<FoundMismatch, 'note'>[];
}

/** How many matches the night made, and how many of the courier's receipts are matched, unmatched or ambiguous. */
export interface NightMatching {
  readonly new: number;
  readonly matched: number;
  readonly unmatched: number;
  /** Receipts that could pay more than one set of invoices. */
  readonly ambiguous: number;
}

/** Where the summary was sent, and whether it arrived. */
export interface SentSummary {
  readonly to: 'command' | 'url';
  readonly ok: boolean;
  readonly why: string | null;
}

/** What `night --json` prints, and what `notify_url` gets. */
export interface Night {
  readonly at: string;
  /** As `sync --json` prints it; null where the sync failed. */
  readonly sync: BooksSync | null;
  readonly sync_failure: FailedPart | null;
  /** What the sync could not fetch, and what else it warned of, as sentences. */
  readonly warnings: readonly string[];
  /** Null when the ledger has no receipts, matching failed, or another command is at work. */
  readonly match: NightMatching | null;
  readonly match_failure: FailedPart | null;
  /** Null when the check failed, or was not made because another command is at work. */
  readonly check: NightCheck | null;
  readonly check_failure: FailedPart | null;
  /** Where the money of each courier is, and what it owes; empty when nothing was checked. */
  readonly cash: readonly CourierCash[];
  /** Null when every claim was answered, or is younger than `dispute_days`. */
  readonly unanswered: Unanswered | null;
  /** When a sync last fetched everything, by the oldest courier; null if one never did. And how long ago that was. */
  readonly last_good_sync: string | null;
  readonly age_seconds: number | null;
  /** The first month in the ledger that is not closed; null if there is none. */
  readonly oldest_open_month: string | null;
  readonly notified: readonly SentSummary[];
  readonly exit_code: number;
}

/** Exit codes of what failed, the worst first: wrong settings need a person, while another command ends by itself. */
export const WORST_FIRST = [2, 4, 1];
