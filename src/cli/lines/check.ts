import { styleText } from 'node:util';
import type { CheckResult, FoundGroup, FoundMismatch, Severity } from '../../app/check-result.ts';
import { counted } from '../../base/counted.ts';
import { groupBy } from '../../base/group.ts';
import { cleanText, wrapText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { shortOrAhead, subjectsOf } from './labels.ts';

/** A decimal that is zero, such as `0.00`. */
const ZERO = /^[0.]+$/;

/** The severities, the worst first. */
const SEVERITIES = {
  error: { noun: 'error', color: 'red' },
  warning: { noun: 'warning', color: 'yellow' },
  info: { noun: 'note', color: 'cyan' },
} as const;
const WORST_FIRST = Object.keys(SEVERITIES) as Severity[];

/** A message quotes names from outside, which may be very long. */
const LONGEST = 1_000;

type ShownMismatch = Omit<FoundMismatch, 'note'>;

/** The parts of a result, one a courier; absent for one courier. */
interface Parts {
  readonly parts?: readonly { readonly courier: string }[];
}

export interface LineOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined without a terminal: then nothing is wrapped. */
  readonly width: number | undefined;
}

/** All results: what you are short, mismatches by cause or one by one, the bridge, skipped checks, counts. */
export function checkLines(result: CheckResult, options: LineOptions & { readonly all: boolean }): string[] {
  return [
    ...wrapped(shortLines(result), options),
    ...(options.all
      ? mismatchLists(result.mismatches, options)
      : withBlankLine(groupLines(result.groups, result.mismatches, options))),
    // The indented steps of the bridge stay indented where they are broken.
    ...bridgeLines(result).flatMap((line) =>
      wrapText(line.trimStart(), line.startsWith(' ') ? '  ' : '', options.width),
    ),
    ...wrapped([...skippedLines(result), ...result.uncompared, openLine(result)], options),
  ];
}

/** Breaks each line to the width of the terminal. */
export function wrapped(lines: readonly string[], { width }: LineOptions): string[] {
  return lines.flatMap((line) => wrapText(line, '', width));
}

/** Only what this check opened, reopened or resolved, by cause or one by one, and the counts. */
export function newLines(result: CheckResult, options: LineOptions & { readonly all: boolean }): string[] {
  const { changed, changedGroups } = result;
  const lists = options.all ? mismatchLists(changed, options) : newsLines(changedGroups, changed, options);
  return [...lists, openLine(result)];
}

export function newsLines(
  { shown, resolved }: CheckResult['changedGroups'],
  mismatches: readonly ShownMismatch[],
  options: LineOptions,
): string[] {
  const resolvedLines = groupLines(resolved, mismatches, options);
  return [
    ...withBlankLine(groupLines(shown, mismatches, options)),
    ...(resolvedLines.length === 0 ? [] : ['Resolved, because the data no longer shows it:', ...resolvedLines, '']),
  ];
}

/** The lines and a blank one after them; nothing if there are no lines. */
function withBlankLine(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? lines : [...lines, ''];
}

/** Mismatches one by one, the worst severity first, each with its place and its message. */
function mismatchLists(mismatches: readonly ShownMismatch[], options: LineOptions): string[] {
  const lines: string[] = [];
  for (const severity of WORST_FIRST) {
    const { noun, color } = SEVERITIES[severity];
    const found = mismatches.filter((mismatch) => mismatch.severity === severity);
    if (found.length === 0) continue;
    const heading = counted(found.length, noun);
    lines.push(options.color ? styleText(['bold', color], heading) : heading);
    for (const mismatch of found) lines.push(...mismatchLines(mismatch, options));
    lines.push('');
  }
  return lines;
}

/** Why the ledger may lack part of the period: without these lines it would look as if all were well. */
export function incompleteLines({ incomplete, parts = [] }: Pick<CheckResult, 'incomplete'> & Parts): string[] {
  const whose = parts.length === 0 ? () => '' : (courier = '') => `${courier}: `;
  return incomplete.map(({ courier, period, why }) => `${whose(courier)}${period} is incomplete: ${cleanText(why)}`);
}

