import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { decisionsOf } from '../../decisions.ts';
import { declare as list } from './list.ts';
import { declare as show } from './show.ts';

export const declare = (start: Start) => {
  const mismatch = new Command('mismatch')
    .summary('list what does not agree, and decide about it')
    .description('Lists what the checks found, and records what you decide about it.')
    .addHelpText('after', example('remit mismatch list 2026-10', 'remit mismatch ack 4f1c --note "asked the courier"'));
  for (const command of [list(start), show(start), ...decisionsOf('mismatch', start)]) mismatch.addCommand(command);
  return mismatch;
};
