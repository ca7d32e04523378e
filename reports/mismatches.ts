import { dayIn } from '../src/base/day.ts';
import type { Sentence } from '../src/base/sentence.ts';
import { groupByCause } from '../src/checks/groups.ts';
import { type Claim, readClaims } from '../src/ledger/queries/findings/claims.ts';
import { type Mismatch, readMismatchesByStatus } from '../src/ledger/queries/findings/mismatches.ts';
import type { MismatchStatus } from '../src/ledger/schema.ts';
import { parseAmount } from '../src/money/decimal.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row, Unit } from './model.ts';
import { ColumnTotals } from './sums.ts';
import { syncedMonths } from './synced-months.ts';

/** What is shown of a mismatch, here and in a month's statement. */
export const MISMATCH_COLUMNS: readonly Column[] = [
  { name: 'id', type: 'id' },
  { name: 'code', type: 'id' },
  { name: 'severity', type: 'text' },
  { name: 'period', type: 'id' },
  { name: 'invoice_number', type: 'number' },
  { name: 'order_id', type: 'id' },
  { name: 'reference_id', type: 'id' },
  { name: 'currency', type: 'text', key: true },
  { name: 'field', type: 'text' },
  { name: 'expected', type: 'measure' },
  { name: 'actual', type: 'measure' },
  { name: 'difference', type: 'measure' },
  { name: 'unit', type: 'text' },
  { name: 'effect', type: 'money' },
  { name: 'amount', type: 'money' },
  { name: 'cause', type: 'wide' },
  { name: 'message', type: 'wide' },
  { name: 'status', type: 'text' },
];

/** What a mismatch is about, in one text. */
const SUBJECT: Column = { name: 'subject', type: 'text' };

/** What became of the claim on it; empty where nothing was claimed. */
export const CLAIM_COLUMN: Column = { name: 'claim', type: 'text' };

/** What became of the claim on a mismatch, and when; no mismatch is stored for the period. */
export type MismatchesSentence =
  | { id: 'claim-state'; state: Claim['state']; answer: Claim['answer']; on: string }
  | { id: 'no-mismatch-stored'; period: string };

/** Mismatches in the order of their causes: a currency after the other, in each the most money first. */
export function byCause<M extends Mismatch>(mismatches: readonly M[]): M[] {
  return groupByCause(mismatches).flatMap(({ findings }) => findings);
}

/** A row a mismatch, with a cell for each of the columns, which are named after its fields, and the unit of its figures. @param zone whose days the claims have */
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
    const fields: Row = {
      ...mismatch,
      cause,
      message,
      unit,
      measured_in,
      claim: claim ? claimCell(claim, zone) : null,
    };
    return {
      ...Object.fromEntries(columns.map(({ name }) => [name, fields[name] ?? null])),
      unit: fields.unit ?? null,
    };
  });
}

/** What a mismatch's figures are: a rate, which has no unit, is shown as a count is. */
function unitOf({ unit, expected, actual }: Mismatch): Unit | null {
  if (expected === null && actual === null) return null;
  return unit ?? 'count';
}

function claimCell({ state, answer, moved_at }: Claim, zone: string): MismatchesSentence {
  return { id: 'claim-state', state, answer: state === 'answered' ? answer : null, on: dayIn(moved_at, zone) };
}

const STATUSES: readonly MismatchStatus[] = ['open', 'acknowledged', 'resolved'];

/** Every mismatch of the months, open ones first, each by its cause and the most money first. The totals are the effect of those that are not resolved. */
export async function mismatches({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const all = await readMismatchesByStatus(db, months);
  const fitting = all.filter((mismatch) => fits({ ...mismatch }, filters));
  const found = STATUSES.flatMap((status) => byCause(fitting.filter((mismatch) => mismatch.status === status)));
  const claims = await readClaims(
    db,
    found.map(({ id }) => id),
  );
  const columns = [...MISMATCH_COLUMNS, SUBJECT, CLAIM_COLUMN];
  const sums = new ColumnTotals('effect');
  for (const { status, currency, effect } of found) {
    if (status !== 'resolved' && effect !== null) sums.add(currency, { effect: parseAmount(effect) });
  }
  return {
    report: 'mismatches',
    title: 'Mismatches',
    period,
    columns,
    rows: mismatchRows(columns, found, claims, settings.timeZone),
    totals: () => sums.rows(),
    notes: () => [
      ...notes,
      ...(all.length === 0 ? [{ id: 'no-mismatch-stored', period } satisfies MismatchesSentence] : []),
    ],
  };
}
