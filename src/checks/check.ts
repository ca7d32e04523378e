import type { ReferenceRule } from '../base/reference-rule.ts';
import type { ReturnsSetting } from '../base/returns.ts';
import type { CheckLanguage, Sentence, Speech, Texts, WordsFor } from '../base/sentence.ts';
import type { CustodyDays } from '../base/states.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import type { MismatchTable, Severity } from '../ledger/schema.ts';
import type { ExactDecimal } from '../money/decimal.ts';
import type { MatchSettings } from './facts/receipts/match-books.ts';

import type { Sources } from './facts/sources.ts';

import type { Plant } from './plant.ts';

import type { Requirement } from './requirement.ts';
import type { SharedFacts } from './shared-facts.ts';

/** Limits that an accountant can set in remit.toml. */
export interface CheckSettings extends MatchSettings {
  /** Days after which an unpaid invoice is overdue. */
  readonly overdueDays: number;
  /** Days within which a delivered order should stand on an invoice. */
  readonly invoiceLagDays: number;
  /** Days from an invoice's date in which its money may be on its way. */
  readonly remittanceLagDays: number;
  /** After how many days COD is overdue where it is; absent where nobody set it. */
  readonly custodyDays?: CustodyDays | undefined;
  /** The largest difference between net and receipts that is let pass, in units of each currency: decimal text. */
  readonly remittanceTolerance: string;
  /** The largest share by which an implied rate may be off the table: decimal text. */
  readonly rateTolerance: string;
  /** What is done to references that are not equal as they are. */
  readonly referenceRule: ReferenceRule;
  /** How the courier's invoices show RETURN orders: one convention, or `auto` to learn it from them. */
  readonly returns: ReturnsSetting;
  /** How the courier's side comes: from its API, or as files of settlement sheets. */
  readonly kind?: 'api' | 'files';
}

export interface CheckContext {
  readonly db: LedgerReader;
  /** The months to look at (`2026-10`), in order: those of the period that were ever synced. */
  readonly periods: readonly string[];
  readonly settings: CheckSettings;
  readonly now: Date;
  readonly sources: Sources;
  /** Facts that several checks need, each read once. */
  readonly facts: SharedFacts;
}

/** Money that a finding takes in the bridge of one month, in the finding's currency. */
export interface Part {
  readonly period: string;
  readonly effect: ExactDecimal;
}

/** What a check found, before it has an identity and a status. See docs/checks.md. */
export interface Finding
  extends Omit<MismatchTable, 'id' | 'code' | 'severity' | 'status' | 'note' | 'message' | 'sentence'> {
  /** What is wrong and what to do, to be said in the reader's language. */
  readonly sentence: Sentence;
  /** Overrides the check's own severity where the catalogue grades one finding differently. */
  readonly severity?: Severity;
  /** The months in which it shows, its own among them. */
  readonly periods: readonly string[];
  /** The row's place among the rows of its order on its invoice, counted over all of them, from 0. */
  readonly place: number;
  /** Where its effect stands in the bridge: all of it in its own month, unless said otherwise. */
  readonly parts: readonly Part[];
}

export interface NotComparable {
  readonly why: Sentence;
  /** What brings the other side: any one of these; none or absent where only time does. */
  readonly commands?: readonly string[];
  readonly count: number;
  /** The money in it, which keeps its months from being clean; not that of rows, which the bridge takes as a step. */
  readonly stakes?: readonly Stake[];
}

/** Money that was compared with nothing. */
export interface Stake {
  readonly period: string;
  readonly currency: string;
  /** Never negative. */
  readonly amount: ExactDecimal;
  readonly what: 'row' | 'invoice' | 'order' | 'own-order';
  /** Which one: each is counted once. */
  readonly subject: string;
  /** The other side cannot be there before the month is over. */
  readonly comesLater?: true;
}

/** A part of what a check is about that it leaves out by rule, and why: the month can be clean without it. */
export interface LeftOut {
  readonly why: Sentence;
  readonly commands: readonly string[];
}

/** What a check did: what it found, and how much it looked at. */
export interface Looked {
  readonly findings: readonly Finding[];
  /** How many invoices, rows or orders it compared. */
  readonly compared: number;
  readonly notComparable: readonly NotComparable[];
  /** What it skipped though it looked at the rest. */
  readonly leftOut?: readonly LeftOut[];
}

/** A mismatch that was known and that a check no longer shows. */
export type Gone = Pick<
  MismatchTable,
  'id' | 'code' | 'period' | 'invoice_number' | 'order_id' | 'currency' | 'field' | 'sentence'
>;

/** What a finding's cause depends on. */
export type Caused = Pick<
  MismatchTable,
  'code' | 'period' | 'subject' | 'invoice_number' | 'order_id' | 'currency' | 'field' | 'difference' | 'sentence'
>;

/** A small named function that reads the ledger and returns what does not agree. It writes nothing. */
export interface Check {
  readonly code: string;
  readonly severity: Severity;
  /** One sentence for people: what the check compares. */
  readonly title: Texts;
  /** What it finds, in a few words: a step of the bridge, a heading. */
  readonly finds: Texts;
  /** What is wrong, as the courier reads it in a claim; absent where nothing is asked of the courier. */
  readonly claim?: Texts;
  /**
   * What lies behind a finding, for grouping: findings with the same cause are one thing to look into. Its sentence is given the group's
   * `count` as well. Absent: each invoice, or each order without one, is a cause of its own.
   */
  cause?(finding: Caused): Sentence;
  /** What it needs to look at all; the first that is not met is why it is skipped. */
  readonly requires: readonly Requirement[];
  /** Its figures grow with the calendar (an age in days), so that a new one tells nothing new: what a person settled stays settled. */
  readonly ages?: true;
  /**
   * It looks at what it is about whichever months are asked for, and what it finds is kept all the same: nobody asks about a month that is
   * closed.
   */
  readonly everywhere?: true;
  /** It compares couriers: with one courier there is nothing to look for, and nothing is skipped. */
  readonly isOfSeveral?: true;
  /** It looks at the courier's webhooks: where none was ever received there is nothing to look for, and nothing is skipped. */
  readonly isOfWebhooks?: true;
  /** Where its effects stand in the bridge: a step between the two figures, or money outside the month's invoices. */
  readonly stands?: 'outside';
  /** Its findings are what is open of an invoice: a claim on one that is written off is settled. */
  readonly settles?: true;
  find(context: CheckContext): Promise<Looked>;
  /**
   * The ids of those mismatches among `gone` that this run could not look at, so that they stay as they are: a document has vanished, or
   * is newer than what it is compared with.
   */
  unseen?(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>>;
  /** What its findings and causes say, in each language, by the sentence's id: the check's code, or `code/variant`. */
  readonly words: Readonly<
    Record<CheckLanguage, Readonly<Record<string, (parameters: Sentence, speech: Speech) => string>>>
  >;
  /** Its row in docs/checks.md. */
  readonly guide: {
    /** What it compares, where there is more to say than the title. */
    readonly compares?: string;
    /** What you do about a finding. */
    readonly remedy: string;
  };
  /** How to break clean books so that it, and no other check, finds something: the self-test plants it. */
  readonly plant: Plant;
}

/** A check that knows at compile time which sentences it says. */
type CheckSaying<S extends Sentence> = Check & { readonly says?: S };

/** A check whose words fit the sentences of its findings, which `S` is the union of. */
export function defineCheck<S extends Sentence>(
  check: Omit<Check, 'words'> & { readonly words: Readonly<Record<CheckLanguage, WordsFor<S>>> },
): CheckSaying<S> {
  return check as unknown as CheckSaying<S>;
}
