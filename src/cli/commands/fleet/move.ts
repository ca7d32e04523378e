import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { example, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declare = (start: Start) =>
  new Command('move')
    .summary("move a merchant's ledger to another cell")
    .description(
      'Copies the ledger of a merchant to another cell, proves that both are equal, and switches the settings. The old ledger stays until `remit fleet drop`.',
    )
    .argument('<merchant>', 'its name in fleet.toml')
    .requiredOption('--to <cell>', 'the cell to move to')
    .addHelpText(
      'after',
      example('remit -C fleet fleet move m001 --to b', 'remit -C fleet fleet drop m001 --cell a --yes'),
    )
    .action((merchant, { to }) => start('fleet move', { merchant, to }, move));

async function move(session: Session, { merchant, to }: { merchant: string; to: string }): Promise<number> {
  const { moveMerchant } = await import('../../../app/fleet/merchants.ts');
  const moved = await moveMerchant(fleetProgram(session), merchant, to);
  if (session.json) session.resultJson(moved);
  else if (session.quiet) session.result(moved.to);
  else
    session.result(
      `${merchant} is on the cell ${to}: ${moved.to}${moved.rows === 0 ? '' : `, ${counted(moved.rows, 'row')}, equal to ${moved.from}`}`,
    );
  return 0;
}
