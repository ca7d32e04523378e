import type { Severity } from '../../src/ledger/index.ts';
import type { Mismatch } from '../../src/ledger/read/index.ts';
import { ExactDecimal, parseAmount } from '../../src/money/index.ts';
import { MISMATCH_COLUMNS, mismatchRows } from '../mismatches.ts';
import type { Column, Report } from '../model.ts';
import { CurrencySums } from '../sums.ts';
import type { SeveritySummary } from './model.ts';

/** The worst comes first, its id last, and there is room for a note; the month is the statement's. */
const FIRST = ['severity', 'code'];
const NOTE: Column = { name: 'note', title: 'Note', type: 'wide' };
const columns: readonly Column[] = [
  ...FIRST.map((name) => MISMATCH_COLUMNS.find((column) => column.name === name)!),
  ...MISMATCH_COLUMNS.filter(({ name }) => ![...FIRST, 'id', 'period', 'unit'].includes(name)),
  NOTE,
  ...MISMATCH_COLUMNS.filter(({ name }) => name === 'id'),
];

/** The Mismatches sheet: the worst first; its totals are the effect of all that it lists. */
export function mismatchTable(month: string, mismatches: readonly Mismatch[]): Report {
  const sums = new CurrencySums('effect');
  for (const { currency, effect } of mismatches) {
    if (effect !== null) sums.add(currency, { effect: parseAmount(effect) });
  }
  return {
    report: 'mismatches',
    title: 'Mismatches',
    period: month,
    columns,
    rows: mismatchRows(columns, mismatches),
    totals: () => sums.rows(),
    notes: () =>
      mismatches.length === 0 ? ['The checks that were run found nothing; Summary lists those that were not run.'] : [],
  };
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
