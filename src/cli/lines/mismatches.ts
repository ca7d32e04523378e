import type { ShownClaim } from '../../app/disputes/list.ts';
import type { Act, LeftAsItIs } from '../../app/mismatches/decide.ts';
import type { Claim, ListedMismatch } from '../../app/mismatches/list.ts';
import type { ShownMismatch } from '../../app/show/index.ts';
import { dayIn } from '../../base/day.ts';
import { cleanText, wrapText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { headingLines, type LineOptions } from './check.ts';
import { subjectsOf, timestampText, whoseLabels } from './labels.ts';

const LONGEST = 1_000;

/** Stored mismatches, each with its id, which other commands take. @param zone the time zone of the claims' days */
export function listLines(mismatches: readonly ListedMismatch[], options: LineOptions, zone: string): string[] {
  const open = mismatches.filter(({ status }) => status === 'open').length;
  const last = `${countOf(mismatches.length)}, ${open} open`;
  const whose = whoseLabels(mismatches);
  const claimOf = ({ claim }: ListedMismatch) => claim && claimWords(claim, zone);
  const linesOf = (mismatch: ListedMismatch) => mismatchLines(mismatch, options, whose(mismatch), claimOf(mismatch));
  return [...mismatches.flatMap(linesOf), last];
}

function mismatchLines(mismatch: ListedMismatch, options: LineOptions, whose: string, claim: string | null) {
  const { id, code, severity, status, period, currency, effect, message, note } = mismatch;
  const about = [
    severity,
    code,
    period,
    ...subjectsOf(mismatch),
    effect === null ? '' : `effect ${amountText(effect)} ${cleanText(currency ?? '', 20)}`,
    status,
  ].filter(Boolean);
  const { width } = options;
  return [
    ...headingLines(id, whose + about.join('  '), '', options),
    ...wrapText(cleanText(message, LONGEST), '  ', width),
    ...(note === null ? [] : wrapText(`note: ${cleanText(note, LONGEST)}`, '  ', width)),
    ...(claim ? wrapText(`claim: ${claim}`, '  ', width) : []),
  ];
}

/** One mismatch: its figures, what each side states, and its history. */
export function mismatchShownLines({ mismatch, history, claim_history, sides }: ShownMismatch): string[] {
  const lines = [
    `${mismatch.id}  ${mismatch.code}  ${mismatch.severity}  ${mismatch.status}`,
    `  ${cleanText(mismatch.message, 1_000)}`,
  ];
  const { field, expected, actual } = mismatch;
  if (expected !== null || actual !== null) {
    const unit = unitText(mismatch);
    const figureText = (figure: string | null) => (figure === null ? 'nothing' : `${figure}${unit}`);
    lines.push(`  ${field ?? 'figure'}: expected ${figureText(expected)}, actual ${figureText(actual)}`);
  }
  if (mismatch.effect !== null) lines.push(`  effect ${mismatch.effect} ${mismatch.currency ?? ''}`);
  if (mismatch.note !== null) lines.push(`  note: ${cleanText(mismatch.note, 1_000)}`);
  lines.push(...sideLines(sides));
  for (const { at, from_status, to_status, actor, note } of history) {
    const why = note === null ? '' : `: ${cleanText(note, 400)}`;
    lines.push(`${timestampText(at)}  ${from_status ?? 'new'} → ${to_status} by ${cleanText(actor)}${why}`);
  }
  const invoice = mismatch.invoice_number_text;
  if (invoice !== null && isPlain(invoice)) lines.push(nextLine(`remit show invoice ${invoice}`));
  else if (mismatch.order_id !== null && isPlain(mismatch.order_id)) {
    lines.push(nextLine(`remit show order ${mismatch.order_id}`));
  }
  if (claim_history.length > 0) lines.push('claim:', ...claim_history.map((event) => `  ${claimEventLine(event)}`));
  return lines;
}

/** Each field and what each side states of it, with `≠` where they differ; then when each side's document came. */
function sideLines(sides: ShownMismatch['sides']): string[] {
  const lines: string[] = [];
  const names = new Set(sides.flatMap(({ fields }) => Object.keys(fields)));
  for (const name of names) {
    const values = sides.map(({ fields }) => fields[name]);
    const stated = values.filter((value) => value !== undefined);
    const mark = new Set(stated).size > 1 ? '≠' : ' ';
    lines.push(`${mark} ${cleanText(name)}`);
    sides.forEach(({ what }, index) => {
      const value = values[index];
      if (value !== undefined) lines.push(`      ${cleanText(value as string, 120) || '(empty)'}  ${what}`);
    });
  }
  for (const { what, received_at, sha256 } of sides) {
    const received = received_at === null ? 'never' : timestampText(received_at);
    lines.push(`${what}: received ${received}, sha256 ${sha256 ?? 'none'}`);
  }
  return lines;
}

/** What follows a figure of a mismatch: ` USD`, ` days`; empty for a count. */
function unitText({ unit, currency }: ShownMismatch['mismatch']): string {
  if (unit === 'money') return currency === null ? '' : ` ${currency}`;
  return unit === 'days' ? ' days' : '';
}

/** An id from outside may have characters that a shell would obey: only a plain one goes into a command to copy. */
function isPlain(id: string): boolean {
  return /^\w[\w./:-]*$/.test(id);
}

function nextLine(command: string): string {
  return `Next: \`${command}\``;
}

/** `answered (refused) on 2026-11-25, claimed on 2026-11-20 by Rana`. @param zone the time zone of the days */
export function claimWords(
  { state, answer, at, actor, moved_at }: Pick<Claim, 'state' | 'answer' | 'at' | 'actor' | 'moved_at'>,
  zone: string,
): string {
  const claimed = `claimed on ${dayIn(at, zone)} by ${cleanText(actor)}`;
  if (state === 'claimed') return claimed;
  const answerText = state === 'answered' && answer !== null ? ` (${answer})` : '';
  return `${state.replaceAll('-', ' ')}${answerText} on ${dayIn(moved_at, zone)}, ${claimed}`;
}

/** A change of a claim's state: `2026-11-25 09:00:00 UTC  answered (refused) by Rana: ...` */
export function claimEventLine({ at, actor, state, answer, note }: ShownClaim['claim_history'][number]): string {
  const answerText = answer === null ? '' : ` (${answer})`;
  const why = note === null ? '' : `: ${cleanText(note, 400)}`;
  return `${timestampText(at)}  ${state.replaceAll('-', ' ')}${answerText} by ${cleanText(actor)}${why}`;
}

/** The mismatches that a decision left as they are, because of what was decided before, each with its remedy. */
export function leftLines(act: Act, left: readonly LeftAsItIs[]): string[] {
  const isOfSeveral = new Set(left.map(({ courier }) => courier)).size > 1;
  return left.map((mismatch) => {
    const { why, status, by, at } = mismatch;
    const id = isOfSeveral ? `${mismatch.courier}/${mismatch.id}` : mismatch.id;
    const note = mismatch.note === null || mismatch.note === '' ? '' : `: ${cleanText(mismatch.note, 400)}`;
    const state = `${status} by ${cleanText(by)} at ${timestampText(at)}${note}`;
    // What the decision asked for was decided before: nothing is left to do.
    if (why === 'already') return `${id} is already ${state}`;
    return `${id} is ${state}\n  → ${remedyOf(act, { ...mismatch, id })}`;
  });
}

function remedyOf(act: Act, { id, status, by }: LeftAsItIs): string {
  if (act === 'ack' && status === 'resolved') return '`remit mismatch reopen` opens it again.';
  if (act === 'reopen' && by === 'remit') return 'It opens by itself when the data shows it again.';
  return `Look at it with \`remit mismatch show ${id}\`, and decide again.`;
}

const DONE: Readonly<Record<Act, string>> = { ack: 'acknowledged', resolve: 'resolved', reopen: 'opened again' };

/** `2 mismatches acknowledged` */
export function decidedLine(act: Act, count: number): string {
  return `${countOf(count)} ${DONE[act]}`;
}

/** `1 mismatch`, `2 mismatches` */
export function countOf(count: number): string {
  return `${count} ${count === 1 ? 'mismatch' : 'mismatches'}`;
}
