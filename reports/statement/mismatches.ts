import type { Severity } from '../../src/ledger/index.ts';
import type { Mismatch } from '../../src/ledger/read/index.ts';
import { ExactDecimal, parseAmount } from '../../src/money/index.ts';
import { MISMATCH_COLUMNS, mismatchRows } from '../mismatches.ts';
import type { Column, Report, Row } from '../model.ts';
import { CurrencySums } from '../sums.ts';
import type { SeveritySummary } from './model.ts';

/** What people read first comes first, then where they write; the month is the statement's. */
const NAMES =
  'severity invoice_number message effect currency status note code order_id reference_id field expected actual difference id';
const NOTE: Column = { name: 'note', title: 'Note', type: 'wide' };
const columns: readonly Column[] = NAMES.split(' ').map(
  (name) => MISMATCH_COLUMNS.find((column) => column.name === name) ?? NOTE,
);

/** The Mismatches sheet: what is not resolved, the worst first and by invoice, with its effect summed up. */
export function mismatchTable(month: string, mismatches: readonly Mismatch[]): Report {
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
    rows: mismatchRows(columns, unresolved),
    totals: () => sums.rows(),
    notes: () =>
      mismatches.length === 0 ? ['The checks that were run found nothing; Summary lists those that were not run.'] : [],
  };
}

/** What stands below it: what is resolved, in no sum. */
export function resolvedRows(mismatches: readonly Mismatch[]): Row[] {
  return mismatchRows(
    columns,
    mismatches.filter(({ status }) => status === 'resolved'),
  );
}

/** The mismatches that are not resolved, counted by severity, with their effect per currency. */
export function summariseMismatches(mismatches: readonly Mismatch[]): SeveritySummary[] {
  return (['error', 'warning', 'info'] as const).map((severity) => summariseSeverity(mismatches, severity));
}

function summariseSeverity(mismatches: readonly Mismatch[], severity: Severity): SeveritySummary {
  const effect = new Map<string, ExactDecimal>();
  let [open, acknowledged] = [0, 0];
  for (const mismatch of mismatches) {
    if (mismatch.severity !== severity || mismatch.status === 'resolved') continue;
    if (mismatch.status === 'open') open += 1;
    else acknowledged += 1;
    if (mismatch.currency === null || mismatch.effect === null) continue;
    const before = effect.get(mismatch.currency) ?? new ExactDecimal(0);
    effect.set(mismatch.currency, before.plus(parseAmount(mismatch.effect)));
  }
  return { severity, open, acknowledged, effect };
}
