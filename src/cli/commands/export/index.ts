import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { declare as parquet } from './parquet.ts';

/** The ways out of the ledger for other programs. */
export const declare = (start: Start) =>
  new Command('export')
    .summary('write the ledger for other programs')
    .description('Writes the tables of the ledger in a form that databases and notebooks read.')
    .addHelpText('after', example('remit export parquet tables'))
    .addCommand(parquet(start));
