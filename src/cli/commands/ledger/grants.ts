import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session, SettingInput } from '../../session.ts';

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
  const { ledgerGrants } = await import('../../../app/ledger/backup.ts');
  const sql = await ledgerGrants(await session.books(input));
  if (session.json) session.resultJson({ sql });
  else session.result(sql);
  return 0;
}
