import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('rename')
    .summary('give a courier another name')
    .description('Gives a courier another name. Rename its table in remit.toml, [couriers.NAME], too.')
    .argument('<old>', 'its name, as `remit courier list` shows it')
    .argument('<new>', 'lower-case letters, digits and hyphens, a letter first')
    .option('--by <name>', 'who renames it (default: the user of this machine)')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit courier rename swift swift-express'))
    .action((from, to, options) => start('courier rename', { from, to, ...options }, rename));

export interface RenameInput extends SettingInput {
  readonly from: string;
  readonly to: string;
  readonly by?: string | undefined;
}

export async function rename(session: Session, { from, to, by, ...input }: RenameInput): Promise<number> {
  const { renameCourier } = await import('../../../app/courier-books.ts');
  const person = await session.person(by);
  await renameCourier(await session.books(input), { from, to, by: person });
  if (session.json) session.resultJson({ courier: to, was: from, by: person });
  else if (!session.quiet)
    session.result(`${from} is ${to} now; write [couriers.${to}] in remit.toml in place of [couriers.${from}]`);
  return 0;
}
