import type { Part } from '../../src/checks/check.ts';
import type { Severity } from '../../src/ledger/index.ts';
import type { Claim, Mismatch } from '../../src/ledger/read/index.ts';
import { ExactDecimal, formatAmount, parseAmount } from '../../src/money/index.ts';
import { CLAIM_COLUMN, MISMATCH_COLUMNS, mismatchRows } from '../mismatches.ts';
import type { Column, Report, Row } from '../model.ts';
import { CurrencySums } from '../sums.ts';
import type { SeveritySummary, WrittenOff } from './model.ts';

/** What people read first comes first, then where they write; the month is the statement's. */
const NAMES =
  'severity invoice_number message effect currency status note claim code order_id reference_id field measured_in expected actual difference id';
const NOTE: Column = { name: 'note', title: 'Note', type: 'wide' };
/** Beside the figures once more: their currency, printed, is a page away. */
const MEASURED_IN: Column = { name: 'measured_in', title: 'In', type: 'text' };
const KNOWN: readonly Column[] = [...MISMATCH_COLUMNS, CLAIM_COLUMN, NOTE, MEASURED_IN];
const columns = NAMES.split(' ').map((name) => KNOWN.find((column) => column.name === name)!);

/** The claims on mismatches, by mismatch. */
type Claims = ReadonlyMap<string, Claim>;

/** A mismatch of the month, with what its effect is there, and whether it has one in another. */
export interface MonthMismatch extends Mismatch {
  readonly isElsewhere: boolean;
}

/**
 * The month's mismatches with the effect that each has in this month, so that they come to what the merchant is short or ahead: some
 * show in each of the months that they are about, and their money stands in one.
 *
 * @param effects where the checks found each effect to stand; a mismatch that is not in it keeps its own
 */
export function inMonth(
  mismatches: readonly Mismatch[],
  month: string,
  effects: ReadonlyMap<string, readonly Part[]>,
): MonthMismatch[] {
  return mismatches.map((mismatch) => {
    const parts = effects.get(mismatch.id);
    if (!parts || mismatch.effect === null) return { ...mismatch, isElsewhere: false };
    const here = parts.filter(({ period }) => period === month);
    if (here.length === 0) return { ...mismatch, effect: null, isElsewhere: parts.length > 0 };
    const effect = here.reduce((sum, part) => sum.plus(part.effect), new ExactDecimal(0));
    return { ...mismatch, effect: formatAmount(effect), isElsewhere: false };
  });
}

/** The Mismatches sheet: what is not resolved, the worst first and by invoice, with its effect summed up. */
export function mismatchTable(month: string, mismatches: readonly MonthMismatch[], claims: Claims): Report {
  const unresolved = mismatches.filter(({ status }) => status !== 'resolved');
  const sums = new CurrencySums('effect');
  for (const { currency, effect } of unresolved) {
    if (effect !== null) sums.add(currency, { effect: parseAmount(effect) });
  }
  return {
    report: 'mismatches',
    title: 'Mismatches',
    period: month,
    columns,
    rows: mismatchRows(columns, unresolved, claims),
    totals: () => sums.rows(),
    notes: () => {
      if (mismatches.length === 0) {
        return ['The checks that were run found nothing; Summary lists those that were not run.'];
      }
      const elsewhere = mismatches.filter(({ isElsewhere }) => isElsewhere).length;
      return elsewhere === 0
        ? []
        : [
            `${elsewhere === 1 ? 'One of these has its effect' : `${elsewhere} of these have their effect`} in another month, on whose statement it counts: here its cell is empty.`,
          ];
    },
  };
}

/** What stands below it: what is resolved, in no sum. */
export function resolvedRows(mismatches: readonly Mismatch[], claims: Claims): Row[] {
  return mismatchRows(
    columns,
    mismatches.filter(({ status }) => status === 'resolved'),
    claims,
  );
}

/** What was claimed and given up, with its effect per currency; null where nothing was. */
export function summariseWrittenOff(mismatches: readonly Mismatch[], claims: Claims): WrittenOff | null {
  const own = mismatches.filter(({ id }) => claims.get(id)?.state === 'written-off');
  return own.length === 0 ? null : { count: own.length, effect: effectOf(own) };
}

/** The mismatches that are not resolved, counted by severity, with their effect per currency. */
export function summariseMismatches(mismatches: readonly Mismatch[]): SeveritySummary[] {
  return (['error', 'warning', 'info'] as const).map((severity) => summariseSeverity(mismatches, severity));
}

function summariseSeverity(mismatches: readonly Mismatch[], severity: Severity): SeveritySummary {
  const own = mismatches.filter((mismatch) => mismatch.severity === severity && mismatch.status !== 'resolved');
  const open = own.filter(({ status }) => status === 'open').length;
  return { severity, open, acknowledged: own.length - open, effect: effectOf(own) };
}

function effectOf(mismatches: readonly Mismatch[]): Map<string, ExactDecimal> {
  const sums = new Map<string, ExactDecimal>();
  for (const { currency, effect } of mismatches) {
    if (currency === null || effect === null) continue;
    sums.set(currency, (sums.get(currency) ?? new ExactDecimal(0)).plus(parseAmount(effect)));
  }
  return sums;
}
