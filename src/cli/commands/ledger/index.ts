import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { declare as copy } from './copy.ts';
import { declare as grants } from './grants.ts';

/** What concerns the ledger's place: moving it, and who may do what there. */
export const declare = (start: Start) =>
  new Command('ledger')
    .summary('move the ledger, share it')
    .description('Moves the ledger between a file and a database, and says what a database must grant to whom.')
    .addHelpText('after', example('remit ledger copy postgresql://user@host/database', 'remit ledger grants'))
    .addCommand(copy(start))
    .addCommand(grants(start));