/** `2026-10: you are short 120.00 USD, ahead 3.00 EUR`, for each month with such an amount. */
function shortLines({ bridge }: CheckResult): string[] {
  const months = new Map<string, string[]>();
  for (const { period, currency, short } of bridge) {
    if (ZERO.test(short)) continue;
    months.set(period, [...(months.get(period) ?? []), shortOrAhead(short, cleanText(currency))]);
  }
  return [...months].map(([period, figures]) => `${period}: you are ${figures.join(', ')}`);
}

/** The bridge from the courier's figure to ours: one line per month and currency, with the steps below. */
function bridgeLines({ bridge }: CheckResult): string[] {
  return bridge.flatMap(({ period, currency, courier, ours, steps, outside, resolved, unexplained }) => {
    const ourPart =
      ours === null
        ? 'no order book: nothing of ours to compare with'
        : `ours ${amountText(ours)}, unexplained ${amountText(unexplained ?? '0')}`;
    return [
      `bridge ${period} ${cleanText(currency)}: courier ${amountText(courier)}, ${ourPart}`,
      ...steps.map((step) => stepLine(step, '')),
      ...outside.map((step) => stepLine(step, ', outside the invoices')),
      // A resolved effect of -12.00 comes off what you are short: 12.00.
      ...(ZERO.test(resolved) ? [] : [`  ${amountText(negated(resolved))}  resolved by us: no longer short`]),
    ];
  });
}

function negated(decimal: string): string {
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}

function stepLine({ code, count, effect }: { code: string; count: number; effect: string }, where: string): string {
  return `  ${amountText(effect)}  ${code} (${count}${where})`;
}

function mismatchLines(mismatch: ShownMismatch, options: LineOptions): string[] {
  const { code, period, status, message } = mismatch;
  const place = [period, ...subjectsOf(mismatch), atStake(mismatch), status === 'open' ? '' : status];
  return [
    ...headingLines(code, place.filter(Boolean).join('  '), '  ', options),
    ...wrapText(cleanText(message, LONGEST), '    ', options.width),
  ];
}

/** A mismatch's name in bold, and where it is: on the same line, or below if both do not fit. */
export function headingLines(name: string, where: string, indent: string, { color, width }: LineOptions): string[] {
  const shownName = `${indent}${color ? styleText('bold', name) : name}`;
  const fits = width === undefined || `${indent}${name}  ${where}`.length <= width;
  return fits ? [`${shownName}  ${where}`] : [shownName, ...wrapText(where, `${indent}  `, width)];
}

/** `swift, cedar: skipped fee-off-tariff, implied-rate: WHY`: a line for the checks that the same couriers skip. */
export function skippedLines({ skipped, parts = [] }: Pick<CheckResult, 'skipped'> & Parts): string[] {
  const byReason = groupBy(skipped, ({ why }) => why);
  return [...byReason].flatMap(([why, checks]) => {
    const couriersThatSkip = ({ code }: { readonly code: string }) =>
      checks.filter((check) => check.code === code).map(({ courier = '' }) => courier);
    // A reason that holds for every courier is printed once, without their names.
    const isOfAll = (group: typeof checks) => couriersThatSkip(group[0]!).length >= parts.length;
    return [...groupBy(checks, (check) => couriersThatSkip(check).join(', '))].map(([couriers, group]) => {
      const codes = [...new Set(group.map(({ code }) => code))].join(', ');
      return `${isOfAll(group) ? '' : `${couriers}: `}skipped ${codes}: ${why}`;
    });
  });
}

