import { Command } from '@commander-js/extra-typings';
import type { Changes, Moved } from '../../app/changes.ts';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { cleanText, quoted } from '../../base/text.ts';
import { ENGLISH } from '../../words/index.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import { timestampText, whoseLabels } from '../lines/parts.ts';
import type { Session, SettingInput } from '../session.ts';

export function changesLines({ since, invoices, orders }: Changes): string[] {
  if (since === null) return ['nothing was synced yet'];
  const lines = [`changes since ${timestampText(since)}`];
  const whose = whoseLabels(...Object.values(invoices), orders.changed, orders.vanished, orders.back);
  const about = ({ courier, number_text, period }: Omit<Changes['invoices']['back'][number], 'seen_at'>) =>
    `${whose({ courier })}invoice ${cleanText(number_text, 60)}${period === null ? '' : ` (${period})`}`;
  const nameOf = ({ courier, order_id, reference_id }: { courier: string; order_id: string; reference_id: string }) =>
    `${whose({ courier })}order ${cleanText(order_id)}${reference_id === '' ? '' : ` (${cleanText(reference_id, 60)})`}`;
  for (const one of invoices.new) lines.push(`  new       ${about(one)}, ${stateText(one.status)}`);
  for (const one of invoices.restated) {
    lines.push(`  restated  ${about(one)}, seen ${timestampText(one.after.seen_at)}`, ...movedLines(one.moved));
    if (one.moved.length === 0) lines.push('              other rows that come to the same sums');
    lines.push(`              before ${one.before.sha256}`, `              after  ${one.after.sha256}`);
  }
  for (const one of invoices.vanished) lines.push(`  vanished  ${about(one)}, seen ${timestampText(one.seen_at)}`);
  for (const one of invoices.back) lines.push(`  back      ${about(one)}, seen ${timestampText(one.seen_at)}`);
  for (const one of invoices.status) {
    lines.push(`  status    ${about(one)}: ${stateText(one.from)} → ${stateText(one.to)}`);
  }
  if (orders.new > 0) lines.push(`  new       ${counted(orders.new, 'order')}`);
  for (const one of orders.changed) {
    const states = [one.delivery_state, one.payment_state]
      .filter(([before, after]) => before !== after)
      .map(([before, after]) => `${stateText(before)} → ${stateText(after)}`);
    const back = one.backward ? ', backwards' : '';
    lines.push(
      `  changed   ${nameOf(one)}${states.length > 0 ? `: ${states.join(', ')}${back}` : ''}`,
      ...movedLines(one.moved),
    );
  }
  for (const one of orders.vanished) lines.push(`  vanished  ${nameOf(one)}, seen ${timestampText(one.seen_at)}`);
  for (const one of orders.back) lines.push(`  back      ${nameOf(one)}, seen ${timestampText(one.seen_at)}`);
  if (lines.length === 1) lines.push('  none');
  return lines;
}

function movedLines(moved: readonly Moved[]): string[] {
  return moved.map(
    ({ field, currency, before, after, difference }) =>
      `              ${field}${currency === null ? '' : ` ${currency}`}: ${before} → ${after} (${difference.startsWith('-') ? '' : '+'}${difference})`,
  );
}

/** A status or state of the courier's, as every page says it: `Pending payment`. */
function stateText(word: string): string {
  return ENGLISH.state(cleanText(word));
}

export const declare = (start: Start) =>
  new Command('changes')
    .summary('what the courier changed')
    .description(
      'Shows which invoices are new, restated (old and new figures, with the SHA-256 of both documents), vanished, back or of another status, and the same of orders.',
    )
    .option(
      '--since <day>',
      '`last` for what the last sync brought, `close` since the last month was closed, or a day or instant',
      'last',
    )
    .addOption(ledgerOption())
    .addHelpText('after', example('remit changes', 'remit changes --since 2026-11-01'))
    .action((options) => start('changes', options, changes));

export interface ChangesInput extends SettingInput {
  readonly since: string;
}

export async function changes(session: Session, input: ChangesInput): Promise<number> {
  const { readBooksChanges } = await import('../../app/changes.ts');
  const books = await session.books(input);
  const since = await sinceOf(input.since, await session.zone(books));
  const result = await readBooksChanges(books, since);
  if (session.json) session.resultJson(result);
  else session.result(changesLines(result).join('\n'));
  return 0;
}

/** A day means its beginning, by the clock of the books' time zone. @throws UsageError */
async function sinceOf(text: string, timeZone: string): Promise<'last' | 'close' | Date> {
  const trimmed = text.trim();
  if (trimmed === 'last' || trimmed === 'close') return trimmed;
  const [{ parseInstant }, { addDays, endOfDay }] = await Promise.all([
    import('../../base/instant.ts'),
    import('../../base/day.ts'),
  ]);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(trimmed);
  const instant = parseInstant(isDay ? `${trimmed}T00:00:00Z` : trimmed);
  if (instant && isDay) return new Date(endOfDay(addDays(trimmed, -1), timeZone).getTime() + 1);
  if (instant) return instant;
  throw new UsageError(
    `--since ${quoted(text)} is not a day or an instant`,
    'Write `last`, `close`, a day such as 2026-11-01, or an instant such as 2026-11-01T09:00:00+02:00.',
  );
}
