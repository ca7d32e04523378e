import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { declareAck, declareReopen, declareResolve } from './decide.ts';
import { declare as list } from './list.ts';
import { declare as show } from './show.ts';

/** The commands of `remit mismatch`, in the order in which help lists them. */
const COMMANDS = [list, show, declareAck, declareResolve, declareReopen];

export const declare = (start: Start) => {
  const mismatch = new Command('mismatch')
    .summary('list what does not agree, and decide about it')
    .description('Lists what the checks found, and records what you decide about it.')
    .addHelpText('after', example('remit mismatch list 2026-10', 'remit mismatch ack 4f1c --note "asked the courier"'));
  for (const command of COMMANDS) mismatch.addCommand(command(start));
  return mismatch;
};
