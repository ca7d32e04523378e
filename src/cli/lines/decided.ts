import type { Approved } from '../../app/approvals/approve.ts';
import { isWaiting, type Waiting } from '../../app/approvals/propose.ts';
import type { Decision } from '../../app/decisions/decision.ts';
import type { DeclaredDecision } from '../../app/decisions/every.ts';
import type { MovedClaims } from '../../app/disputes/answers.ts';
import type { DecidedMismatches } from '../../app/mismatches/decide.ts';
import { approvedLines, waitingLines } from './approvals.ts';
import { closedLines, refusedLines, reopenedLines } from './close.ts';
import { claimLines } from './dispute.ts';
import { undoneLines } from './import.ts';
import { addedLine, settledLine } from './match.ts';
import { decidedLine, leftLines } from './mismatches.ts';

/** What a decision answers once it is made, and does not wait for a second person. */
type AnswerOf<Name> = Exclude<Awaited<ReturnType<Extract<DeclaredDecision, { name: Name }>['decide']>>, Waiting>;

/** The answer of `close` or `reopen` if the month cannot be closed or opened again. */
type Refused = Extract<AnswerOf<'close'>, { status: 'refused' }>;

/** What each of these decisions prints; {@link decidedLines} has those whose answer several decisions give. */
const LINES_OF: {
  readonly [Name in DeclaredDecision['name']]?: (answer: Exclude<AnswerOf<Name>, Refused>) => readonly string[];
} = {
  'match add': (added) => [addedLine(added)],
  'match remove': ({ match }) => [`match ${match} is taken away`],
  settle: ({ settled }) => settled.map(settledLine),
  'settle undo': ({ settlement }) => [`settlement ${settlement} is undone`],
  close: closedLines,
  reopen: reopenedLines,
  'import undo': undoneLines,
  'approvals refuse': ({ approval }) => [`decision ${approval} is refused`],
};

/**
 * What a command prints once its decision is made, and whether it did less than it was told to.
 *
 * @param zone the books' time zone, read only if a day is printed
 */
export async function decidedLines({ name, refuses }: Decision, answer: object, zone: () => Promise<string>) {
  const done = { warnings: [] as readonly string[], isIncomplete: false };
  // `close` and `reopen`, and an approval of a close.
  if ('reasons' in answer) {
    const { period, reasons } = answer as Refused;
    const what = refuses === 'reopen' ? 'cannot be opened again' : 'cannot be closed';
    return { lines: [], warnings: [refusedLines(`${period} ${what}:`, reasons).join('\n')], isIncomplete: true };
  }
  // `mismatch ack`, `resolve` and `reopen`.
  if ('changed' in answer) {
    const { act, changed, left } = answer as DecidedMismatches;
    const isIncomplete = left.some(({ why }) => why === 'other');
    const waiting = isWaiting(answer) ? waitingLines(answer) : [];
    const decided = waiting.length > 0 && changed.length === 0 ? [] : [decidedLine(act, changed.length)];
    return { lines: [...decided, ...waiting], warnings: leftLines(act, left), isIncomplete };
  }
  // `dispute answer`, `withdraw` and `write-off`.
  if ('claims' in answer) return { ...done, lines: claimLines((answer as MovedClaims).claims, [], await zone()) };
  // `approvals approve`.
  if ('approval' in answer && 'what' in answer) {
    const approved = answer as Approved;
    return { ...done, lines: [`decision ${approved.approval} is approved`, ...approvedLines(approved, await zone())] };
  }
  const linesOf = LINES_OF[name as keyof typeof LINES_OF] as ((answer: object) => readonly string[]) | undefined;
  return { ...done, lines: linesOf ? linesOf(answer) : [`${name}: done`] };
}
