import type { AgeingNote } from '../../reports/ageing.ts';
import type { ForecastSentence } from '../../reports/cash-forecast.ts';
import type { ChangesNote } from '../../reports/changes.ts';
import type { ChargesNote } from '../../reports/charges.ts';
import type { ClaimNote, ClaimReceived, ClaimSentence, ClaimWhat } from '../../reports/claim/sentences.ts';
import type { CustodyNote } from '../../reports/custody.ts';
import type { DashboardNote } from '../../reports/dashboard/index.ts';
import type { FeesNote } from '../../reports/fees.ts';
import type { JournalNarration } from '../../reports/journal/model.ts';
import type { JournalSentence } from '../../reports/journal/report.ts';
import type { LagNote } from '../../reports/lag.ts';
import type { MismatchesSentence } from '../../reports/mismatches.ts';
import type { NameSentence } from '../../reports/names.ts';
import type { NotInvoicedNote } from '../../reports/not-invoiced.ts';
import type { MonthClosedNote, OutstandingBasis, SyncedMonthsNote, WaitingReceiptsNote } from '../../reports/notes.ts';
import type { OpenItemsNote } from '../../reports/open-items.ts';
import type { PageSentence } from '../../reports/page.ts';
import type { PaidOrdersNote } from '../../reports/paid-orders.ts';
import type { ReceiptsNote } from '../../reports/receipts.ts';
import type { ReturnsNote } from '../../reports/returns.ts';
import type { RollForwardNote } from '../../reports/roll-forward.ts';
import type { MonthMismatchesNote } from '../../reports/statement/mismatches.ts';
import type { OrdersNote } from '../../reports/statement/orders.ts';
import type { SinceCloseSentence } from '../../reports/statement/proof.ts';
import type { Defined } from '../../reports/statement/sections/facts.ts';
import type { StatementWarning } from '../../reports/statement/warnings.ts';
import type { EmptyMonthNote } from '../../reports/totals.ts';
import type { Explanation } from '../base/errors.ts';
import type { ExplainedSentence, Sentence, TriedSentence } from '../base/sentence.ts';
import type { Severity } from '../base/states.ts';
import type { UncomparedSentence } from '../checks/check.ts';
import type { ReturnsStandingSentence } from '../checks/facts/returns/convention.ts';
import type { CauseSentence } from '../checks/groups.ts';
import type { IncompleteSentence, NotComparableSentence, NotComparedSentence } from '../checks/incomplete.ts';
import type { MoveSentence } from '../checks/mismatch-changes.ts';
import type { RemedySentence, UnmetSentence } from '../checks/requirement.ts';
import type { OrderBookDaySentence } from '../checks/run.ts';
import type { DECIDE, DESK, LABELS } from './terms.ts';

/** The document that has one side of a mismatch: see app/show/mismatch.ts. */
export type SideSentence =
  | { id: 'side-row'; row: number; invoice: number }
  | { id: 'side-record' }
  | { id: 'side-listed'; month: string }
  | { id: 'side-detail' }
  | { id: 'side-invoice'; invoice: number }
  | { id: 'side-own-book' }
  /** The lines of the rate card that give the agreed amount, as `tariff.csv:12`. */
  | { id: 'side-rate-card'; lines: readonly string[] }
  /** What the invoice's rows add up to, or its COD less what is kept back. */
  | { id: 'side-rows' }
  | { id: 'side-cod-less-fees' }
  /** A line of a bank account or cash book. */
  | { id: 'side-receipt'; receipt: number };

/** Every sentence of remit, gathered from where each is declared; sentences.en.ts and .ar.ts put them into words. */
export type OwnSentence =
  /** A text that is already in words, such as a person's note, or the message of an earlier error. */
  | { id: 'said'; text: string }
  /** An error's message as a part of another sentence. */
  | { id: 'error'; why: Explanation }
  /** A note about one of several couriers. */
  | { id: 'of-courier'; courier: string; note: Sentence }
  /** Why a courier is in no total of the index of a month's statements. */
  | { id: 'courier-without-statement'; courier: string; why: Sentence }
  | SideSentence
  /** Why remit moved a claim whose mismatch stayed open: see ledger/write/claims.ts. */
  | { id: 'effect-changed' }
  /** Another finding shows the claimed debt now. */
  | { id: 'claim-goes-on'; from: string; to: string }
  | StatementSentence
  | DeskSentence
  | CauseSentence
  | IncompleteSentence
  | OrderBookDaySentence
  | MoveSentence
  | NotComparableSentence
  | NotComparedSentence
  | ReturnsStandingSentence
  | RemedySentence
  | UncomparedSentence
  | UnmetSentence
  // Reports.
  | AgeingNote
  | ChangesNote
  | NameSentence
  | ClaimReceived
  | ClaimNote
  | ClaimSentence
  | ClaimWhat
  | CustodyNote
  | DashboardNote
  | EmptyMonthNote
  | ChargesNote
  | FeesNote
  | ForecastSentence
  | JournalNarration
  | JournalSentence
  | LagNote
  | MismatchesSentence
  | MonthClosedNote
  | MonthMismatchesNote
  | NotInvoicedNote
  | OpenItemsNote
  | OrdersNote
  | OutstandingBasis
  | PaidOrdersNote
  | ReceiptsNote
  | ReturnsNote
  | RollForwardNote
  | StatementWarning
  | SinceCloseSentence
  | SyncedMonthsNote
  | PageSentence
  | ExplainedSentence
  | TriedSentence
  | WaitingReceiptsNote
  /** Below the index of several months' statements: see app/statement/range.ts. */
  | { id: 'months-never-added-up' };

