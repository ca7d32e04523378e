import { type ConflictError, UsageError } from '../../base/errors.ts';
import { holdsStandIn, type NumberTexts } from '../../base/number-texts.ts';
import type { Config } from '../../config/index.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { type LedgerTransaction, type MismatchStatus, usingTransaction } from '../../ledger/index.ts';
import { readLastEvents } from '../../ledger/queries/findings/history.ts';
import { type Mismatch, readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { REMIT } from '../../ledger/schema/findings.ts';
import { because } from '../../words/errors/deciding.ts';
import { because as becauseFirst } from '../../words/errors/desk.ts';
import { isAboveLimit } from '../approvals/limit.ts';
import { isWaiting, propose, type Waiting } from '../approvals/propose.ts';
import { type Books, usingBooks } from '../books.ts';
import { conflictError } from '../desk/conflicts.ts';
import { ofOneCourier } from '../each-courier.ts';
import { invoicesNamed } from '../invoices-named.ts';
import { planGiveUp } from '../settle/give-up.ts';
import { recordSettlements, type Settled } from '../settle/settle.ts';
import { inWords, type MismatchEntry } from './history.ts';
import { mismatchInNumberTexts, type OfNumberText } from './named.ts';
import { recordDecision } from './record.ts';
import { requireSelection, type Selection, selectMismatches } from './select.ts';

export type Act = 'ack' | 'resolve' | 'reopen';

export interface DecisionRequest {
  readonly act: Act;
  readonly selection: Selection;
  /** Who decides. */
  readonly by: string;
  /** The reason; null to keep the note that is there. */
  readonly note: string | null;
  /** The last evidence that the person has seen: what was changed after it is left as it is. Absent: all is seen. */
  readonly seen?: number | null | undefined;
  /** Where they are resolved, take what they are short off their invoices too. */
  readonly settle?: boolean | undefined;
}

export interface Left {
  readonly mismatch: Mismatch;
  readonly last: MismatchEntry;
  /** `already`: it is in that state; `other`: it is in a state that this cannot be done from, or was moved meanwhile. */
  readonly why: 'already' | 'other';
}

export interface DecisionPlan extends Omit<DecisionRequest, 'selection'> {
  /** The courier whose mismatches they are. */
  readonly courier: string;
  readonly touch: readonly { readonly mismatch: Mismatch & OfNumberText; readonly last: MismatchEntry }[];
  readonly left: readonly Left[];
}

/** What it did. */
export interface Decided {
  /** The evidence of the decision; null where nothing was left to decide. */
  readonly evidence: number | null;
  readonly changed: readonly Mismatch[];
  readonly left: readonly Left[];
  /** What was taken off their invoices. */
  readonly settled: readonly Settled[];
}

/** What resolving mismatches asks for, once they are named in full. */
export interface ResolveRequest {
  readonly ids: readonly string[];
  readonly by: string;
  readonly note: string | null;
  readonly settle: boolean;
}

const TO_STATUS: Readonly<Record<Act, MismatchStatus>> = {
  ack: 'acknowledged',
  resolve: 'resolved',
  reopen: 'open',
};

/** The statuses among which a filter looks. */
const FROM: Readonly<Record<Act, readonly MismatchStatus[]>> = {
  ack: ['open'],
  resolve: ['open', 'acknowledged'],
  reopen: ['acknowledged', 'resolved'],
};

/**
 * Plans what a decision would change. Nothing is written.
 *
 * @throws UsageError for an id that names no mismatch or several, couriers of which several have it, a selection that makes no sense, or a reason that is missing
 */
export async function planDecision(books: Books, request: DecisionRequest): Promise<DecisionPlan> {
  const { selection, ...rest } = request;
  requireSelection(selection);
  if (request.act !== 'ack' && request.note === null) {
    const verb = request.act === 'resolve' ? 'resolve' : 'reopen';
    throw new UsageError(because({ id: 'decision-without-reason', what: verb })).at('note');
  }
  const what = { kind: 'mismatches', name: selection.ids.join(', ') } as const;
  return ofOneCourier(books, what, (ledger, { name }) =>
    usingSnapshot(ledger, async (db) => {
      const found = await selectMismatches(db, selection, FROM[request.act]);
      const last = await readLastEvents(
        db,
        found.map(({ id }) => id),
      );
      const texts: NumberTexts = found.some(holdsStandIn) ? await readNumberTexts(db) : new Map();
      const judged = found.map((mismatch) =>
        judge(request, mismatchInNumberTexts(mismatch, texts), inWords(last.get(mismatch.id)!)),
      );
      return {
        ...rest,
        courier: name,
        touch: judged.flatMap((each) => ('why' in each ? [] : [each])),
        left: judged.flatMap((each) => ('why' in each ? [each] : [])),
      };
    }),
  );
}

function judge(
  { act, by, note, seen }: Pick<DecisionRequest, 'act' | 'by' | 'note' | 'seen'>,
  mismatch: Mismatch & OfNumberText,
  last: MismatchEntry,
): DecisionPlan['touch'][number] | Left {
  const { status } = mismatch;
  if (seen !== undefined && seen !== null && last.evidence_id > seen) {
    const why = status === TO_STATUS[act] ? 'already' : 'other';
    return { mismatch, last, why };
  }
  if (status === TO_STATUS[act]) {
    // You may reword your own reason, but not overwrite another's.
    const isOwn = last.actor === by && note !== null && note !== mismatch.note;
    return isOwn && act !== 'reopen' ? { mismatch, last } : { mismatch, last, why: 'already' };
  }
  if (act === 'ack' && status === 'resolved') {
    return { mismatch, last, why: 'other' };
  }
  if (act === 'reopen' && status === 'resolved' && last.actor === REMIT) {
    return { mismatch, last, why: 'other' };
  }
  return { mismatch, last };
}

/**
 * Keeps a decision as evidence, with the rows derived from it. What somebody changed since the plan was made is left as it is. Resolving
 * gives the amounts of findings up: above the limit of the books a second person has to approve it first.
 */
export function decide(books: Books, plan: DecisionPlan): Promise<Decided | Waiting> {
  const { act, by, note, courier, touch, left, settle = false } = plan;
  return usingBooks({ ...books, config: { ...books.config, courier } }, {}, (ledger, own) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      const ids = touch.map(({ mismatch }) => mismatch.id);
      const [now, last] = [await readMismatchesById(trx, ids), await readLastEvents(trx, ids)];
      const overtaken = touch.filter(
        ({ mismatch, last: seen }) => last.get(mismatch.id)!.evidence_id !== seen.evidence_id,
      );
      const meanwhile = overtaken.map(({ mismatch: { id } }): Left => {
        const mismatch = now.get(id)!;
        const isSame = mismatch.status === TO_STATUS[act];
        return { mismatch, last: inWords(last.get(id)!), why: isSame ? 'already' : 'other' };
      });
      const others = [...left, ...meanwhile];
      const mine = touch.filter((each) => !overtaken.includes(each)).map(({ mismatch }) => mismatch.id);
      if (mine.length === 0) {
        return { changed: [], left: others, settled: [], evidence: null };
      }
      if (act !== 'resolve') {
        const decision = { ids: mine, to_status: TO_STATUS[act], note, by, at: books.now() };
        const { id } = await recordDecision(trx, decision);
        return { ...(await changedBy(trx, id, mine)), left: others };
      }
      const request: ResolveRequest = { ids: mine, by, note, settle };
      const resolve = async () => ({ ...(await resolveIn(trx, own, request)), left: others });
      const { taken } = await givingUp(trx, own.config, request);
      return (await isAboveLimit(trx, own.config, taken))
        ? propose(trx, own, { what: 'resolve', request }, resolve)
        : resolve();
    }),
  );
}

