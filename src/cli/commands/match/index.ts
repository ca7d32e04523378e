import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, PERIOD_FORMS, type Start } from '../../command.ts';
import { commandsOfGroup } from '../../decisions.ts';
import type { Session, SettingInput } from '../../session.ts';
import { declare as explain } from './explain.ts';
import { declare as list } from './list.ts';

export const declare = (start: Start) => {
  const command = new Command('match')
    .summary('match receipts to the invoices that they pay')
    .description(
      'Matches receipts to invoices: by the number in the text, by equal amounts, by sums. It runs after every import and sync and in every check. A receipt that could pay several invoices is listed as ambiguous and not matched.',
    )
    .argument('[period]', PERIOD_FORMS)
    .option('--dry-run', 'say what would be matched, and change nothing')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit match', 'remit match add 41 10009 10011', 'remit match list --unmatched'))
    .addCommand(list(start))
    .addCommand(explain(start))
    .action((period, options) => start('match', { period, ...options }, match));
  for (const child of commandsOfGroup('match', start)) command.addCommand(child);
  return command;
};

export interface MatchInput extends SettingInput {
  readonly period: string | undefined;
  readonly dryRun?: boolean | undefined;
}

export async function match(session: Session, { period, dryRun = false, ...input }: MatchInput): Promise<number> {
  const [{ matchBooks }, { matchLines }] = await Promise.all([
    import('../../../app/match/report-matches.ts'),
    import('../../lines/match.ts'),
  ]);
  const periods = await session.months(period);
  const { report, booked } = await matchBooks(await session.books(input), { periods, dryRun });
  if (session.json) session.resultJson(report);
  else if (!session.quiet)
    session.result([`${dryRun ? 'would match' : 'matched'} ${booked} more`, ...matchLines(report)].join('\n'));
  return 0;
}
