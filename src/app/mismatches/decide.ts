import { UsageError } from '../../base/errors.ts';
import { holdsStandIn, type NumberTexts } from '../../base/number-texts.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import type { LedgerTransaction, MismatchStatus } from '../../ledger/index.ts';
import { readGivenUpNow } from '../../ledger/queries/findings/effects.ts';
import { readLastEvents } from '../../ledger/queries/findings/history.ts';
import { type Mismatch, readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { REMIT } from '../../ledger/schema/findings.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { deskError } from '../../words/errors/desk.ts';
import { decideUnderLimit, isWaiting, type Waiting } from '../approvals/propose.ts';
import { type Books, changeBooks } from '../books.ts';
import { conflictError } from '../desk/conflicts.ts';
import { invoicesNamed, ofOneCourier } from '../each-courier.ts';
import { recordDecision } from '../record.ts';
import { planGiveUp, requireOpen } from '../settle/give-up.ts';
import { recordSettlements, type Settled } from '../settle/settle.ts';
import { type MismatchEntry, mismatchInNumberTexts, reasonInWords, type WithNumberText } from './in-number-texts.ts';
import { requireSelection, type Selection, selectMismatches } from './select.ts';

export type Act = 'ack' | 'resolve' | 'reopen';

interface DecisionRequest {
  readonly act: Act;
  readonly selection: Selection;
  readonly by: string;
  /** The reason; null to keep the note that is there. */
  readonly note: string | null;
  /** The last evidence that the person saw: a mismatch that changed since stays as it is. Without it, all was seen. */
  readonly seen?: number | null | undefined;
  /** With `resolve`: also take what the mismatches are short off their invoices. */
  readonly settle?: boolean | undefined;
}

/** A mismatch that a decision leaves as it is. */
interface LeftMismatch {
  readonly courier: string;
  readonly mismatch: Mismatch;
  readonly last: MismatchEntry;
  /** `already`: it has that status; `other`: its status does not allow this, or somebody changed it meanwhile. */
  readonly why: 'already' | 'other';
}

interface DecisionPlan extends Omit<DecisionRequest, 'selection'> {
  /** The courier whose mismatches they are. */
  readonly courier: string;
  /** The mismatches to change, with the last entry in each history. */
  readonly touch: readonly { readonly mismatch: Mismatch & WithNumberText; readonly last: MismatchEntry }[];
  /** The mismatches that stay as they are. */
  readonly left: readonly LeftMismatch[];
}

/** What a decision changed, and what it left as it was. */
export interface MadeDecision {
  /** The evidence of the decision; null when nothing was left to decide. */
  readonly evidence: number | null;
  readonly changed: readonly Mismatch[];
  readonly left: readonly LeftMismatch[];
  /** What was taken off the mismatches' invoices. */
  readonly settled: readonly Settled[];
}

/** A request to resolve mismatches, named by their whole ids. */
export interface ResolveRequest {
  readonly ids: readonly string[];
  readonly by: string;
  readonly note: string | null;
  readonly settle: boolean;
}

const TO_STATUS: Readonly<Record<Act, MismatchStatus>> = { ack: 'acknowledged', resolve: 'resolved', reopen: 'open' };

/** The statuses among which a filter looks. */
const FROM_STATUSES: Readonly<Record<Act, readonly MismatchStatus[]>> = {
  ack: ['open'],
  resolve: ['open', 'acknowledged'],
  reopen: ['acknowledged', 'resolved'],
};

/**
 * Plans what a decision would change. Nothing is written.
 *
 * @throws UsageError for ids that do not name one mismatch each, a selection that makes no sense, or a missing reason
 */
export async function planDecision(books: Books, request: DecisionRequest): Promise<DecisionPlan> {
  const { selection, ...decision } = request;
  requireSelection(selection);
  if (request.act !== 'ack' && request.note === null) {
    throw new UsageError(decidingError({ id: 'decision-without-reason', what: request.act })).at('note');
  }
  const what = { kind: 'mismatches', name: selection.ids.join(', ') } as const;
  return ofOneCourier(books, what, async (db, { name }) => {
    const found = await selectMismatches(db, selection, FROM_STATUSES[request.act]);
    const ids = found.map(({ id }) => id);
    const lastEvents = await readLastEvents(db, ids);
    const givenUp = request.act === 'reopen' ? await readGivenUpNow(db) : new Set<string>();
    const texts: NumberTexts = found.some(holdsStandIn) ? await readNumberTexts(db) : new Map();
    const judged = found.map((mismatch) => {
      const last = reasonInWords(lastEvents.get(mismatch.id)!);
      const why = whyLeft(mismatch, last, { ...request, isGivenUp: givenUp.has(mismatch.id) });
      return { mismatch: mismatchInNumberTexts(mismatch, texts), last, why };
    });
    return {
      ...decision,
      courier: name,
      touch: judged.flatMap(({ why, ...each }) => (why === null ? [each] : [])),
      left: judged.flatMap(({ why, ...each }) => (why === null ? [] : [{ courier: name, ...each, why }])),
    };
  });
}

/**
 * Says why a decision leaves a mismatch as it is; null if it may change it.
 *
 * @param last the last entry in its history
 * @param decision `isGivenUp`: a person resolved it, and what that gave up counts still
 */
function whyLeft(
  { status, note: noteNow }: Mismatch,
  last: MismatchEntry,
  { act, by, note, seen, isGivenUp }: Omit<DecisionRequest, 'selection'> & { readonly isGivenUp: boolean },
): LeftMismatch['why'] | null {
  const hasChangedSinceSeen = last.evidence_id > (seen ?? Number.POSITIVE_INFINITY);
  if (status === TO_STATUS[act]) {
    // You may reword the reason that you gave, but not overwrite another person's.
    const isRewording = act !== 'reopen' && last.actor === by && note !== null && note !== noteNow;
    return isRewording && !hasChangedSinceSeen ? null : 'already';
  }
  if (hasChangedSinceSeen || (act === 'ack' && status === 'resolved')) return 'other';
  // remit resolved it, because the data no longer shows it: it opens by itself when the data shows it again.
  const isGoneFromData = status === 'resolved' && last.actor === REMIT && !isGivenUp;
  return act === 'reopen' && isGoneFromData ? 'other' : null;
}

/**
 * Keeps a decision as evidence and derives its rows. A mismatch that changed since the plan was made is left as it is.
 * Resolving gives up amounts: above the limit of the books a second person has to approve it first.
 */
export function decide(books: Books, plan: DecisionPlan): Promise<MadeDecision | Waiting> {
  const { act, by, note, courier, left, settle = false } = plan;
  return changeBooks({ ...books, config: { ...books.config, courier } }, {}, async (trx, courierBooks) => {
    const { config } = courierBooks;
    await holdHead(trx);
    const { decidable, changedMeanwhile } = await readDecidable(trx, plan);
    const ids = decidable.map(({ id }) => id);
    const allLeft = [...left, ...changedMeanwhile];
    if (ids.length === 0) return { changed: [], left: allLeft, settled: [], evidence: null };
    if (act !== 'resolve') {
      const { id } = await recordDecision(trx, { ids, to_status: TO_STATUS[act], note, by, at: books.now() });
      return { ...(await changedBy(trx, id, ids)), left: allLeft };
    }
    const request: ResolveRequest = { ids, by, note, settle };
    const resolve = async () => ({ ...(await resolveIn(trx, courierBooks, request)), left: allLeft });
    const { givenUp, settlements } = await planGiveUp(trx, config, ids, request);
    await requireOpen(trx, config, decidable, settlements);
    return decideUnderLimit(trx, courierBooks, { what: 'resolve', request, givenUp }, resolve);
  });
}

/** Reads the mismatches that a plan is to change, apart from those that changed since it was made. */
async function readDecidable(trx: LedgerTransaction, { act, courier, touch }: DecisionPlan) {
  const ids = touch.map(({ mismatch }) => mismatch.id);
  const mismatches = await readMismatchesById(trx, ids);
  const lastEvents = await readLastEvents(trx, ids);
  const decidable: Mismatch[] = [];
  const changedMeanwhile: LeftMismatch[] = [];
  for (const { mismatch: planned, last: lastPlanned } of touch) {
    const mismatch = mismatches.get(planned.id)!;
    const last = reasonInWords(lastEvents.get(planned.id)!);
    const why = mismatch.status === TO_STATUS[act] ? 'already' : 'other';
    if (last.evidence_id === lastPlanned.evidence_id) decidable.push(mismatch);
    else changedMeanwhile.push({ courier, mismatch, last, why });
  }
  return { decidable, changedMeanwhile };
}

/** A filter of mismatches, as a person typed it. */
export interface TypedFilter {
  readonly code?: readonly string[] | undefined;
  readonly invoice?: string | undefined;
  readonly currency?: string | undefined;
  readonly maxEffect?: string | undefined;
}

export interface MismatchesInput extends TypedFilter {
  readonly ids: readonly string[];
  readonly note?: string;
  readonly settle?: boolean;
  readonly by: string;
  /** The last evidence that the desk's page showed, null if it does not say; absent on the command line. */
  readonly seen?: number | null | undefined;
  readonly isDryRun?: boolean | undefined;
}

/** The answer of `remit mismatch ack`, `resolve` and `reopen`, as `--json` prints it. */
export interface DecidedMismatches extends Pick<MadeDecision, 'changed' | 'settled'> {
  /** The evidence of the decision; the first courier's where several have one; null when nothing changed. */
  readonly decision: number | null;
  readonly act: Act;
  readonly by: string;
  readonly note: string | null;
  readonly left: readonly LeftAsItIs[];
  /** When several couriers' decisions wait for a second person: all but the first. */
  readonly others?: readonly Waiting[];
}

/** The answer where only some of the mismatches wait for a second person: the first of them, and what was decided. */
type PartlyWaiting = DecidedMismatches & Waiting;

/** A mismatch that stays as it is, and who decided about it last. */
export interface LeftAsItIs extends Pick<LeftMismatch, 'courier' | 'why'>, Pick<Mismatch, 'id' | 'status'> {
  readonly by: string;
  readonly at: string;
  readonly note: string | null;
}

/**
 * Decides about mismatches, courier by courier. At the desk about none, if one changed since the page was shown.
 *
 * @throws ConflictError when somebody was first at the desk, or, at the desk or in a dry run, when nothing would change
 */
export async function decideMismatches(
  act: Act,
  all: Books,
  input: MismatchesInput,
): Promise<DecidedMismatches | Waiting | PartlyWaiting> {
  const { by, seen } = input;
  const isAtDesk = seen !== undefined;
  // The desk's button to undo asks for no reason.
  const note = input.note ?? (isAtDesk && act === 'reopen' ? 'opened again at the desk' : null);
  const plans = await planByCourier(all, input, { act, note });
  const left = plans.flatMap((plan) => plan.left);
  refuseOvertaken(plans, left, { seen, mustChange: isAtDesk || input.isDryRun === true });
  const decided: MadeDecision[] = [];
  const waiting: Waiting[] = [];
  for (const plan of plans.filter(({ touch }) => touch.length > 0)) {
    const made = await decide(all, plan);
    if (isWaiting(made)) waiting.push(made);
    else decided.push({ ...made, changed: made.changed.map((one) => ({ ...one, courier: plan.courier })) });
  }
  // Two couriers may have a mismatch of the same id.
  const eachLeft = new Map(
    [...left, ...decided.flatMap((one) => one.left)].map((one) => [`${one.courier}/${one.mismatch.id}`, one]),
  );
  const answer: DecidedMismatches = {
    decision: decided.find(({ evidence }) => evidence !== null)?.evidence ?? null,
    act,
    by,
    note,
    changed: decided.flatMap((one) => one.changed),
    left: [...eachLeft.values()].map(leftAsItIs),
    settled: decided.flatMap((one) => one.settled),
  };
  const [firstWaiting, ...otherWaiting] = waiting;
  if (!firstWaiting) return answer;
  const others = otherWaiting.length === 0 ? {} : { others: otherWaiting };
  // If a second person has to approve everything, nothing was decided yet: the answer has no changes to list.
  const allWait = decided.length === 0 && left.length === 0;
  return allWait ? { ...firstWaiting, ...others } : { ...firstWaiting, ...answer, ...others };
}

async function planByCourier(
  all: Books,
  { ids, by, settle, seen, code: codes, invoice, currency, maxEffect }: MismatchesInput,
  { act, note }: Pick<DecisionRequest, 'act' | 'note'>,
): Promise<readonly DecisionPlan[]> {
  const { books, numbers } = await invoicesNamed(all, invoice === undefined ? [] : [invoice]);
  const filter = { codes, invoice: numbers[0], currency };
  const plans: DecisionPlan[] = [];
  for (const [courier, courierIds] of byCourier(ids)) {
    const courierBooks = courier === null ? books : { ...books, config: { ...books.config, courier } };
    const selection = { ids: courierIds, filter, maxEffect };
    plans.push(await planDecision(courierBooks, { act, selection, by, note, seen, settle }));
  }
  return plans;
}

/** @throws ConflictError if a mismatch changed since it was seen, or if something must change and nothing would */
function refuseOvertaken(
  plans: readonly DecisionPlan[],
  left: readonly LeftMismatch[],
  { seen, mustChange }: Pick<MismatchesInput, 'seen'> & { readonly mustChange: boolean },
): void {
  const overtaken = left.find(({ last }) => last.evidence_id > (seen ?? Number.POSITIVE_INFINITY));
  const changesNothing = plans.every(({ touch }) => touch.length === 0);
  const refused = overtaken ?? (mustChange && changesNothing ? left[0] : undefined);
  if (!refused) return;
  const { mismatch, last } = refused;
  const { id, status } = mismatch;
  const { actor: by, at, note } = last;
  throw conflictError({ by, at }, deskError({ id: 'mismatch-is', mismatch: id, status }), { id, status, note });
}

function leftAsItIs({ courier, mismatch: { id, status }, last, why }: LeftMismatch): LeftAsItIs {
  return { id, courier, why, status, by: last.actor, at: last.at, note: last.note };
}

/** Groups ids such as `swift/4f1c` by courier (two may have a mismatch of the same id); `4f1c` alone is under null. */
export function byCourier(ids: readonly string[]): ReadonlyMap<string | null, readonly string[]> {
  if (ids.length === 0) return new Map([[null, ids]]);
  const groups = new Map<string | null, string[]>();
  for (const each of ids) {
    const [id = '', courier = null] = each.split('/').reverse();
    groups.set(courier, [...(groups.get(courier) ?? []), id]);
  }
  return groups;
}

/** Resolves mismatches inside an open transaction, without asking whether a second person must approve it. */
export async function resolveIn(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  request: ResolveRequest,
): Promise<MadeDecision> {
  const { ids, by, note } = request;
  // Read first: once the mismatches are resolved, nothing of them is open any more.
  const { settlements } = await planGiveUp(trx, config, ids, request);
  const { id } = await recordDecision(trx, { ids, to_status: 'resolved', note, by, at: now() });
  const writeOffs = settlements.map((one) => ({ ...one, kind: 'write-off' as const, note: note ?? '' }));
  const settled = writeOffs.length === 0 ? [] : await recordSettlements(trx, { at: now(), by }, writeOffs);
  return { ...(await changedBy(trx, id, ids)), settled };
}

async function changedBy(trx: LedgerTransaction, evidence: number, ids: readonly string[]): Promise<MadeDecision> {
  const after = await readMismatchesById(trx, ids);
  return { evidence, changed: ids.map((id) => after.get(id)!), left: [], settled: [] };
}
