import type { Severity } from '../../src/ledger/index.ts';
import type { Mismatch } from '../../src/ledger/reader/index.ts';
import { ExactDecimal, parseAmount } from '../../src/money/index.ts';
import type { Column, Report } from '../model.ts';
import { CurrencySums } from '../sums.ts';
import type { SeveritySummary } from './model.ts';

const columns: Column[] = [
  { name: 'severity', title: 'Severity', type: 'text' },
  { name: 'code', title: 'Check', type: 'text' },
  { name: 'invoice_number', title: 'Invoice', type: 'integer' },
  { name: 'order_id', title: 'Order', type: 'text' },
  { name: 'reference_id', title: 'Reference', type: 'text' },
  { name: 'currency', title: 'Currency', type: 'text' },
  { name: 'field', title: 'Field', type: 'text' },
  { name: 'expected', title: 'Expected', type: 'money' },
  { name: 'actual', title: 'Actual', type: 'money' },
  { name: 'difference', title: 'Difference', type: 'money' },
  { name: 'effect', title: 'Effect', type: 'money' },
  { name: 'message', title: 'What and what to do', type: 'text' },
  { name: 'status', title: 'Status', type: 'text' },
  { name: 'note', title: 'Note', type: 'text' },
  { name: 'id', title: 'Id', type: 'text' },
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
    rows: mismatches.map((mismatch) =>
      Object.fromEntries(columns.map(({ name }) => [name, mismatch[name as keyof Mismatch]])),
    ),
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
