import { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../errors.ts';
import { quoted } from '../../text.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export const declare = (start: Start) =>
  new Command('close')
    .summary('close a month: freeze its figures')
    .description(
      'Checks a month and closes it: its figures, its closing balance and the documents behind them are frozen as evidence. Whatever moves one of them later changes nothing in the close and is a mismatch. Refused, with every reason, while the month is not whole, not checked or has open errors.',
    )
    .argument('<month>', 'such as 2026-10')
    .requiredOption('--by <name>', 'who closes it')
    .option('--with-open <reason>', 'close though errors are open; they go on record with the reason')
    .option('--first', 'the books begin with this month: the one before it need not be closed')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit close 2026-10 --by rana', 'remit close 2026-08 --by rana --first'))
    .action((month, options) => start('close', { month, ...options }, close));

interface CloseInput extends SettingInput {
  readonly month: string;
  readonly by: string;
  readonly withOpen?: string | undefined;
  readonly first?: boolean | undefined;
}

async function close(session: Session, { month, by, withOpen, first, ...input }: CloseInput): Promise<number> {
  const [{ closeBooks }, { personOf }, { closedLines, refusedLines }] = await Promise.all([
    import('../../app/close/close.ts'),
    import('../person.ts'),
    import('../lines/close.ts'),
  ]);
  const request = {
    month: oneMonth(session, month),
    by: personOf(session, by),
    withOpen: reasonOf(withOpen),
    first: first === true,
  };
  const result = await closeBooks(await session.books(settingFlags(input)), request);
  if (session.json) session.resultJson(result);
  if (result.status === 'refused') {
    const lines = refusedLines(`${result.period} cannot be closed:`, result.reasons);
    if (!session.json) session.warn(lines.join('\n'));
    return 1;
  }
  if (!session.json && !session.quiet) session.result(closedLines(result).join('\n'));
  return 0;
}

/** @throws UsageError for a period of several months */
export function oneMonth(session: Session, text: string): string {
  const [month, ...others] = session.months(text) ?? [];
  if (month !== undefined && others.length === 0) return month;
  throw new UsageError(
    `${quoted(text)} is not one month`,
    'Months are closed and opened one at a time: write 2026-10.',
  );
}

function reasonOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const reason = text.trim();
  if (reason === '') throw new UsageError('--with-open is empty', 'Say why the month is closed with open errors.');
  return reason;
}
