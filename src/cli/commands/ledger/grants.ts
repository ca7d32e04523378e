import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { type SettingInput, settingFlags } from '../../settings-flags.ts';

export const declare = (start: Start) =>
  new Command('grants')
    .summary('the SQL that gives each role its rights')
    .description(
      'Prints SQL for four roles: owner, syncer, clerk and reader. The owner of the database runs it, again after each update of remit.',
    )
    .addOption(ledgerOption())
    .addHelpText('after', example('remit ledger grants | psql postgresql://owner@host/database'))
    .action((options) => start('ledger grants', options, grants));

async function grants(session: Session, input: SettingInput): Promise<number> {
  const { ledgerGrants } = await import('../../../app/ledger/grants.ts');
  const sql = await ledgerGrants(await session.books(settingFlags(input)));
  if (session.json) session.resultJson({ sql });
  else session.result(sql);
  return 0;
}
