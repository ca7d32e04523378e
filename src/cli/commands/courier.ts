import { Command } from '@commander-js/extra-typings';
import type { ListedCourier } from '../../app/courier-books.ts';
import { cleanText } from '../../base/text.ts';
import { example, ledgerOption, printAnswer, type Start } from '../command.ts';
import { timestampText } from '../lines/labels.ts';
import type { PersonInput, Session, SettingInput } from '../session.ts';

export const declareList = (start: Start) =>
  new Command('list')
    .summary('the couriers, their accounts and last syncs')
    .description('Lists the couriers of the books.')
    .addOption(ledgerOption())
    .addHelpText(...example('remit courier list', 'remit courier list --json'))
    .action((options) => start('courier list', options, list));

export async function list(session: Session, input: SettingInput): Promise<number> {
  const { listCouriers } = await import('../../app/courier-books.ts');
  const couriers = await listCouriers(await session.books(input));
  return printAnswer(session, { couriers }, () => couriers.map(courierLine));
}

function courierLine(courier: ListedCourier): string {
  const { name, kind, account, in_settings, returns, returns_basis, last_sync } = courier;
  const synced = last_sync === null ? 'no sync was complete yet' : `last complete sync ${timestampText(last_sync)}`;
  const parts = [
    name,
    kind === 'files' ? 'settlement sheets' : 'API',
    ...(account === null ? [] : [cleanText(account, 80)]),
    ...(kind === 'files' ? [] : [synced]),
    ...(returns === null ? [] : [`returns ${returns} (${returns_basis})`]),
    ...(in_settings ? [] : ['no longer in the settings']),
  ];
  return parts.join('  ');
}

export const declareRename = (start: Start) =>
  new Command('rename')
    .summary('give a courier another name')
    .description('Gives a courier another name. Rename its table in remit.toml, [couriers.NAME], too.')
    .argument('<old>', 'its name, as `remit courier list` shows it')
    .argument('<new>', 'lower-case letters, digits and hyphens, a letter first')
    .option('--by <name>', 'who renames it (default: the user of this machine)')
    .addOption(ledgerOption())
    .addHelpText(...example('remit courier rename swift swift-express'))
    .action((from, to, options) => start('courier rename', { from, to, ...options }, rename));

export type RenameInput = PersonInput & Record<'from' | 'to', string>;

export async function rename(session: Session, { from, to, ...input }: RenameInput): Promise<number> {
  const { renameCourier } = await import('../../app/courier-books.ts');
  const person = await session.person(input.by);
  await renameCourier(await session.books(input), { from, to, by: person });
  const text = `${from} is ${to} now; write [couriers.${to}] in remit.toml in place of [couriers.${from}]`;
  return printAnswer(session, { courier: to, was: from, by: person }, () => text, !session.quiet);
}

export const declare = (start: Start) =>
  new Command('courier')
    .summary('the couriers of the books')
    .description(
      'The couriers of the books: those of the settings, [couriers.NAME], and those of which the ledger holds anything.',
    )
    .addHelpText(...example('remit courier list', 'remit courier rename swift swift-express'))
    .addCommand(declareList(start))
    .addCommand(declareRename(start));
