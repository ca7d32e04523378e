import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { declare as add } from './add.ts';
import { declare as drop } from './drop.ts';
import { declare as init } from './init.ts';
import { declare as lake } from './lake.ts';
import { declare as move } from './move.ts';
import { declare as night } from './night.ts';
import { declare as query } from './query.ts';
import { declare as status } from './status.ts';

/** Many merchants, each with books of its own. */
export const declare = (start: Start) =>
  new Command('fleet')
    .summary('many merchants: their nights, how each is, all figures as one lake')
    .description(
      'Keeps the books of many merchants, a folder each, whose ledgers are on the cells of fleet.toml. -C names the folder of the fleet.',
    )
    .addHelpText(
      'after',
      example('remit fleet init fleet', 'remit -C fleet fleet add m001', 'remit -C fleet fleet night'),
    )
    .addCommand(init(start))
    .addCommand(add(start))
    .addCommand(night(start))
    .addCommand(status(start))
    .addCommand(lake(start))
    .addCommand(query(start))
    .addCommand(move(start))
    .addCommand(drop(start));
