import { styleText } from 'node:util';
import type { CheckResult, FoundMismatch, Severity } from '../../app/check.ts';
import { counted } from '../../counted.ts';
import { amountText } from '../../render/figures.ts';
import { cleanText } from '../../text.ts';
import { wrapText } from './wrap.ts';

/** A message quotes names from outside: one of megabytes makes no line of megabytes. */
const LONGEST = 1_000;

const SEVERITIES: readonly { severity: Severity; noun: string; color: 'red' | 'yellow' | 'cyan' }[] = [
  { severity: 'error', noun: 'error', color: 'red' },
  { severity: 'warning', noun: 'warning', color: 'yellow' },
  { severity: 'info', noun: 'note', color: 'cyan' },
];

export interface LineOptions {
  readonly color: boolean;
  /** Columns of the terminal; undefined where there is none, and nothing is wrapped. */
  readonly width: number | undefined;
}

/** What the checks found, for a person: the worst first, then what was skipped, then the sum of it. */
export function checkLines(result: CheckResult, options: LineOptions): string[] {
  const lines: string[] = [];
  for (const { severity, noun, color } of SEVERITIES) {
    const found = result.mismatches.filter((mismatch) => mismatch.severity === severity);
    if (found.length === 0) continue;
    const heading = counted(found.length, noun);
    lines.push(options.color ? styleText(['bold', color], heading) : heading);
    for (const mismatch of found) lines.push(...mismatchLines(mismatch, options));
    lines.push('');
  }
  return [...lines, ...skippedLines(result).flatMap((line) => wrapText(line, '', options.width)), openLine(result)];
}

/** What of the period is not in the ledger and so was not looked at: silence would read as 'all is well'. */
export function lackingLines({ notSynced, lacking }: CheckResult): string[] {
  return [
    ...notSynced.map((month) => `${month} was never synced and is not checked: remit sync ${month}`),
    ...lacking.map(
      ({ period, missing, listed }) =>
        `${period} lists ${counted(listed, 'invoice')}, of which ${missing} could not be brought and ${missing === 1 ? 'is' : 'are'} not checked: remit sync ${period}`,
    ),
  ];
}

function mismatchLines(mismatch: FoundMismatch, { color, width }: LineOptions): string[] {
  const { code, period, invoice_number, order_id, currency, difference, status, message } = mismatch;
  const place = [
    period,
    invoice_number === null ? '' : `invoice ${invoice_number}`,
    order_id === null ? '' : `order ${cleanText(order_id, 80)}`,
    difference === null || currency === null ? '' : `difference ${amountText(difference)} ${cleanText(currency, 20)}`,
    status === 'open' ? '' : status,
  ];
  const name = color ? styleText('bold', code) : code;
  const where = place.filter(Boolean).join('  ');
  const fits = width === undefined || `  ${code}  ${where}`.length <= width;
  return [
    ...(fits ? [`  ${name}  ${where}`] : [`  ${name}`, ...wrapText(where, '    ', width)]),
    ...wrapText(cleanText(message, LONGEST), '    ', width),
  ];
}

function skippedLines({ skipped }: CheckResult): string[] {
  const byReason = new Map<string, string[]>();
  for (const { code, why } of skipped) byReason.set(why, [...(byReason.get(why) ?? []), code]);
  return [...byReason].map(([why, codes]) => `skipped ${codes.join(', ')}: ${why}`);
}

/** `2026-10: 3 errors, 1 warning open` */
function openLine({ period, open, mismatches }: CheckResult): string {
  const acknowledged = mismatches.filter(({ status }) => status === 'acknowledged').length;
  const aside = acknowledged === 0 ? '' : ` (and ${acknowledged} acknowledged)`;
  return `${period}: ${openCounts(open)} open${aside}`;
}

/** `3 errors, 1 warning`; `no mismatch is` where there is none. */
export function openCounts(open: CheckResult['open']): string {
  const found = SEVERITIES.filter(({ severity }) => open[severity] > 0);
  if (found.length === 0) return 'no mismatch is';
  return found.map(({ severity, noun }) => counted(open[severity], noun)).join(', ');
}
