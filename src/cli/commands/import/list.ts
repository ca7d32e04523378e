import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('list')
    .summary('every import: when, by whom, how many rows')
    .description('Lists every import in the order in which they came, with those that were taken back.')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit import list'))
    .action((options) => start('import list', options, list));

export async function list(session: Session, input: SettingInput): Promise<number> {
  const { listImports } = await import('../../../app/import/undo.ts');
  const books = await session.books(input);
  const imports = await listImports(books);
  if (session.json) session.resultJson({ imports });
  else await session.list('imports', imports, await session.zone(books));
  return 0;
}
