import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, printAnswer, type Start } from '../../command.ts';
import { commandsOfGroup } from '../../decisions.ts';
import type { Flags, Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) => {
  const command = new Command('approvals')
    .summary('decisions that wait for a second person')
    .description(
      'Decisions above the limits of [approvals] in remit.toml wait until a second person approves them. Until then they change nothing.',
    )
    .addHelpText(...example('remit approvals list', 'remit approvals approve 812 --by Karim --note "agreed"'));
  for (const child of [listCommand(start), ...commandsOfGroup('approvals', start)]) command.addCommand(child);
  return command;
};

export const listCommand = (start: Start) =>
  new Command('list')
    .summary('what waits, and what was approved or refused')
    .description(
      'Lists the decisions that wait for a second person; with --all also those that were approved or refused.',
    )
    .option('--all', 'also those that no longer wait')
    .addOption(ledgerOption())
    .addHelpText(...example('remit approvals list'))
    .action((options) => start('approvals list', options, list));

export async function list(session: Session, { all, ...input }: SettingInput & Flags<'all'>): Promise<number> {
  const { listApprovals } = await import('../../../app/approvals/list.ts');
  const { approvalLines } = await import('../../lines/decided.ts');
  const books = await session.books(input);
  const approvals = (await listApprovals(books)).filter(({ status }) => all || status === 'waiting');
  return printAnswer(session, { approvals }, async () => approvalLines(approvals, await session.zone(books)));
}
