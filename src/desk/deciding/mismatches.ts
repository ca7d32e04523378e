import { Type } from '@sinclair/typebox';
import { assign } from '../../app/desk/assignments.ts';
import { type Decided, decide, planDecision, type Act as Verb } from '../../app/mismatches/decide.ts';
import { because } from '../../words/errors/desk.ts';
import { type Act, conflict, type DecideRoute, fields, type Outcome, route, SEEN, TEXT } from './act.ts';

const IDS = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 1_000 });

interface DecisionBody {
  readonly ids: readonly string[];
  readonly note?: string;
  readonly seen?: number;
}

const decision = (act: Verb, title: string): DecideRoute =>
  route({
    path: `/mismatches/${act}`,
    title,
    operationId: `${act}Mismatches`,
    body: fields({ ids: IDS, note: Type.Optional(TEXT), seen: SEEN }),
    decide: (sent) => decideAll(act, sent),
  });

/** Decides about all of them, or about none where somebody else was first. @throws Refusal 409 */
export async function decideAll(
  act: Verb,
  { desk: { books }, by, body: { ids, note, seen } }: Pick<Act<DecisionBody>, 'desk' | 'by' | 'body'>,
): Promise<Outcome> {
  const selection = { ids, filter: {} };
  // To undo is said by its button.
  const said = note?.trim() || (act === 'reopen' ? 'opened again at the desk' : null);
  const plan = await planDecision(books, { act, selection, by, note: said, seen, whole: true });
  const overtaken = plan.left.find(({ last }) => seen !== undefined && last.evidence_id > seen);
  if (overtaken || plan.touch.length === 0) throw firstOf(overtaken ?? plan.left[0]!);
  const decided = await decide(books, plan);
  if (decided.evidence === null) throw firstOf(decided.left.at(-1)!);
  const { changed, evidence } = decided;
  const left = decided.left.map(({ mismatch: { id, status }, last, why }) => {
    return { id, why, status, by: last.actor, at: last.at, note: last.note };
  });
  return { answer: { decision: evidence, act, by, note: plan.note, changed, left }, to: '/mismatches' };
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
    decide: async ({ desk: { books }, by, body: { ids, to } }) => ({
      answer: { ...(await assign(books, { ids, to, by })), by },
      to: '/mismatches',
    }),
  }),
];
