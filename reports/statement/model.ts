import type { SettledSums } from '../../src/checks/receipts/settlements.ts';
import type { Severity } from '../../src/ledger/index.ts';
import type { ChainPlace, HeaderTotals, MonthDocument, MonthTotals, Run } from '../../src/ledger/read/index.ts';
import type { ExactDecimal } from '../../src/money/index.ts';
import type { Report, Row } from '../model.ts';
import type { CurrencyProof } from './proof.ts';
import type { Since } from './since.ts';

export interface Organisation {
  readonly name: string;
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

/** Mismatches whose claims were written off: resolved, and in no sum of what is not. */
export interface WrittenOff {
  readonly count: number;
  /** Currency to the sum of their effects. */
  readonly effect: ReadonlyMap<string, ExactDecimal>;
}

export interface HistoryMonth {
  readonly period: string;
  /** Null where the month was never synced. */
  readonly currencies: readonly HeaderTotals[] | null;
}

/** The close of a month that is in force. */
export interface ClosedBy {
  readonly by: string;
  /** ISO, UTC. */
  readonly at: string;
  /** The head of the chain at the close. */
  readonly chain: string;
  readonly figures_sha256: string;
  /** Why it was closed though errors were open; null where none was. */
  readonly with_open: string | null;
}

/** A month's statement: every figure, before it has a look. Its tables are read while they are rendered. */
export interface Statement {
  readonly month: string;
  /** Who closed the month; null while it is a draft. */
  readonly closed: ClosedBy | null;
  readonly organisation: Organisation;
  readonly apiUrl: string | null;
  /** When the last sync of the month ended; ISO, UTC. Stands in for the wall clock everywhere. */
  readonly asOf: string;
  readonly remitVersion: string;
  readonly ledgerVersion: string;
  readonly totals: MonthTotals;
  /** What of the net came in, and what is outstanding, by currency. */
  readonly settled: ReadonlyMap<string, SettledSums>;
  /** What parts the outstanding from the balances of the same invoices, as sentences. */
  readonly apart: readonly string[];
  readonly proof: readonly CurrencyProof[];
  readonly mismatches: readonly SeveritySummary[];
  /** Null where nothing was written off. */
  readonly writtenOff: WrittenOff | null;
  /** The place in the chain of evidence that the figures come from. */
  readonly head: ChainPlace | null;
  /** What changed since the last statement of the month; null where this is the first. */
  readonly since: Since | null;
  /** What could not be compared, as sentences. */
  readonly uncompared: readonly string[];
  /** The checks that could not be run, and why. */
  readonly skipped: readonly { readonly code: string; readonly why: string }[];
  /** Sentences that a reader must know before trusting the figures. */
  readonly warnings: readonly string[];
  /** At most twelve months, the statement's last; none where none of them holds any business. */
  readonly history: readonly HistoryMonth[];
  readonly tables: {
    readonly rollForward: Report;
    readonly invoices: Report;
    /** Those that the courier no longer lists, in the same columns. */
    readonly vanished: readonly Row[];
    readonly orders: Report;
    /** Those that are not resolved. */
    readonly mismatches: Report;
    /** Those that are, in the same columns. */
    readonly resolved: readonly Row[];
    /** The courier's alone. */
    readonly receipts: Report;
    readonly ageing: Report;
    readonly notInvoiced: Report;
    readonly changes: Report;
    /** Deliveries a day a transaction. */
    readonly journal: Report;
  };
  readonly runs: readonly Run[];
  readonly documents: AsyncIterable<MonthDocument>;
}