/** A filter of mismatches, as it was typed. */
export interface Filtered {
  readonly code?: readonly string[] | undefined;
  readonly invoice?: string | undefined;
  readonly currency?: string | undefined;
  readonly maxEffect?: string | undefined;
}

export interface AskedOfMismatches extends Filtered {
  readonly ids: readonly string[];
  readonly note?: string;
  readonly settle?: boolean;
  readonly by: string;
  /** The last evidence that was known at the desk, null where it is not said; absent on the command line. */
  readonly seen?: number | null | undefined;
  readonly isDryRun?: boolean | undefined;
}

/** The answer of `remit mismatch ack`, `resolve` and `reopen`, as `--json` prints it. */
export interface DecidedMismatches extends Pick<Decided, 'changed' | 'settled'> {
  /** The evidence that keeps it; null where nothing changed. */
  readonly decision: number | null;
  readonly act: Act;
  readonly by: string;
  readonly note: string | null;
  readonly left: readonly LeftAsItIs[];
  /** Proposals that wait, of other couriers. */
  readonly others?: readonly Waiting[];
}

/** A mismatch that stays as it is, and who decided about it last. */
export interface LeftAsItIs extends Pick<Left, 'why'>, Pick<Mismatch, 'id' | 'status'> {
  readonly by: string;
  readonly at: string;
  readonly note: string | null;
}

