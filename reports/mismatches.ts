import { dayIn } from '../src/base/day.ts';
import type { Sentence } from '../src/base/sentence.ts';
import { groupByCause } from '../src/checks/groups.ts';
import { type Claim, readClaims } from '../src/ledger/queries/findings/claims.ts';
import { type Mismatch, readMismatchesByStatus } from '../src/ledger/queries/findings/mismatches.ts';
import type { MismatchStatus } from '../src/ledger/schema.ts';
import { parseAmount } from '../src/money/decimal.ts';
import { ColumnTotals, columnsOf, rowIn } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row, Unit } from './model.ts';
import { syncedMonths } from './notes.ts';

/** `subject`: the invoice or order that it is about; `claim`: the state of the claim on it, empty without one. */
const COLUMNS = columnsOf(
  'id code severity period invoice_number order_id reference_id currency* field',
  'expected actual difference:measure unit effect amount cause message status subject claim',
);

/** The state of a mismatch's claim, or a note that no mismatch is stored for the period. */
export type MismatchesSentence =
  | { id: 'claim-state'; state: Claim['state']; answer: Claim['answer']; on: string }
  | { id: 'no-mismatch-stored'; period: string };

export function effectSums(mismatches: readonly Mismatch[]): ColumnTotals<'effect'> {
  const sums = new ColumnTotals('effect');
  for (const { currency, effect } of mismatches) {
    if (effect !== null) sums.add(currency, { effect: parseAmount(effect) });
  }
  return sums;
}

/** Mismatches by cause: one currency after the other, in each the cause with the most money first. */
export function byCause<M extends Mismatch>(mismatches: readonly M[]): M[] {
  return groupByCause(mismatches).flatMap(({ findings }) => findings);
}

/** One row per mismatch: the columns' cells, and the unit of its figures. @param zone the time zone of claims' days */
export function mismatchRows(
  columns: readonly Column[],
  mismatches: readonly Mismatch[],
  claims: ReadonlyMap<string, Claim>,
  zone: string,
): Row[] {
  const causes = new Map(
    groupByCause(mismatches).flatMap(({ findings, cause }) => findings.map(({ id }) => [id, cause])),
  );
  return mismatches.map((mismatch) => {
    const cause = causes.get(mismatch.id)!;
    const claim = claims.get(mismatch.id);
    const unit = unitOf(mismatch);
    const measured_in = unit === 'money' ? mismatch.currency : unit;
    const message = JSON.parse(mismatch.sentence) as Sentence;
    const fields = { ...mismatch, cause, message, unit, measured_in, claim: claim ? claimCell(claim, zone) : null };
    return { ...rowIn(columns, fields), unit };
  });
}

/** The unit of a mismatch's figures. A rate has none, and is shown like a count. */
function unitOf({ unit, expected, actual }: Mismatch): Unit | null {
  if (expected === null && actual === null) return null;
  return unit ?? 'count';
}

function claimCell({ state, answer, moved_at }: Claim, zone: string): MismatchesSentence {
  return { id: 'claim-state', state, answer: state === 'answered' ? answer : null, on: dayIn(moved_at, zone) };
}

const STATUSES: readonly MismatchStatus[] = ['open', 'acknowledged', 'resolved'];

/** Every mismatch of the months: open ones first, then by cause. The totals are the effects of the unresolved ones. */
export async function mismatches({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const all = await readMismatchesByStatus(db, months);
  const fitting = all.filter((mismatch) => fits({ ...mismatch }, filters));
  const found = STATUSES.flatMap((status) => byCause(fitting.filter((mismatch) => mismatch.status === status)));
  const ids = found.map(({ id }) => id);
  const claims = await readClaims(db, ids);
  const sums = effectSums(found.filter(({ status }) => status !== 'resolved'));
  return {
    report: 'mismatches',
    title: 'Mismatches',
    period,
    columns: COLUMNS,
    rows: mismatchRows(COLUMNS, found, claims, settings.timeZone),
    totals: () => sums.rows(),
    notes: () => [
      ...notes,
      ...(all.length === 0 ? [{ id: 'no-mismatch-stored', period } satisfies MismatchesSentence] : []),
    ],
  };
}
