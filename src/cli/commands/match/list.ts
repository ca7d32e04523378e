import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('list')
    .summary('matches, ambiguous receipts, unmatched receipts and invoices')
    .description('Lists the matches in force, the ambiguous receipts, and what is unmatched on either side.')
    .option('--unmatched', 'only what is not matched')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit match list --unmatched'))
    .action((options) => start('match list', options, list));

export interface ListInput extends SettingInput {
  readonly unmatched?: boolean | undefined;
}

export async function list(session: Session, { unmatched = false, ...input }: ListInput): Promise<number> {
  const [{ listMatches }, { matchLines }] = await Promise.all([
    import('../../../app/match/report-matches.ts'),
    import('../../lines/match.ts'),
  ]);
  const report = await listMatches(await session.books(input));
  const shown = unmatched ? { ...report, matches: [] } : report;
  if (session.json) session.resultJson(shown);
  else session.result(matchLines(shown).join('\n'));
  return 0;
}
