import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import { commandsOfGroup } from '../../decisions.ts';
import { showOne } from '../show.ts';
import { declare as list } from './list.ts';

export const declare = (start: Start) => {
  const mismatch = new Command('mismatch')
    .summary('list what does not agree, and decide about it')
    .description('Lists what the checks found, and records what you decide about it.')
    .addHelpText('after', example('remit mismatch list 2026-10', 'remit mismatch ack 4f1c --note "asked the courier"'));
  for (const command of [list(start), showCommand(start), ...commandsOfGroup('mismatch', start)])
    mismatch.addCommand(command);
  return mismatch;
};

export const showCommand = (start: Start) =>
  new Command('show')
    .summary('one mismatch, its history and both sides')
    .description('Shows a mismatch, its history, and both documents’ figures (the same as `remit show mismatch`).')
    .argument('<id>', 'its id, which may be shortened while it is unique')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit mismatch show 4f1c'))
    .action((id, options) => start('mismatch show', { kind: 'mismatch' as const, id, ...options }, showOne));
