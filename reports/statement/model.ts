import type { Sentence } from '../../src/base/sentence.ts';
import type { CustodyTie } from '../../src/checks/facts/custody.ts';
import type { SettledSums } from '../../src/checks/facts/receipts/settlements.ts';
import type { ReturnsStandingSentence } from '../../src/checks/facts/returns/convention.ts';
import type { Group } from '../../src/checks/groups.ts';
import type { Severity } from '../../src/ledger/index.ts';
import type { ChainPlace } from '../../src/ledger/queries/evidence/chain.ts';
import type { HeaderTotals, MonthTotals } from '../../src/ledger/queries/invoices/totals.ts';
import type { MonthDocument, Run } from '../../src/ledger/queries/sync/runs.ts';
import type { PeriodCloseTable } from '../../src/ledger/schema.ts';
import type { ExactDecimal } from '../../src/money/decimal.ts';
import type { BalanceBlock } from '../balance.ts';
import type { LongReport, Report, Row } from '../model.ts';
import type { Names } from '../names.ts';
import type { CurrencyProof, MovedBridge } from './proof.ts';
import type { Since } from './since-last-statement.ts';

export type { MonthDocument };

export interface Organisation {
  /** The brand's colour as the API states it: unchecked text. */
  readonly colour: string | null;
  /** The logo as received: unchecked bytes. */
  readonly logo: Uint8Array | null;
}

/** The mismatches of one severity that are not resolved. */
export interface SeveritySummary {
  readonly severity: Severity;
  readonly open: number;
  readonly acknowledged: number;
  /** Currency to the sum of effects on what the merchant should receive. */
  readonly effect: ReadonlyMap<string, ExactDecimal>;
}

/** Mismatches whose claims were written off: they are resolved, so the sums of unresolved mismatches leave them out. */
export interface WrittenOffSum {
  readonly count: number;
  /** Currency to the sum of their effects. */
  readonly effect: ReadonlyMap<string, ExactDecimal>;
}

export interface HistoryMonth {
  readonly period: string;
  /** Null if the month was never synced. */
  readonly currencies: readonly HeaderTotals[] | null;
}

/** The close of a month that is in force, and who made it. */
export interface ClosedBy extends Pick<PeriodCloseTable, 'at' | 'chain' | 'figures_sha256' | 'with_open'> {
  readonly by: string;
}

/** A month's statement as data. Its long tables are read while they are rendered. */
export interface Statement {
  readonly month: string;
  /** Who closed the month; null while it is a draft. */
  readonly closed: ClosedBy | null;
  readonly organisation: Organisation;
  readonly names: Names;
  /** When the last sync of the month ended; ISO, UTC. A statement has no other "now". */
  readonly asOf: string;
  readonly remitVersion: string;
  readonly ledgerVersion: string;
  /** How the courier counts RETURN orders, and how that is known; null if no invoice has one. */
  readonly returns: ReturnsStandingSentence | null;
  readonly totals: MonthTotals;
  /** What the courier owes, from the month's opening to its closing; frozen if the month is closed. */
  readonly balance: readonly BalanceBlock[];
  /** Where the COD not received at the month's end is, and how it leads to the balance. */
  readonly custody: readonly CustodyTie[];
  /** How much of the net came in and how much is outstanding, by currency. */
  readonly settled: ReadonlyMap<string, SettledSums>;
  readonly proof: readonly CurrencyProof[];
  /** The bridges that moved since the close, as they are now; null if nothing became known since, or before a close. */
  readonly movedSinceClose: readonly MovedBridge[] | null;
  readonly mismatches: readonly SeveritySummary[];
  /** The unresolved mismatches by cause: one currency after the other, the most money first. */
  readonly causes: readonly Group[];
  readonly writtenOff: WrittenOffSum | null;
  /** The place in the chain of evidence that the figures come from. */
  readonly head: ChainPlace | null;
  /** What changed since the last statement of the month; null if this is the first. */
  readonly since: Since | null;
  /** What could not be compared. */
  readonly uncompared: readonly Sentence[];
  /** The checks that could not be run, and why. */
  readonly skipped: readonly { readonly code: string; readonly why: Sentence }[];
  /** What a reader must know before trusting the figures. */
  readonly warnings: readonly Sentence[];
  /** At most twelve months, the statement's last; empty if no month has an invoice. */
  readonly history: readonly HistoryMonth[];
  readonly tables: {
    readonly rollForward: Report;
    readonly invoices: Report;
    /** Invoices that the courier no longer lists, in the columns of `invoices`. */
    readonly vanished: readonly Row[];
    readonly orders: LongReport;
    /** The mismatches that are not resolved. */
    readonly mismatches: Report;
    /** The resolved ones, in the columns of `mismatches`. */
    readonly resolved: readonly Row[];
    /** The courier's receipts alone. */
    readonly receipts: Report;
    readonly ageing: Report;
    readonly custody: Report;
    readonly notInvoiced: Report;
    readonly changes: Report;
    /** One transaction for the deliveries of each day. */
    readonly journal: Report;
  };
  readonly runs: readonly Run[];
  readonly documents: AsyncIterable<MonthDocument>;
}