/** A heading or label: its id is all of it. */
type LabelSentence = { [Id in keyof typeof LABELS]: { id: Id } }[keyof typeof LABELS];

/** The sentences that each language puts into words: all but the labels, which are terms. */
export type SpokenSentence = Exclude<OwnSentence, LabelSentence>;

/** A word of the desk. */
export type DeskWord = keyof typeof DESK;

/** A decision by the name that it has in `openapi.json`. */
export type DecideName = keyof typeof DECIDE;

/** What a decision's lines did: how many of them did it, to what amounts, and to which file. */
type Done = {
  readonly what: string;
  readonly count: number;
  readonly sums: readonly Sum[];
  readonly file?: string;
};

type Sum = { readonly currency: string; readonly amount: string };

type DeskSentence =
  /** What a decision did. */
  | { id: 'decided'; done: readonly Done[] }
  | { id: 'decision-waits'; decision: number }
  /** The values that changed: `write_off_above USD: 50.00 → 100.00`. */
  | { id: 'policy-changed'; changes: readonly string[] }
  | { id: 'import-known' }
  | { id: 'payer-saved'; payer: string }
  /** How many lines of a payer match invoices. */
  | { id: 'payer-lines'; lines: number }
  /** The button that makes a payer the courier's (`''`: the only one). */
  | { id: 'payer-is'; payer: string; courier: string }
  /** How a sync of the desk ended. */
  | { id: 'sync-runs' }
  | { id: 'sync-cancelled' }
  | { id: 'synced'; status: 'complete' | 'partial'; fetched: number; failed: number; changed: number }
  /** The label of a decision's button. `of`: its month, if it is about one. */
  | { id: 'decide'; decision: DecideName; of?: string; findings?: number; lines?: number; sums?: readonly Sum[] }
  /** What a line of a decision is about. */
  | { id: 'about-invoice'; invoice: number | string; receipts: readonly number[] }
  | { id: 'about-import'; file: string; lines: number }
  | { id: 'about-file'; file: string; lines: number; from: string; to: string }
  | { id: 'desk'; word: DeskWord }
  /** How long ago something was. */
  | { id: 'desk-age'; hours: number }
  | { id: 'desk-found'; count: number }
  | { id: 'desk-open'; error: number; warning: number; info: number }
  | { id: 'desk-decision'; kind: string };

export type StatementSentence =
  | LabelSentence
  | { id: 'workbook/page-of-pages'; page: string; pages: string }
  | { id: 'workbook/choose-one'; words: readonly string[] }
  | { id: 'workbook/amounts-as-text'; count: number }
  | { id: 'statement/title'; month: string }
  | { id: 'statement/heading'; monthInWords: string }
  /** The text before the amount, which is live: `USD: you are short`. */
  | { id: 'statement/side'; currency: string; side: 'short' | 'ahead' | 'even' }
  | { id: 'statement/then-unexplained'; amount: string; currency: string }
  | { id: 'statement/then-not-compared'; amount: string; currency: string }
  | { id: 'statement/closing-at'; day: string }
  | { id: 'statement/days'; from: string; to: string }
  /** `withOpen`: why it was closed although errors were open. */
  | { id: 'statement/closed'; by: string; time: string; withOpen: string | null }
  | { id: 'statement/status-word'; status: 'draft' | 'closed' }
  | { id: 'statement/other-steps'; count: number }
  | { id: 'statement/other-causes'; count: number }
  /** The beginning of the chain's head, at the foot of every page. */
  | { id: 'statement/chain'; chain: string }
  | { id: 'statement/as-of-time'; time: string }
  | { id: 'statement/counts'; invoices: number; orders: number }
  | { id: 'statement/compared-with'; time: string; evidence: number }
  | { id: 'statement/found-since'; codes: readonly { code: string; count: number }[] }
  | { id: 'statement/resolved-since'; codes: readonly { code: string; count: number }[] }
  | { id: 'statement/invoices-since'; what: InvoicesSince; numbers: readonly number[] }
  | { id: 'statement/orders-since'; count: number }
  | { id: 'statement/effect-in'; currency: string }
  | { id: 'statement/severity'; severity: Severity }
  | { id: 'statement/severity-line'; severity: Severity }
  | { id: 'statement/months-of'; currency: string }
  | { id: 'statement/evidence-row'; row: number; chain: string }
  | { id: 'statement/term'; term: Defined }
  | { id: 'statement/definition'; term: Defined }
  | { id: 'statement/finding'; code: string }
  /** Another sentence with a capital letter and a full stop. */
  | { id: 'statement/as-sentence'; says: Sentence }
  /** A step of the bridge that no check finds. */
  | { id: 'statement/not-compared' };

/** How invoices changed since the last statement. */
export type InvoicesSince = 'added' | 'restated' | 'vanished' | 'back' | 'status';
