import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import { showOne } from '../show.ts';

export const declare = (start: Start) =>
  new Command('show')
    .summary('one mismatch, its history and both sides')
    .description('Shows a mismatch, its history, and both documents’ figures (the same as `remit show mismatch`).')
    .argument('<id>', 'its id, which may be shortened while it is unique')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit mismatch show 4f1c'))
    .action((id, options) => start('mismatch show', { kind: 'mismatch' as const, id, ...options }, showOne));
