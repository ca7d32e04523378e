import { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { quoted } from '../../base/text.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import { type DecidingInput, deciding, dryRunOption, seenOption } from '../deciding.ts';
import type { Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('close')
    .summary('close a month: freeze its figures')
    .description(
      'Checks a month and closes it: its figures, its closing balance and the documents behind them are frozen as evidence. A later change of one of them leaves the close as it is and is a mismatch. Refused, with every reason, while the month is incomplete, not checked or has open errors, unless you say why it is closed all the same.',
    )
    .argument('<month>', 'such as 2026-10')
    .requiredOption('--by <name>', 'who closes it')
    .option(
      '--with-open <reason>',
      'close though it is incomplete, not checked or has open errors; each goes on record with the reason',
    )
    .option('--first', 'your first month: the month before it need not be closed')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit close 2026-10 --by rana', 'remit close 2026-08 --by rana --first'))
    .action((month, options) => start('close', { month, ...options }, close));

export interface CloseInput extends SettingInput, DecidingInput {
  readonly month: string;
  readonly by: string;
  readonly withOpen?: string | undefined;
  readonly first?: boolean | undefined;
}

export async function close(session: Session, { month, by, withOpen, first, ...input }: CloseInput): Promise<number> {
  const [{ closeBooks }, { closeJson }, { closedLines, refusedLines }] = await Promise.all([
    import('../../app/close/close.ts'),
    import('../../app/close/close-json.ts'),
    import('../lines/close.ts'),
  ]);
  const request = {
    month: await oneMonth(session, month),
    by: await session.person(by),
    withOpen: reasonOf(withOpen),
    first: first === true,
  };
  const books = await session.books(input);
  const result = await deciding(session, books, input, (own) => closeBooks(own, request));
  if (result === null) return 0;
  if (session.json) session.resultJson(closeJson(result));
  if (result.status === 'refused') {
    const lines = refusedLines(`${result.period} cannot be closed:`, result.reasons);
    if (!session.json) session.warn(lines.join('\n'));
    return 1;
  }
  if (!session.json && !session.quiet) session.result(closedLines(result).join('\n'));
  return 0;
}

/** @throws UsageError for a period of several months */
export async function oneMonth(session: Session, text: string): Promise<string> {
  const [month, ...others] = (await session.months(text)) ?? [];
  if (month !== undefined && others.length === 0) return month;
  throw new UsageError(
    `${quoted(text)} is not one month`,
    'Months are closed and opened one at a time: write 2026-10.',
  );
}

function reasonOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const reason = text.trim();
  if (reason === '') throw new UsageError('--with-open is empty', 'Say why the month is closed all the same.');
  return reason;
}
