import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { UsageError } from '../../../base/errors.ts';
import { example, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declareAdd = (start: Start) =>
  new Command('add')
    .summary('add a merchant: its books folder, its ledger on a cell')
    .description(
      'Makes the books folder of a merchant with its remit.toml, its ledger on a cell with the roles there, and its table in fleet.toml.',
    )
    .argument('<merchant>', 'its name, such as m001: letters, digits, hyphens and underscores')
    .option('--cell <cell>', 'the cell of its ledger (default: the first with room)')
    .option('--settings <file>', 'the remit.toml to begin with; its ledger is the one on the cell')
    .addHelpText('after', example('remit -C fleet fleet add m001 --settings template.toml'))
    .action((merchant, options) => start('fleet add', { merchant, ...options }, add));

interface AddInput {
  readonly merchant: string;
  readonly cell?: string | undefined;
  readonly settings?: string | undefined;
}

async function add(session: Session, { merchant, cell = undefined, settings }: AddInput): Promise<number> {
  const { addMerchant } = await import('../../../app/fleet/merchants.ts');
  const from = settings === undefined ? null : path.resolve(session.io.cwd, settings);
  const added = await addMerchant(fleetProgram(session), { merchant, cell: cell ?? null, settings: from });
  if (session.json) session.resultJson(added);
  else if (session.quiet) session.result(added.books);
  else session.result(`${added.merchant} is on the cell ${added.cell}: settings in ${added.settings}`);
  return 0;
}

export const declareDrop = (start: Start) =>
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

export const declareMove = (start: Start) =>
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
