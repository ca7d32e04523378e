import type { Sentence } from '../../src/base/sentence.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';
import type { ExactDecimal } from '../../src/money/decimal.ts';
import type { SettledFigure } from '../../src/money/fields.ts';
import type { BalanceBlock } from '../balance.ts';
import type { Lag } from '../lag.ts';
import type { Report, Row } from '../model.ts';
import type { Names } from '../names.ts';
import type { SeveritySummary } from '../statement/model.ts';
import type { CurrencyProof } from '../statement/proof.ts';

/** A part of a whole, in the block's currency. */
export interface PartOfWhole {
  readonly title: string;
  readonly amount: ExactDecimal;
}

/**
 * A month in one currency: amounts in different currencies are never added. The figures of `SETTLED_FIGURES` say how
 * the net was settled, and add up to it.
 */
export interface CurrencyBlock extends Readonly<Record<SettledFigure, ExactDecimal>> {
  readonly currency: string;
  /** The effects of unresolved findings; negative: you are short. Null if no invoice or finding is in this currency. */
  readonly short: ExactDecimal | null;
  readonly cod: ExactDecimal;
  readonly deliveryFee: ExactDecimal;
  readonly net: ExactDecimal;
  /** What the courier owes, from the month's opening to its closing. */
  readonly balance: BalanceBlock;
  readonly proof: CurrencyProof | null;
  /** The closing balance by age; receipts that no invoice explains yet are one part. */
  readonly ageing: readonly PartOfWhole[];
  /** What was delivered and is on no invoice at the month's end. */
  readonly notInvoiced: { readonly orders: number; readonly net: ExactDecimal };
  /** The delivery fees by district, the dearest first; those of many small districts are one part. */
  readonly fees: readonly PartOfWhole[];
  /** How many orders the month's invoices list, how many of them came back, and the fees of those. */
  readonly returns: { readonly orders: number; readonly returned: number; readonly fee: ExactDecimal };
  /** The months of the chart. `net`: null if the month was never synced. */
  readonly months: readonly { readonly period: string; readonly net: ExactDecimal | null }[];
}

/** A mismatch as the checks have it just now. */
export type SeenMismatch = Omit<Mismatch, 'message' | 'sentence'> & { readonly message: Sentence };

/** The mismatches of one severity: how many, and the first of them. */
export interface SeverityPanel extends SeveritySummary {
  readonly first: readonly SeenMismatch[];
}

/** A month at a glance: every figure, before it is laid out. */
export interface Dashboard {
  readonly month: string;
  readonly names: Names;
  /** When the last sync of the month ended; null if it was never synced. */
  readonly lastSyncedAt: string | null;
  readonly blocks: readonly CurrencyBlock[];
  readonly severities: readonly SeverityPanel[];
  /** How long orders waited for their invoice; null if none of the month has both dates. */
  readonly toInvoice: Lag | null;
  /** How long invoices waited to be paid; null if none of the month was. */
  readonly toPayment: Lag | null;
  /** What the courier restated: how many figures, and the last of them, as rows of the report `changes`. */
  readonly changes: { readonly count: number; readonly last: readonly Row[] };
  /** Why the ledger may lack a part of the month. */
  readonly incomplete: readonly Sentence[];
  /** Checks that could not look, by the reason. */
  readonly skipped: readonly { readonly why: Sentence; readonly codes: readonly string[] }[];
  /** What the checks looked at and could not compare. */
  readonly uncompared: readonly Sentence[];
  /** Whether received and outstanding rest on receipts or on the Paid flag. */
  readonly basis: readonly Sentence[];
}

/** The report with the figures of its rows as a page draws them. */
export interface DashboardReport extends Report {
  readonly dashboard: Dashboard;
}