/**
 * Decides about mismatches, courier by courier. At the desk it decides about all of them, or about none where somebody was first.
 *
 * @throws ConflictError at the desk or where it is only shown, where somebody was first or all of them are left as they are
 */
export async function decideMismatches(
  act: Act,
  all: Books,
  asked: AskedOfMismatches,
): Promise<DecidedMismatches | Waiting> {
  const { ids, by, settle, seen, code: codes, invoice: named, currency, maxEffect } = asked;
  const isAtDesk = seen !== undefined;
  // To undo is said by its button.
  const note = asked.note ?? (isAtDesk && act === 'reopen' ? 'opened again at the desk' : null);
  const { books, numbers } = await invoicesNamed(all, named === undefined ? [] : [named]);
  const filter = { codes, invoice: numbers[0], currency };
  const parts = [];
  for (const [courier, own] of byCourier(ids)) {
    const theirs = courier === null ? books : { ...books, config: { ...books.config, courier } };
    const selection = { ids: own, filter, maxEffect };
    parts.push({ theirs, plan: await planDecision(theirs, { act, selection, by, note, seen, settle }) });
  }
  const left = parts.flatMap(({ plan }) => plan.left);
  const overtaken = left.find(({ last }) => last.evidence_id > (seen ?? Number.POSITIVE_INFINITY));
  const isNothing = parts.every(({ plan }) => plan.touch.length === 0);
  const refused = overtaken ?? ((isAtDesk || asked.isDryRun) && isNothing ? left[0] : undefined);
  if (refused) throw firstOf(refused);
  const done: Decided[] = [];
  const waiting: Waiting[] = [];
  for (const { theirs, plan } of parts.filter((part) => part.plan.touch.length > 0)) {
    const decided = await decide(theirs, plan);
    if (isWaiting(decided)) waiting.push(decided);
    else done.push(decided);
  }
  const [first, ...others] = waiting;
  const more = others.length === 0 ? {} : { others };
  if (first && done.length === 0) return { ...first, ...more };
  const unique = new Map([...left, ...done.flatMap((one) => one.left)].map((one) => [one.mismatch.id, one]));
  const answer = {
    decision: done.find(({ evidence }) => evidence !== null)?.evidence ?? null,
    act,
    by,
    note,
    changed: done.flatMap((one) => one.changed),
    left: [...unique.values()].map(leftAsItIs),
    settled: done.flatMap((one) => one.settled),
  };
  return { ...first, ...answer, ...more };
}

function leftAsItIs({ mismatch: { id, status }, last, why }: Left): LeftAsItIs {
  return { id, why, status, by: last.actor, at: last.at, note: last.note };
}

/** Ids by whose they are: two couriers may have a mismatch of the same id. */
export function byCourier(ids: readonly string[]): ReadonlyMap<string | null, readonly string[]> {
  if (ids.length === 0) return new Map([[null, ids]]);
  const groups = new Map<string | null, string[]>();
  for (const each of ids) {
    const [id = '', courier = null] = each.split('/').reverse();
    groups.set(courier, [...(groups.get(courier) ?? []), id]);
  }
  return groups;
}

function firstOf({ mismatch: { id, status }, last: { actor: by, at, note } }: Left): ConflictError {
  return conflictError({ by, at }, becauseFirst({ id: 'mismatch-is', mismatch: id, status }), { id, status, note });
}

/** Resolves mismatches in a transaction that is open, whatever the limit. */
export async function resolveIn(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  request: ResolveRequest,
): Promise<Decided> {
  const { ids, by, note } = request;
  // What is open is read before the findings are resolved.
  const { settlements } = await givingUp(trx, config, request);
  const { id } = await recordDecision(trx, { ids, to_status: 'resolved', note, by, at: now() });
  const reason = note ?? '';
  const settled =
    settlements.length === 0
      ? []
      : await recordSettlements(
          trx,
          { at: now(), by },
          settlements.map((one) => ({ ...one, kind: 'write-off', note: reason })),
        );
  return { ...(await changedBy(trx, id, ids)), settled };
}

async function givingUp(trx: LedgerTransaction, config: Config, { ids, settle }: ResolveRequest) {
  return planGiveUp(trx, config, [...(await readMismatchesById(trx, ids)).values()], { settle });
}

async function changedBy(trx: LedgerTransaction, evidence: number, ids: readonly string[]): Promise<Decided> {
  const after = await readMismatchesById(trx, ids);
  return { evidence, changed: ids.map((id) => after.get(id)!), left: [], settled: [] };
}
