import { groupBy } from '../../src/base/group.ts';
import type { EffectPart } from '../../src/checks/check.ts';
import { countUnresolved } from '../../src/checks/groups.ts';
import type { Claim } from '../../src/ledger/queries/findings/claims.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';
import { type ExactDecimal, formatAmount, ZERO } from '../../src/money/decimal.ts';
import { Totals } from '../../src/money/sum.ts';
import { parseUnits } from '../../src/money/units.ts';
import { columnsOf } from '../columns.ts';
import { byCause, effectSums, mismatchRows } from '../mismatches.ts';
import type { Column, Report, Row } from '../model.ts';
import type { SeveritySummary, WrittenOffSum } from './model.ts';

/** What people read first, what they fill in, their claim. */
const ON_PAPER = columnsOf('severity cause invoice_number message effect amount currency* status note claim code');
/** `message` says the same as these. `measured_in`: what the figures are in, the currency again or the unit. */
const OFF_PAPER = columnsOf('order_id reference_id field measured_in expected actual difference:measure id');
const COLUMNS = [...ON_PAPER, ...OFF_PAPER.map((column): Column => ({ ...column, isOffPaper: true }))];

type Claims = ReadonlyMap<string, Claim>;

/** A mismatch with its effect in the month. `isElsewhere`: all of its effect is in other months. */
export interface MonthMismatch extends Mismatch {
  readonly isElsewhere: boolean;
}

/**
 * Each mismatch with its effect in this month alone: several months may list it, but its money counts once.
 *
 * @param effects each effect's parts by month, as the checks found them; a mismatch that the map lacks keeps its effect
 */
export function inMonth(
  mismatches: readonly Mismatch[],
  month: string,
  effects: ReadonlyMap<string, readonly EffectPart[]>,
): MonthMismatch[] {
  return mismatches.map((mismatch) => {
    const parts = effects.get(mismatch.id);
    if (!parts || mismatch.effect === null) return { ...mismatch, isElsewhere: false };
    const here = parts.filter(({ period }) => period === month);
    const sum = here.reduce((total, part) => total.plus(part.effect), ZERO);
    // Without a part in this month it is listed without money.
    const effect = here.length === 0 ? null : formatAmount(sum);
    return { ...mismatch, effect, amount: effect, isElsewhere: here.length === 0 && parts.length > 0 };
  });
}

export type MonthMismatchesNote = { id: 'no-mismatch-found' } | { id: 'effects-elsewhere'; count: number };

/**
 * The Mismatches sheet: what is not resolved, by cause and the most money first, with the effects added up.
 *
 * @param zone the time zone of the claims' days
 */
export function mismatchTable(
  month: string,
  mismatches: readonly MonthMismatch[],
  claims: Claims,
  zone: string,
): Report {
  const unresolved = byCause(mismatches.filter(({ status }) => status !== 'resolved'));
  const sums = effectSums(unresolved);
  return {
    report: 'mismatches',
    title: 'Mismatches',
    period: month,
    columns: COLUMNS,
    rows: mismatchRows(COLUMNS, unresolved, claims, zone),
    totals: () => sums.rows(),
    notes: () => {
      if (mismatches.length === 0) {
        return [{ id: 'no-mismatch-found' } satisfies MonthMismatchesNote];
      }
      const elsewhere = mismatches.filter(({ isElsewhere }) => isElsewhere).length;
      return elsewhere === 0 ? [] : [{ id: 'effects-elsewhere', count: elsewhere } satisfies MonthMismatchesNote];
    },
  };
}

/** The rows below the table: resolved mismatches, which no total counts. */
export function resolvedRows(mismatches: readonly Mismatch[], claims: Claims, zone: string): Row[] {
  const resolved = mismatches.filter(({ status }) => status === 'resolved');
  return mismatchRows(COLUMNS, resolved, claims, zone);
}

type SummarisedMismatch = Pick<Mismatch, 'severity' | 'status' | 'currency' | 'effect'>;

/** The claims that were written off, with their effect per currency; null if there are none. */
export function summariseWrittenOff(mismatches: readonly Mismatch[], claims: Claims): WrittenOffSum | null {
  const writtenOff = mismatches.filter(({ id }) => claims.get(id)?.state === 'written-off');
  return writtenOff.length === 0 ? null : { count: writtenOff.length, effect: effectOf(writtenOff) };
}

/** The mismatches that are not resolved, counted by severity, with their effect per currency. */
export function summariseMismatches(mismatches: readonly SummarisedMismatch[]): SeveritySummary[] {
  const unresolved = mismatches.filter(({ status }) => status !== 'resolved');
  const counts = countUnresolved(unresolved);
  return (['error', 'warning', 'info'] as const).map((severity) => {
    const ofSeverity = unresolved.filter((mismatch) => mismatch.severity === severity);
    return { severity, ...counts[severity], effect: effectOf(ofSeverity) };
  });
}

function effectOf(mismatches: readonly SummarisedMismatch[]): Map<string, ExactDecimal> {
  const totals = new Totals();
  for (const { currency, effect } of mismatches) {
    if (currency !== null && effect !== null) totals.add(currency, parseUnits(effect));
  }
  return new Map(totals.currencies().map((currency) => [currency, totals.of(currency)]));
}

/** The unresolved mismatches of each invoice and of each of its rows. */
export class Flags {
  readonly #ofInvoices: ReadonlyMap<number | null, readonly Mismatch[]>;
  readonly #ofOrders: ReadonlyMap<string | null, readonly Mismatch[]>;

  constructor(mismatches: readonly Mismatch[]) {
    const unresolved = mismatches.filter(({ status }) => status !== 'resolved');
    this.#ofInvoices = groupBy(unresolved, ({ invoice_number }) => invoice_number);
    this.#ofOrders = groupBy(unresolved, ({ order_id }) => order_id);
  }

  /** How many mismatches an invoice and its rows have. */
  ofInvoice(number: number): number {
    return this.#ofInvoices.get(number)?.length ?? 0;
  }

  /** The codes of a row's mismatches, or null. */
  ofRow(invoice: number, orderId: string): string | null {
    // A mismatch without an invoice is about the order on every invoice.
    const isOfRow = ({ invoice_number }: Mismatch) => invoice_number === null || invoice_number === invoice;
    const ofRow = this.#ofOrders.get(orderId)?.filter(isOfRow) ?? [];
    return ofRow.length > 0 ? [...new Set(ofRow.map(({ code }) => code))].join(', ') : null;
  }
}
