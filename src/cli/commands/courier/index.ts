import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { declare as list } from './list.ts';
import { declare as rename } from './rename.ts';

export const declare = (start: Start) =>
  new Command('courier')
    .summary('the couriers of the books')
    .description(
      'The couriers of the books: those of the settings, [couriers.NAME], and those of which the ledger holds anything.',
    )
    .addHelpText('after', example('remit courier list', 'remit courier rename swift swift-express'))
    .addCommand(list(start))
    .addCommand(rename(start));
