import type { ReturnsSetting } from '../base/returns.ts';
import type { CheckLanguage, Sentence, Speech, Texts, WordsFor } from '../base/sentence.ts';
import type { ReferenceRule } from '../base/settings.ts';
import type { CustodyDays } from '../base/states.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import type { MismatchTable, Severity } from '../ledger/schema.ts';
import type { GapTexts } from '../matching/statement-chain.ts';
import type { ExactDecimal } from '../money/decimal.ts';
import type { MoneyField } from '../money/fields.ts';
import type { MatchSettings } from './facts/receipts/match-books.ts';
import type { Sources } from './facts/sources.ts';
import type { Plant } from './plant.ts';
import type { Lacking, Requirement } from './requirement.ts';

/** Limits that an accountant can set in remit.toml. */
export interface CheckSettings extends MatchSettings {
  readonly overdueDays: number;
  /** Days after its delivery within which an order should be on an invoice. */
  readonly invoiceLagDays: number;
  /** Days after an invoice's date during which its money may still be on its way. */
  readonly remittanceLagDays: number;
  /** Days after which COD is overdue, by who has it (`CustodyDays`); absent if nobody set them. */
  readonly custodyDays?: CustodyDays | undefined;
  /** The largest difference between net and receipts that is no mismatch, in any currency: decimal text, as `0.50`. */
  readonly remittanceTolerance: string;
  /** The largest share by which an implied rate may differ from the imported one: decimal text, as `0.02`. */
  readonly rateTolerance: string;
  /** What may differ between two references that are still taken as the same. */
  readonly referenceRule: ReferenceRule;
  /** How the courier's invoices show RETURN orders: one convention, or `auto` to learn it from them. */
  readonly returns: ReturnsSetting;
  /** How the courier's documents come: from its API (also if absent), or as files (settlement sheets). */
  readonly kind?: 'api' | 'files';
}

export interface CheckContext {
  readonly db: LedgerReader;
  /** The months to look at (`2026-10`), in order: those of the period that were ever synced. */
  readonly periods: readonly string[];
  readonly settings: CheckSettings;
  readonly now: Date;
  readonly sources: Sources;
  readonly facts: SharedFacts;
}

/**
 * The part of a finding's effect in the bridge of one month, in the finding's currency; negative: you are short. The
 * bridge leads by such effects from what the month's invoices state to our figure: see `Bridge`.
 */
export type EffectPart = { readonly period: string; readonly effect: ExactDecimal };

/** What a check found, before it has an id and a status. See docs/checks.md. */
export interface Finding
  extends Omit<MismatchTable, 'id' | 'code' | 'severity' | 'status' | 'note' | 'message' | 'sentence'> {
  /** What is wrong and what to do, to be said in the reader's language. */
  readonly sentence: Sentence;
  /** The check's own severity if absent. */
  readonly severity?: Severity;
  /** The months in which it is shown; `period` counts as one of them. */
  readonly periods: readonly string[];
  /** Which of its order's rows on the invoice it is about, from 0: an invoice may list an order several times. */
  readonly place: number;
  /** The months of the bridge in which its effect counts: by default all of it in `period`. */
  readonly parts: readonly EffectPart[];
}

/** Why records cannot be compared. */
export type UncomparedSentence =
  // An invoice's row is not compared with the order's record.
  | { id: 'order-book-older-than-invoice' }
  | { id: 'order-book-older-and-lacks-order' }
  | { id: 'order-record-unreadable' }
  // An order's fee is not compared with the agreed price.
  | { id: 'record-without-fee' }
  | { id: 'price-needs-order-book' }
  | { id: 'price-needs-more-of-order' }
  | { id: 'own-book-lacks-order-or-has-several' }
  | { id: 'no-price-agreed' }
  // An order is not compared with the own book. `ordered-since-order-book`: it was ordered on the day of the last whole
  // order book, or later.
  | { id: 'own-book-lacks-order' }
  | { id: 'older-than-own-book' }
  | { id: 'ordered-since-order-book' }
  | { id: 'reference-on-several-orders' }
  | { id: 'no-rate-by-day' }
  // An order is not compared with the invoice that it names.
  | { id: 'linked-invoice-unread' }
  | { id: 'linked-invoice-unsure' }
  | { id: 'invoices-left-undone' }
  // An invoice is not compared with its list, or with its rows.
  | { id: 'list-row-unreadable' }
  | { id: 'list-newer-than-invoice' }
  | { id: 'returns-convention-unknown' }
  | { id: 'sheet-without-list' }
  | { id: 'sheet-without-states' }
  | { id: 'sheet-without-totals'; field: MoneyField }
  // An invoice is not compared with what came in. The amount of a gap is null if the files state no balances.
  | { id: 'payment-window-not-imported'; currency: string }
  | ({ id: 'payment-window-gap' } & GapTexts)
  | { id: 'no-receipts-in-currency'; currency: string };