/** `2026-10: 3 errors, 1 warning open, 2 new, 1 resolved` */
function openLine(result: CheckResult): string {
  const acknowledged = result.mismatches.filter(({ status }) => status === 'acknowledged').length;
  const aside = acknowledged === 0 ? '' : ` (and ${acknowledged} acknowledged)`;
  const incomplete = result.incomplete.length === 0 ? '' : 'incomplete; ';
  const open = `${openCounts(result.open)} open${aside}`;
  return `${result.period}: ${incomplete}${open}, ${result.new} new, ${result.resolved} resolved`;
}

/** `3 errors, 1 warning`, or `no mismatch is`, which ` open` follows. */
export function openCounts(open: CheckResult['open']): string {
  const found = WORST_FIRST.filter((severity) => open[severity] > 0);
  if (found.length === 0) return 'no mismatch is';
  return found.map((severity) => counted(open[severity], SEVERITIES[severity].noun)).join(', ');
}

/**
 * Mismatches by cause: for each cause the money at stake, the check and the months, and the message of its first
 * mismatch, which says what to do.
 *
 * @param mismatches those of the groups, or some of them
 */
function groupLines(groups: readonly FoundGroup[], mismatches: readonly ShownMismatch[], options: LineOptions) {
  const { color, width } = options;
  const byId = new Map(mismatches.map((mismatch) => [mismatch.id, mismatch]));
  return groups.flatMap((group) => {
    const ofGroup = group.ids.flatMap((id) => byId.get(id) ?? []);
    const heading = [cleanText(group.cause, LONGEST), moneyOf(group, ofGroup)].filter(Boolean).join(' · ');
    const [first] = ofGroup;
    const such = group.count > 1 ? 'such as: ' : '';
    const paint = (text: string) => (color ? styleText(['bold', SEVERITIES[group.severity].color], text) : text);
    return [
      ...wrapText(heading, '', width).map(paint),
      ...wrapText(placeOf(group, ofGroup), '  ', width),
      ...(first ? wrapText(`${such}${cleanText(first.message, LONGEST)}`, '  ', width) : []),
    ];
  });
}

/** `short 69.00 USD` for an effect, otherwise `69.00 USD`. */
function moneyOf({ currency, amount }: FoundGroup, mismatches: readonly ShownMismatch[]): string {
  if (amount === null || currency === null) return '';
  const isEffect = mismatches.some(({ effect }) => effect !== null);
  const currencyText = cleanText(currency, 20);
  return isEffect ? shortOrAhead(amount, currencyText) : `${amountText(amount)} ${currencyText}`;
}

/** `warning  fee-no-tariff  2026-10  2 acknowledged` */
function placeOf({ severity, code, count }: FoundGroup, mismatches: readonly ShownMismatch[]): string {
  const months = [...new Set(mismatches.map(({ period }) => period))].sort();
  const acknowledged = mismatches.filter(({ status }) => status === 'acknowledged').length;
  const order = count === 1 ? (mismatches[0]?.order_id ?? null) : null;
  return [
    SEVERITIES[severity].noun,
    code,
    months.length > 3 ? `${months[0]} to ${months.at(-1)}` : months.join(', '),
    order === null ? '' : `order ${cleanText(order, 80)}`,
    acknowledged === 0 ? '' : count === 1 ? 'acknowledged' : `${acknowledged} acknowledged`,
  ]
    .filter(Boolean)
    .join('  ');
}

type StakeFigures = Pick<FoundMismatch, 'currency' | 'difference' | 'effect' | 'unit'>;

/**
 * What a mismatch is worth: `short 38.25 USD`, `ahead 90.25 USD`, or the difference of its figures if it moves no
 * money. Counts and days are left to the message: next to a currency they would look like money.
 */
export function atStake({ currency, difference, effect, unit }: StakeFigures): string {
  if (currency === null) return '';
  const currencyText = cleanText(currency, 20);
  if (effect !== null) return shortOrAhead(effect, currencyText);
  return unit === 'money' && difference !== null ? `difference ${amountText(difference)} ${currencyText}` : '';
}
