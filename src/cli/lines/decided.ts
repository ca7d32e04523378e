import type { Approved } from '../../app/approvals/approve.ts';
import type { ListedApproval } from '../../app/approvals/list.ts';
import type { Policy } from '../../app/approvals/policy.ts';
import { isWaiting, type Waiting } from '../../app/approvals/propose.ts';
import type { Decision } from '../../app/decisions/decision.ts';
import type { DeclaredDecision } from '../../app/decisions/every.ts';
import type { DecisionLine } from '../../app/decisions/lines.ts';
import type { Preview } from '../../app/decisions/preview.ts';
import type { MovedClaims } from '../../app/disputes/claims.ts';
import type { DecidedMismatches } from '../../app/mismatches/decide.ts';
import { dayIn } from '../../base/day.ts';
import { cleanText } from '../../base/text.ts';
import { closedLines, refusedLines, reopenedLines } from './close.ts';
import { claimLines } from './dispute.ts';
import { importedLines, undoneLines } from './import.ts';
import { waitingLine, whoseLabels } from './labels.ts';
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
    // A mismatch that has the status already is no failure.
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

/** A line for each courier whose part of a decision waits. */
export function waitingLines({ others = [], ...first }: Waiting & { readonly others?: readonly Waiting[] }): string[] {
  return [first, ...others].map(waitingLine);
}

/** The decisions that wait or waited, one line each. @param zone the time zone of their days */
export function approvalLines(approvals: readonly ListedApproval[], zone: string): string[] {
  if (approvals.length === 0) return ['no decision waits for a second person'];
  const whose = whoseLabels(approvals);
  return approvals.flatMap(({ courier, id, at, by, status, decided_by, lines, ...proposed }) => {
    const end = decided_by === null ? 'waits' : `${status} by ${cleanText(decided_by)}`;
    return [
      `${whose({ courier })}${id}  ${dayIn(at, zone)}  ${cleanText(by)}  ${requestText(proposed)}  ${end}`,
      ...lines.map((line) => `    ${lineText(line)}`),
    ];
  });
}

export function previewLines({ lines, sums, stale_after, refusals }: Preview): string[] {
  if (stale_after === null) return refusalLines(refusals);
  return [
    ...lines.map(lineText),
    ...sums.map(({ amount, currency, direction }) => `in all ${amount} ${currency}${DIRECTIONS[direction]}`),
    seenLine(stale_after),
  ];
}

function seenLine(digest: string): string {
  return `nothing was decided; --seen ${digest} decides this and nothing else`;
}

/** For a preview that is printed otherwise, such as a letter: how to decide just that, or why it would be refused. */
export function seenLines({ stale_after, refusals }: Preview): string[] {
  return stale_after === null ? refusalLines(refusals) : [seenLine(stale_after)];
}

function refusalLines(refusals: Preview['refusals']): string[] {
  return refusals.map(({ why }) => `it would be refused: ${cleanText(why, 2_000)}`);
}

const DIRECTIONS = { 'to-us': ', owed to you', 'by-us': ', owed by you', none: '' } as const;

/** What a decision does: `write-off invoice 10001: 97.00 USD, open afterwards 0.00`. A courier's name comes first. */
export function lineText({ what, courier, subject, currency, amount, open }: DecisionLine): string {
  const money = amount === null || currency === null ? '' : `: ${amount} ${currency}`;
  const whose = courier === null ? '' : `${cleanText(courier)}  `;
  return `${whose}${what} ${cleanText(subject)}${money}${open === undefined ? '' : `, open afterwards ${open}`}`;
}

/** The kinds of requests are told apart by a field that only one of them has. */
function requestText({ what, request }: Pick<ListedApproval, 'what' | 'request'>): string {
  // A close.
  if ('month' in request) {
    const { month, withOpen } = request;
    return `${what} ${month}${withOpen === null ? '' : ` with open items: ${cleanText(withOpen)}`}`;
  }
  // An import.
  if ('sha256' in request) {
    const { file, from, to } = request;
    return `${what} ${cleanText(file, 200)}${from === null ? '' : ` of ${from} to ${to}`}`;
  }
  // A change of the policy: what needs a second person.
  if ('old' in request) return `${what} of remit.toml`;
  // Mismatches to resolve or to write off.
  if ('ids' in request) return `${what} ${request.ids.join(', ')}: ${cleanText(request.note ?? '')}`;
  // A match by hand, or a settlement.
  const names = (request.invoices_text ?? request.invoices).map((name) => cleanText(String(name), 60));
  const invoices = `invoice ${names.join(', ')}`;
  if ('receipt' in request) return `${what} receipt ${request.receipt} to ${invoices}`;
  return `${what} ${invoices} as ${request.kind}: ${cleanText(request.note)}`;
}

/** @param zone the time zone of the days */
function approvedLines(approved: Approved, zone: string): string[] {
  switch (approved.what) {
    case 'settle':
      return approved.result.settled.map(settledLine);
    case 'match':
      return [addedLine(approved.result)];
    case 'write-off':
      return claimLines(approved.result.claims, [], zone);
    case 'resolve':
      return [decidedLine('resolve', approved.result.changed.length)];
    case 'close':
      return closedLines(approved.result);
    case 'policy':
      return policyLines(approved.result.policy);
    // An import, which is made now: no dry run.
    default:
      return importedLines({ summary: approved.result, isKnown: false, notes: [] }, false);
  }
}

function policyLines({ write_off_above, close, imports, rate_tolerance }: Policy): string[] {
  const limits = Object.entries(write_off_above).map(([code, most]) => `  write_off_above ${code}: ${most}`);
  return [
    'the books have this policy now:',
    ...limits,
    ...Object.entries({ close, imports, rate_tolerance }).map(([name, value]) => `  ${name}: ${value}`),
  ];
}
