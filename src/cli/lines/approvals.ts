import type { Approved } from '../../app/approvals/approve.ts';
import type { ListedApproval } from '../../app/approvals/list.ts';
import type { Policy } from '../../app/approvals/policy.ts';
import type { Waiting } from '../../app/approvals/propose.ts';
import type { DecisionLine } from '../../app/decisions/lines.ts';
import type { Preview } from '../../app/decisions/preview.ts';
import { dayIn } from '../../base/day.ts';
import { cleanText } from '../../base/text.ts';
import { closedLines } from './close.ts';
import { claimLines } from './dispute.ts';
import { importedLines } from './import.ts';
import { whoseLabels } from './labels.ts';
import { addedLine, settledLine } from './match.ts';
import { decidedLine } from './mismatches.ts';

export function waitingLine({ id }: Waiting): string {
  return `this waits for a second person: \`remit approvals approve ${id} --by NAME\` does it, and until then nothing is changed`;
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
  if (stale_after === null) return refusedLines(refusals);
  return [
    ...lines.map(lineText),
    ...sums.map(({ amount, currency, direction }) => `in all ${amount} ${currency}${DIRECTIONS[direction]}`),
    seenLine(stale_after),
  ];
}

function seenLine(head: string): string {
  return `nothing was decided; --seen ${head} decides this and nothing else`;
}

/** For a preview that is printed otherwise, such as a letter: how to decide just that, or why it would be refused. */
export function seenLines({ stale_after, refusals }: Preview): string[] {
  return stale_after === null ? refusedLines(refusals) : [seenLine(stale_after)];
}

function refusedLines(refusals: Preview['refusals']): string[] {
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
    return `${what} ${request.month}${request.withOpen === null ? '' : ` with open items: ${cleanText(request.withOpen)}`}`;
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
  const invoices = `invoice ${(request.invoices_text ?? request.invoices).map((name) => cleanText(String(name), 60)).join(', ')}`;
  if ('receipt' in request) return `${what} receipt ${request.receipt} to ${invoices}`;
  return `${what} ${invoices} as ${request.kind}: ${cleanText(request.note)}`;
}

/** @param zone the time zone of the days */
export function approvedLines(approved: Approved, zone: string): string[] {
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
