import { ConflictError, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { type NumberTexts, namesPayout } from '../../base/number-texts.ts';
import type { Config } from '../../config/index.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { type LedgerTransaction, type MismatchStatus, usingTransaction } from '../../ledger/index.ts';
import { readLastEvents } from '../../ledger/queries/findings/history.ts';
import { type Mismatch, readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { REMIT } from '../../ledger/write/mismatches.ts';
import { because } from '../../words/errors/deciding.ts';
import { because as becauseFirst } from '../../words/errors/desk.ts';
import { isAboveLimit } from '../approvals/limit.ts';
import { isWaiting, propose, type Waiting } from '../approvals/propose.ts';
import { type Books, usingBooks } from '../books.ts';
import { ofOneCourier } from '../each-courier.ts';
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
  /** Decide about all of them or about none. */
  readonly whole?: boolean | undefined;
  /** Where they are resolved, take what they are short off their invoices too. */
  readonly settle?: boolean | undefined;
}

export interface Left {
  readonly mismatch: Mismatch;
  readonly last: MismatchEntry;
  /** `already`: it is in that state; `other`: it is in a state that this cannot be done from, or was moved meanwhile. */
  readonly why: 'already' | 'other';
  /** What to do about it; empty where nothing is to be done. */
  readonly remedy: string;
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
      const texts: NumberTexts = found.some(namesPayout) ? await readNumberTexts(db) : new Map();
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
    return { mismatch, last, why, remedy: 'Look at it again, and decide then.' };
  }
  if (status === TO_STATUS[act]) {
    // You may reword your own reason, but not overwrite another's.
    const isOwn = last.actor === by && note !== null && note !== mismatch.note;
    return isOwn && act !== 'reopen' ? { mismatch, last } : { mismatch, last, why: 'already', remedy: '' };
  }
  if (act === 'ack' && status === 'resolved') {
    return { mismatch, last, why: 'other', remedy: '`remit mismatch reopen` opens it again.' };
  }
  if (act === 'reopen' && status === 'resolved' && last.actor === REMIT) {
    return { mismatch, last, why: 'other', remedy: 'It opens by itself when the data shows it again.' };
  }
  return { mismatch, last };
}

/**
 * Keeps a decision as evidence, with the rows derived from it. What somebody changed since the plan was made is left as it is. Resolving
 * gives the amounts of findings up: above the limit of the books a second person has to approve it first.
 */
export function decide(books: Books, plan: DecisionPlan): Promise<Decided | Waiting> {
  const { act, by, note, courier, touch, left, whole = false, settle = false } = plan;
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
        const remedy = isSame ? '' : `Look at it with \`remit mismatch show ${id}\`, and decide again.`;
        return { mismatch, last: inWords(last.get(id)!), why: isSame ? 'already' : 'other', remedy };
      });
      const others = [...left, ...meanwhile];
      const mine = touch.filter((each) => !overtaken.includes(each)).map(({ mismatch }) => mismatch.id);
      if (mine.length === 0 || (whole && overtaken.length > 0)) {
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

/** @throws ConflictError where all of them are left as they are, naming who was first */
export function requireDecided(decided: Decided | Waiting): void {
  if (isWaiting(decided) || decided.evidence !== null) return;
  const first = decided.left.at(-1);
  // A filter may choose none.
  if (first === undefined) return;
  const { mismatch, last } = first;
  const since = becauseFirst({ id: 'mismatch-is', mismatch: mismatch.id, status: mismatch.status });
  throw new ConflictError(becauseFirst({ id: 'conflict', by: last.actor, at: instantForPeople(last.at), since }));
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
