import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, PERIOD_FORMS, type Start } from '../../command.ts';
import { commandNamed, commandsOfGroup } from '../../decisions.ts';
import type { Session, SettingInput, Texts } from '../../session.ts';

export const declare = (start: Start) => {
  const command = commandNamed('settle', start);
  for (const child of [listCommand(start), ...commandsOfGroup('settle', start)]) command.addCommand(child);
  return command;
};

export const listCommand = (start: Start) =>
  new Command('list')
    .summary('what was settled without a receipt')
    .description('Lists settlements, also those that were undone.')
    .argument('[period]', `only what was decided in it: ${PERIOD_FORMS}`)
    .addOption(ledgerOption())
    .addHelpText(...example('remit settle list', 'remit settle list 2026-10'))
    .action((period, options) => start('settle list', { period, ...options }, list));

export async function list(session: Session, { period, ...input }: SettingInput & Texts<'period'>): Promise<number> {
  const { listSettlements } = await import('../../../app/settle/list.ts');
  const books = await session.books(input);
  const settlements = await listSettlements(books, await session.months(period));
  if (session.json) session.resultJson({ settlements });
  else await session.list('settlements', settlements, await session.zone(books));
  return 0;
}
