import { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { quoted } from '../../base/text.ts';
import { example, ledgerOption, printAnswer, type Start } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

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
    .addHelpText(...example('remit changes', 'remit changes --since 2026-11-01'))
    .action((options) => start('changes', options, changes));

export async function changes(session: Session, input: SettingInput & { readonly since: string }): Promise<number> {
  const { readBooksChanges } = await import('../../app/changes.ts');
  const { changesLines } = await import('../lines/changes.ts');
  const books = await session.books(input);
  const since = await sinceOf(input.since, await session.zone(books));
  const result = await readBooksChanges(books, since);
  return printAnswer(session, result, () => changesLines(result));
}

/** Parses --since. A day means its beginning in the books' time zone. @throws UsageError */
async function sinceOf(text: string, timeZone: string): Promise<'last' | 'close' | Date> {
  const trimmed = text.trim();
  if (trimmed === 'last' || trimmed === 'close') return trimmed;
  const { parseInstant } = await import('../../base/instant.ts');
  const { addDays, endOfDay } = await import('../../base/day.ts');
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(trimmed);
  // Of a day too: there is no instant on 2026-02-30.
  const instant = parseInstant(isDay ? `${trimmed}T00:00:00Z` : trimmed);
  if (instant && isDay) return new Date(endOfDay(addDays(trimmed, -1), timeZone).getTime() + 1);
  if (instant) return instant;
  const remedy = 'Write `last`, `close`, a day such as 2026-11-01, or an instant such as 2026-11-01T09:00:00+02:00.';
  throw new UsageError(`--since ${quoted(text)} is not a day or an instant`, remedy);
}
