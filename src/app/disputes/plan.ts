import type { ClaimLine } from '../../../reports/claim/line.ts';
import { type Names, readNames } from '../../../reports/names.ts';
import { dayIn } from '../../base/day.ts';
import { UsageError } from '../../base/errors.ts';
import { formatPeriod } from '../../base/period.ts';
import { isOver } from '../../base/states.ts';
import { type ReturnsStanding, readReturns, standingOf } from '../../checks/facts/returns/convention.ts';
import { type Claim, readClaims } from '../../ledger/queries/findings/claims.ts';
import { readLastEvents } from '../../ledger/queries/findings/history.ts';
import { findMismatchesBy, type Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { SentLine } from '../../ledger/write/claims.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { type Books, readBooks } from '../books.ts';
import { booksOfMismatches, readEachCourier } from '../each-courier.ts';
import { requireSelection, type Selection, selectMismatches } from '../mismatches/select.ts';
import { readClaimLines, wasAsked } from './claim-lines.ts';
import { CLAIMABLE_CODES, type Gathered, gatherOwed, isClaimable, type Unallocated } from './gather.ts';
import type { NothingOwed, Owed } from './owed.ts';
import { leftByLetters } from './taken-off.ts';

export interface DisputeRequest {
  readonly selection: Selection;
  /** The months that the letter names, where findings are chosen by id; otherwise those of the filter. */
  readonly months?: readonly string[] | undefined;
  /** Include findings that were claimed already and have not changed since. */
  readonly again: boolean;
  /** Leave out what is in your favour, and what is only to be confirmed. */
  readonly shortOnly: boolean;
  /** Claim also what a receipt may have paid, though nobody knows what it pays. */
  readonly includePossible?: boolean | undefined;
  readonly by: string;
}

export interface LeftOutMismatch {
  readonly mismatch: Mismatch;
  readonly claim: Claim | null;
  /**
   * `claimed`: claimed already and unchanged; `resolved`: resolved already; `ours`: the courier cannot correct it;
   * `favour`: you are not short; for the others see {@link NothingOwed}.
   */
  readonly why: 'claimed' | 'resolved' | 'ours' | 'favour' | NothingOwed;
}

export interface DisputePlan {
  /** The courier that it is sent to, by key; null for the only one. */
  readonly courier: string | null;
  readonly by: string;
  /** The date of the letter, in the time zone of the books. */
  readonly on: string;
  /** The merchant and the courier, as the letter names them. */
  readonly names: Names;
  /** The months that the letter names, as a period and one by one; empty where it names none. */
  readonly period: string;
  readonly months: readonly string[];
  readonly lines: readonly ClaimLine[];
  /** How many lines are findings; the others are receipts that are taken off. */
  readonly count: number;
  /** The receipts in the lines that may be another courier's. */
  readonly shared: readonly Unallocated[];
  /** How the courier's invoices count RETURN orders. */
  readonly returns: ReturnsStanding;
  /** The findings' lines, as the ledger keeps them. */
  readonly sent: readonly SentLine[];
  /** The evidence of each finding's last change, to notice changes between the plan and the claim. */
  readonly seen: ReadonlyMap<string, number>;
  /** What is not claimed, and why. */
  readonly left: readonly LeftOutMismatch[];
}

/**
 * Makes the claim that would be sent. Nothing is written.
 *
 * @throws UsageError for an id that fits no mismatch or several, for several couriers without a choice of one, for a
 * selection that makes no sense, and for a check whose findings cannot be claimed
 */
export async function planDispute(books: Books, request: DisputeRequest): Promise<DisputePlan> {
  const { ids } = request.selection;
  const claimBooks = ids.length > 0 ? await booksOfMismatches(books, ids) : books;
  return readBooks(claimBooks, {}, (db, courierBooks) => planDisputeOf(db, courierBooks, request));
}

/** Makes the claim from a snapshot of one courier's rows. */
export async function planDisputeOf(
  db: LedgerReader,
  { now, config }: Pick<Books, 'now' | 'config'>,
  request: DisputeRequest,
): Promise<DisputePlan> {
  const { selection, by, months = selection.filter.periods ?? [] } = request;
  requireSelection(selection, 'a period, ');
  for (const code of selection.filter.codes ?? []) {
    if (CLAIMABLE_CODES.has(code)) continue;
    throw new UsageError(decidingError({ id: 'no-claim-of-check', check: code, claimable: [...CLAIMABLE_CODES] }));
  }
  const gathered = await gatherOwed(db, config, request.includePossible);
  const { chosen, leftOut, claims } = await chooseFindings(db, request, gathered);
  const free = leftByLetters(gathered, new Set(chosen.map(({ mismatch }) => mismatch.id)));
  const on = dayIn(now(), config.timeZone);
  const lines = await readClaimLines(db, chosen, { ...gathered, ...free }, claims, config.timeZone);
  const byId = new Map(chosen.map(({ mismatch }) => [mismatch.id, mismatch]));
  const last = await readLastEvents(db, [...byId.keys()]);
  return {
    courier: config.courier,
    by,
    on,
    names: await readNames(db, config),
    period: formatPeriod(months),
    months,
    lines,
    count: chosen.length,
    shared: free.unallocated.filter(({ couriers, currency }) => {
      const isTakenOff = lines.some((line) => line.code === 'receipt-unallocated' && line.currency === currency);
      return couriers.length > 0 && isTakenOff;
    }),
    returns: standingOf(await readReturns(db, config.returns)),
    sent: lines.flatMap((line) => {
      if (line.id === null) return [];
      const { unit, expected, actual, effect } = byId.get(line.id)!;
      return [{ ...line, id: line.id, unit, expected, actual, effect }];
    }),
    seen: new Map([...last].map(([id, { evidence_id }]) => [id, evidence_id])),
    left: leftOut,
  };
}

/** How many open findings of a month the courier owes you for and nobody claimed. */
export async function countUnclaimed(books: Books, month: string): Promise<number> {
  const selection = { ids: [], filter: { periods: [month] } };
  const counts = await readEachCourier(books, {}, async (db, { config }) => {
    const gathered = await gatherOwed(db, config);
    const { chosen } = await chooseFindings(db, { selection, again: false, shortOnly: true }, gathered);
    return chosen.filter(({ mismatch }) => mismatch.status === 'open').length;
  });
  return counts.reduce((sum, { value }) => sum + value, 0);
}

async function chooseFindings(
  db: LedgerReader,
  { selection, months, again, shortOnly }: Pick<DisputeRequest, 'selection' | 'months' | 'again' | 'shortOnly'>,
  { owed, whyNothing }: Gathered,
) {
  const isChosenById = selection.ids.length > 0;
  const found = await selectMismatches(db, selection, ['open', 'acknowledged']);
  if (isChosenById && months) await refuseOtherMonths(db, found, months);
  const ids = found.map(({ id }) => id);
  const claims = await readClaims(db, ids);
  const chosen: Owed[] = [];
  const leftOut: LeftOutMismatch[] = [];
  for (const mismatch of found) {
    const claim = claims.get(mismatch.id) ?? null;
    const owedByIt = owed.get(mismatch.id);
    const why = whyLeftOut(mismatch, claim, { again, shortOnly }, owedByIt, whyNothing.get(mismatch.id));
    if (why === null) chosen.push(owedByIt!);
    // A filter lets many findings through that cannot be claimed: those are not listed, unless they were chosen by id.
    else if (isChosenById || !UNLISTED.includes(why)) leftOut.push({ mismatch, claim, why });
  }
  return { chosen, leftOut, claims };
}

/** Refuses a letter about some months that claims a finding of another month. */
async function refuseOtherMonths(db: LedgerReader, named: readonly Mismatch[], months: readonly string[]) {
  const inMonths = new Set((await findMismatchesBy(db, { periods: months })).map(({ id }) => id));
  const other = named.find(({ id }) => !inMonths.has(id));
  if (!other) return;
  const error = decidingError({ id: 'not-of-month', mismatch: other.id, months: formatPeriod(months) });
  throw new UsageError(error).at('ids');
}

const UNLISTED: readonly LeftOutMismatch['why'][] = ['ours', 'resolved', 'favour'];

function whyLeftOut(
  mismatch: Mismatch,
  claim: Claim | null,
  { again, shortOnly }: Pick<DisputeRequest, 'again' | 'shortOnly'>,
  owed: Owed | undefined,
  whyNothing: NothingOwed | undefined,
): LeftOutMismatch['why'] | null {
  if (!isClaimable(mismatch)) return 'ours';
  if (mismatch.status === 'resolved') return 'resolved';
  // Unpaid money of no invoice, or in no currency, is in neither map. It names no sum to ask for, as if paid.
  if (owed === undefined) return whyNothing ?? 'covered';
  if (shortOnly && owed.section !== 'owed-to-us') return 'favour';
  return !again && claim && isClaimed(owed, claim) ? 'claimed' : null;
}

/** Whether a letter in force asks for all that is owed by a finding, or asked to confirm it as it is. */
function isClaimed(owed: Owed, claim: Claim): boolean {
  const { state } = claim;
  return owed.section === 'confirm'
    ? state === 'claimed' || state === 'answered'
    : !isOver(state) && wasAsked(owed, claim);
}
