import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import { commandsOfGroup } from '../../decisions.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) => {
  const command = new Command('approvals')
    .summary('decisions that wait for a second person')
    .description(
      'Decisions above the limits of [approvals] in remit.toml wait until a second person approves them. Until then they change nothing.',
    )
    .addHelpText('after', example('remit approvals list', 'remit approvals approve 812 --by Karim --note "agreed"'));
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
    .addHelpText('after', example('remit approvals list'))
    .action((options) => start('approvals list', options, list));

export interface ListInput extends SettingInput {
  readonly all?: true | undefined;
}

export async function list(session: Session, { all, ...input }: ListInput): Promise<number> {
  const [{ listApprovals }, { approvalLines }] = await Promise.all([
    import('../../../app/approvals/list.ts'),
    import('../../lines/approvals.ts'),
  ]);
  const books = await session.books(input);
  const approvals = (await listApprovals(books)).filter(({ status }) => all || status === 'waiting');
  if (session.json) session.resultJson({ approvals });
  else session.result(approvalLines(approvals, await session.zone(books)).join('\n'));
  return 0;
}
