import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declare = (start: Start) =>
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
