import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { decisionsOf } from '../../decisions.ts';
import { FILE_KINDS, fileCommand } from './files.ts';
import { declare as list } from './list.ts';
import { declare as resolutions } from './resolutions.ts';

/** The commands of `remit import`, in the order in which help lists them. */
const COMMANDS = [...FILE_KINDS.map((kind) => fileCommand(kind)), resolutions, list];

export const declare = (start: Start) => {
  const command = new Command('import')
    .summary('import your own order book, bank statements, prices and rates')
    .description('Imports your files. Each is kept as it was, with who imported it and when, and can be taken back.')
    .addHelpText(
      'after',
      example('remit import orders shop.csv', 'remit import receipts october.xml', 'remit import list'),
    );
  const children = [...COMMANDS.map((declareChild) => declareChild(start)), ...decisionsOf('import', start)];
  for (const child of children) command.addCommand(child);
  return command;
};
