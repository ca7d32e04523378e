import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../command.ts';
import { type DecidingInput, deciding, dryRunOption, seenOption } from '../deciding.ts';
import type { Session, SettingInput } from '../session.ts';
import { oneMonth } from './close.ts';

export const declare = (start: Start) =>
  new Command('reopen')
    .summary('open a closed month again')
    .description(
      'Opens a closed month again: its figures follow the data, and its `closed-period-changed` mismatches are resolved. The close and the reopening stay on record.',
    )
    .argument('<month>', 'such as 2026-10')
    .requiredOption('--by <name>', 'who opens it')
    .requiredOption('--reason <text>', 'why; it stays on record')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit reopen 2026-10 --by rana --reason "invoice 10009 was restated"'))
    .action((month, options) => start('reopen', { month, ...options }, reopen));

export interface ReopenInput extends SettingInput, DecidingInput {
  readonly month: string;
  readonly by: string;
  readonly reason: string;
}

export async function reopen(session: Session, { month, by, reason, ...input }: ReopenInput): Promise<number> {
  const [{ reopenBooks }, { refusedLines, reopenedLines }] = await Promise.all([
    import('../../app/close/reopen.ts'),
    import('../lines/close.ts'),
  ]);
  const request = { month: await oneMonth(session, month), by: await session.person(by), reason };
  const books = await session.books(input);
  const result = await deciding(session, books, input, (own) => reopenBooks(own, request), 'reopen');
  if (result === null) return 0;
  if (session.json) session.resultJson(result);
  if (result.status === 'refused') {
    const lines = refusedLines(`${result.period} cannot be opened again:`, result.reasons);
    if (!session.json) session.warn(lines.join('\n'));
    return 1;
  }
  if (!session.json && !session.quiet) session.result(reopenedLines(result).join('\n'));
  return 0;
}