/** Records that a check could not compare, because what it compares them with is missing. */
export interface NotComparable {
  readonly why: UncomparedSentence;
  /** The commands that bring what is missing, any one of them; none or absent if only time does. */
  readonly commands?: readonly string[];
  readonly count: number;
  /**
   * The money in them: its months are not clean. A check leaves out the money of rows: `checks/incomplete.ts` adds it,
   * from the bridge's step for rows that were not compared.
   */
  readonly stakes?: readonly Stake[];
}

/** Money that was compared with nothing. */
export interface Stake {
  readonly period: string;
  readonly currency: string;
  /** Never negative. */
  readonly amount: ExactDecimal;
  readonly what: 'row' | 'invoice' | 'order' | 'own-order';
  /** Its number, id or reference: each subject is counted once. */
  readonly subject: string;
  /** What it is compared with cannot be there before the month is over. */
  readonly comesLater?: true;
}

/** What one check found, and how much it compared. */
export interface CheckOutcome {
  readonly findings: readonly Finding[];
  /** How many invoices, rows or orders it compared. */
  readonly compared: number;
  /** An entry whose count is zero says nothing, and coverage leaves it out. */
  readonly notComparable?: readonly NotComparable[];
  /** What it always leaves out, and why: the month can be clean without it. */
  readonly leftOut?: readonly Lacking<UncomparedSentence>[];
}

export type CheckCoverage = Omit<CheckOutcome, 'findings'>;

/** A mismatch in the ledger that its check did not find this time. */
export type GoneMismatch = Pick<
  MismatchTable,
  'id' | 'code' | 'period' | 'invoice_number' | 'order_id' | 'currency' | 'field' | 'sentence'
>;

/** The fields of a finding from which its cause is worked out. */
export type CauseFields = Pick<
  MismatchTable,
  'code' | 'period' | 'subject' | 'invoice_number' | 'order_id' | 'currency' | 'field' | 'difference' | 'sentence'
>;

/** A check: `find` reads the ledger and returns what does not agree; the rest says what is particular to this check. */
export interface Check {
  readonly code: string;
  readonly severity: Severity;
  /** One sentence for people: what the check compares. */
  readonly title: Texts;
  /** What it finds, in a few words: a step of the bridge, a heading. */
  readonly finds: Texts;
  /** What is wrong, as the courier reads it in a claim; absent if nothing is asked of the courier. */
  readonly claim?: Texts;
  /**
   * What lies behind a finding: findings with the same cause are grouped, as one thing to look into. The sentence is
   * said with the group's `count` as well. Absent: each invoice, or each order without one, is a cause.
   */
  cause?(finding: CauseFields): Sentence;
  /** What must be in the ledger for it to run; the first requirement that is not met is why it is skipped. */
  readonly requires: readonly Requirement[];
  /** Its figures grow from day to day (an age in days): a new figure opens nothing again that a person resolved. */
  readonly ages?: true;
  /**
   * It looks at all months, whichever are asked for, and keeps what it finds: a closed month must be found changed
   * though people ask for open months alone.
   */
  readonly everywhere?: true;
  /** With one courier it does not run, and is not called skipped. */
  readonly comparesCouriers?: true;
  /** Without any webhook ever received it does not run, and is not called skipped. */
  readonly needsWebhooks?: true;
  /** Its effects are money outside the month's invoices. Absent: they are a step of the bridge. */
  readonly outsideInvoices?: true;
  /** Its findings say that an invoice was paid short, over, late or not at all: writing it off settles their claims. */
  readonly isAboutPayment?: true;
  find(context: CheckContext): Promise<CheckOutcome>;
  /**
   * Says which of `gone` could not be checked this time, so that they stay as they are: a document has vanished, or is
   * newer than what it is compared with.
   */
  unseen?(context: CheckContext, gone: readonly GoneMismatch[]): Promise<(mismatch: GoneMismatch) => boolean>;
  /** The words of its findings and causes in each language, by sentence id: the check's code, or `code/variant`. */
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

/**
 * A check that requires nothing unless it says so. The compiler sees that it has words for each of its sentences (`S` is
 * their union).
 */
export function defineCheck<S extends Sentence>(
  check: Omit<Check, 'requires' | 'words'> &
    Partial<Pick<Check, 'requires'>> & { readonly words: Readonly<Record<CheckLanguage, WordsFor<S>>> },
): CheckSaying<S> {
  // In `Check` all words are functions of any sentence: the compiler cannot see that each gets the one of its id.
  return { requires: [], ...check } as unknown as CheckSaying<S>;
}

/** What several checks of one run need from the ledger, each thing read once. */
export class SharedFacts {
  readonly #read = new Map<string, Promise<unknown>>();

  /** The value of `read`, which is called only the first time for a name. */
  once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const reading = (this.#read.get(name) as Promise<T> | undefined) ?? read();
    this.#read.set(name, reading);
    return reading;
  }
}
