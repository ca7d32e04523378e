import { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../../base/errors.ts';
import { example, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declare = (start: Start) =>
  new Command('drop')
    .summary('remove the ledger that a move left on a cell')
    .description(
      'Removes the ledger of a merchant from a cell where it is no longer in use. It refuses where that ledger holds what the one in use does not.',
    )
    .argument('<merchant>', 'its name')
    .requiredOption('--cell <cell>', 'the cell that it was moved from')
    .option('--yes', 'remove it')
    .addHelpText('after', example('remit -C fleet fleet drop m001 --cell a --yes'))
    .action((merchant, options) => start('fleet drop', { merchant, ...options }, drop));

interface DropInput {
  readonly merchant: string;
  readonly cell: string;
  readonly yes?: true | undefined;
}

async function drop(session: Session, { merchant, cell, yes }: DropInput): Promise<number> {
  if (!yes)
    throw new UsageError(`this would remove the ledger of ${merchant} on the cell ${cell}`, 'Add --yes to remove it.');
  const { dropMerchant } = await import('../../../app/fleet/merchants.ts');
  const dropped = await dropMerchant(fleetProgram(session), merchant, cell);
  if (session.json) session.resultJson(dropped);
  else session.result(session.quiet ? dropped.ledger : `${dropped.ledger} is removed`);
  return 0;
}
