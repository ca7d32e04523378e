import { Type } from '@sinclair/typebox';
import { isWaiting, type Waiting } from '../../app/approvals/propose.ts';
import { assign } from '../../app/desk/assignments.ts';
import { type Decided, decide, planDecision, type Act as Verb } from '../../app/mismatches/decide.ts';
import { because } from '../../words/errors/desk.ts';
import { ofCourier } from '../reading/of-courier.ts';
import { type Act, conflict, type DecideRoute, fields, type Outcome, route, TEXT } from './act.ts';

const IDS = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 1_000 });

interface DecisionBody {
  readonly ids: readonly string[];
  readonly note?: string;
  readonly settle?: boolean;
}

const SETTLE = { settle: Type.Optional(Type.Boolean()) };

const decision = (act: Verb, title: string): DecideRoute =>
  route({
    path: `/mismatches/${act}`,
    title,
    operationId: `${act}Mismatches`,
    body: fields({ ids: IDS, note: Type.Optional(TEXT), ...(act === 'resolve' ? SETTLE : {}) }),
    decide: (sent) => decideAll(act, sent),
  });

/** Decides about all of them, or about none where somebody else was first. @throws Refusal 409 */
export async function decideAll(
  act: Verb,
  { desk: { books }, by, seen, body: { ids, note, settle } }: Pick<Act<DecisionBody>, 'desk' | 'by' | 'seen' | 'body'>,
): Promise<Outcome> {
  // To undo is said by its button.
  const said = note?.trim() || (act === 'reopen' ? 'opened again at the desk' : null);
  const parts = [];
  for (const [courier, own] of byCourier(ids)) {
    const theirs = ofCourier(books, courier);
    const selection = { ids: own, filter: {} };
    const plan = await planDecision(theirs, { act, selection, by, note: said, seen, whole: true, settle });
    parts.push({ theirs, plan });
  }
  const left = parts.flatMap(({ plan }) => plan.left);
  const overtaken = left.find(({ last }) => seen !== undefined && last.evidence_id > seen);
  if (overtaken || parts.every(({ plan }) => plan.touch.length === 0)) throw firstOf(overtaken ?? left[0]!);
  const done: Decided[] = [];
  const waiting: Waiting[] = [];
  for (const { theirs, plan } of parts.filter((part) => part.plan.touch.length > 0)) {
    const decided = await decide(theirs, plan);
    if (isWaiting(decided)) waiting.push(decided);
    else done.push(decided);
  }
  if (done.length === 0) return { answer: { ...waiting[0]!, ...otherWaiting(waiting) }, to: '/approvals' };
  const [first] = done.flatMap(({ evidence }) => (evidence === null ? [] : [evidence]));
  if (first === undefined) throw firstOf(done[0]!.left.at(-1)!);
  const changed = done.flatMap((one) => one.changed);
  const others = [...left, ...done.flatMap((one) => one.left)];
  const unique = [...new Map(others.map((one) => [one.mismatch.id, one])).values()];
  const why = unique.map(({ mismatch: { id, status }, last, why }) => {
    return { id, why, status, by: last.actor, at: last.at, note: last.note };
  });
  const settled = done.flatMap((one) => one.settled);
  const answer = { decision: first, act, by, note: said, changed, left: why, settled };
  return { answer: { ...waiting[0], ...answer, ...otherWaiting(waiting) }, to: '/mismatches' };
}

/** Of two couriers what each has may wait by itself. */
function otherWaiting([, ...others]: readonly Waiting[]): object {
  return others.length === 0 ? {} : { others };
}

/** Ids by whose they are: `swift/c3606b59d61e470d` names the courier, where two have a mismatch of the same id. */
function byCourier(ids: readonly string[]): ReadonlyMap<string | null, readonly string[]> {
  const groups = new Map<string | null, string[]>();
  for (const each of ids) {
    const [id = '', courier = null] = each.split('/').reverse();
    groups.set(courier, [...(groups.get(courier) ?? []), id]);
  }
  return groups;
}

function firstOf({ mismatch: { id, status }, last }: Decided['left'][number]) {
  return conflict({ by: last.actor, at: last.at }, because({ id: 'mismatch-is', mismatch: id, status }), {
    id,
    status,
    note: last.note,
  });
}

export const MISMATCH_ROUTES: readonly DecideRoute[] = [
  decision('ack', 'Acknowledge mismatches: somebody is at work on them'),
  decision('resolve', 'Resolve mismatches for a reason'),
  decision('reopen', 'Open mismatches again for a reason'),
  route({
    path: '/mismatches/assign',
    title: 'Assign mismatches to a person; to nobody with an empty name',
    operationId: 'assignMismatches',
    body: fields({ ids: IDS, to: Type.String({ maxLength: 100 }) }),
    decide: async ({ desk: { books }, by, body: { ids, to } }) => {
      const named: string[] = [];
      for (const [courier, own] of byCourier(ids)) {
        named.push(...(await assign(ofCourier(books, courier), { ids: own, to, by })).ids);
      }
      return { answer: { ids: named, to: to.trim() || null, by }, to: '/mismatches' };
    },
  }),
];
