import { type Claim, type Mismatch, readClaims, readMismatchesByStatus } from '../src/ledger/read/index.ts';
import { parseAmount } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row, Unit } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

/** What is told of a mismatch, here and in a month's statement. */
export const MISMATCH_COLUMNS: readonly Column[] = [
  { name: 'id', title: 'Id', type: 'id' },
  { name: 'code', title: 'Check', type: 'id' },
  { name: 'severity', title: 'Severity', type: 'text' },
  { name: 'period', title: 'Month', type: 'id' },
  { name: 'invoice_number', title: 'Invoice', type: 'number' },
  { name: 'order_id', title: 'Order', type: 'id' },
  { name: 'reference_id', title: 'Reference', type: 'id' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'field', title: 'Field', type: 'text' },
  { name: 'expected', title: 'Expected', type: 'measure' },
  { name: 'actual', title: 'Actual', type: 'measure' },
  { name: 'difference', title: 'Difference', type: 'measure' },
  { name: 'unit', title: 'Unit', type: 'text' },
  { name: 'effect', title: 'Effect', type: 'money' },
  { name: 'message', title: 'What and what to do', type: 'wide' },
  { name: 'status', title: 'Status', type: 'text' },
];

/** What became of the claim on it; empty where nothing was claimed. */
export const CLAIM_COLUMN: Column = { name: 'claim', title: 'Claim', type: 'text' };

/** A row a mismatch, with a cell for each of the columns, which are named after its fields, and the unit of its figures. */
export function mismatchRows(
  columns: readonly Column[],
  mismatches: readonly Mismatch[],
  claims: ReadonlyMap<string, Claim>,
): Row[] {
  return mismatches.map((mismatch) => {
    const claim = claims.get(mismatch.id);
    const unit = unitOf(mismatch);
    const measured_in = unit === 'money' ? mismatch.currency : unit;
    const fields: Row = { ...mismatch, unit, measured_in, claim: claim ? claimCell(claim) : null };
    return {
      ...Object.fromEntries(columns.map(({ name }) => [name, fields[name] ?? null])),
      unit: fields.unit ?? null,
    };
  });
}

/** What a mismatch's figures are: amounts have a currency, and of the others ages are days. */
function unitOf({ code, currency, expected, actual }: Mismatch): Unit | null {
  if (expected === null && actual === null) return null;
  if (currency !== null) return 'money';
  return code === 'payment-overdue' ? 'days' : 'count';
}

/** `written off` */
export function claimWord(state: Claim['state']): string {
  return state.replaceAll('-', ' ');
}

/** `answered (refused) 2026-11-25` */
function claimCell({ state, answer, moved_at }: Claim): string {
  return `${claimWord(state)}${state === 'answered' && answer !== null ? ` (${answer})` : ''} ${moved_at.slice(0, 10)}`;
}

/** Every mismatch of the months, open ones first. The totals are the effect of those that are not resolved. */
export async function mismatches({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const all = await readMismatchesByStatus(db, months);
  const found = all.filter((mismatch) => fits({ ...mismatch }, filters));
  const claims = await readClaims(
    db,
    found.map(({ id }) => id),
  );
  const columns = [...MISMATCH_COLUMNS, CLAIM_COLUMN];
  const sums = new CurrencySums('effect');
  for (const { status, currency, effect } of found) {
    if (status !== 'resolved' && effect !== null) sums.add(currency, { effect: parseAmount(effect) });
  }
  if (all.length === 0) notes.push(`No mismatch is stored; \`remit check ${period}\` looks for them.`);
  return {
    report: 'mismatches',
    title: 'Mismatches',
    period,
    columns,
    rows: mismatchRows(columns, found, claims),
    totals: () => sums.rows(),
    notes: () => notes,
  };
}
