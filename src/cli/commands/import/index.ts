import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import { commandsOfGroup } from '../../decisions.ts';
import type { Session, SettingInput } from '../../session.ts';
import { FILE_KINDS, fileCommand } from './files.ts';
import { declare as resolutions } from './resolutions.ts';

export const declare = (start: Start) => {
  const command = new Command('import')
    .summary('import your own order book, bank statements, prices and rates')
    .description('Imports your files. Each is kept as it was, with who imported it and when, and can be taken back.')
    .addHelpText(
      'after',
      example('remit import orders shop.csv', 'remit import receipts october.xml', 'remit import list'),
    );
  // In the order in which help lists them.
  const children = [...FILE_KINDS.map((kind) => fileCommand(kind)), resolutions, listCommand];
  for (const declareChild of children) command.addCommand(declareChild(start));
  for (const decision of commandsOfGroup('import', start)) command.addCommand(decision);
  return command;
};

export const listCommand = (start: Start) =>
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
