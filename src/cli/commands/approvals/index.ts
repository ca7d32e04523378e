import { Command } from '@commander-js/extra-typings';
import type { Approved } from '../../../app/approvals/approve.ts';
import type { RefusedApproval } from '../../../app/approvals/refuse.ts';
import type { RefusedClose } from '../../../app/close/close.ts';
import { example, ledgerOption, type Start, wholeNumber } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, noteOf, seenOption } from '../../deciding.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('approvals')
    .summary('decisions that wait for a second person')
    .description(
      'Decisions above the limits of [approvals] in remit.toml wait until a second person approves them. Until then they change nothing.',
    )
    .addHelpText('after', example('remit approvals list', 'remit approvals approve 812 --by Karim --note "agreed"'))
    .addCommand(listCommand(start))
    .addCommand(verdictCommand(start, 'approve', 'approve a decision of another person: it is done'))
    .addCommand(verdictCommand(start, 'refuse', 'refuse a decision: it is never done'));

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

export const verdictCommand = (start: Start, verb: 'approve' | 'refuse', summary: string) =>
  new Command(verb)
    .summary(summary)
    .description(
      verb === 'approve'
        ? 'Approves a decision and does it. The one who proposed it cannot approve it; both names stay on record.'
        : 'Refuses a decision that waits: it is never done, and stays on record.',
    )
    .argument('<id>', 'the decision, as `remit approvals list` shows it', wholeNumber(1))
    .option('--by <name>', `who ${verb}s it (default: the user of this machine)`)
    .option('--note <text>', 'why; it stays on record')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example(`remit approvals ${verb} 812 --by Karim --note "talked to Rana"`))
    .action((id, options) => start(`approvals ${verb}`, { id, verb, ...options }, decide));

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

export interface VerdictInput extends SettingInput, DecidingInput {
  readonly id: number;
  readonly verb: 'approve' | 'refuse';
  readonly by?: string | undefined;
  readonly note?: string | undefined;
}

/** Exit 1 where the month of an approved close cannot be closed: it goes on waiting. */
export async function decide(session: Session, { id, verb, by, note, ...input }: VerdictInput): Promise<number> {
  const app = await import('../../../app/approvals/approve.ts');
  const verdict = { id, by: await session.person(by), note: noteOf(note) };
  const books = await session.books(input);
  const result = await deciding(
    session,
    books,
    input,
    async (own): Promise<Approved | RefusedApproval | RefusedClose> =>
      verb === 'approve'
        ? app.approve(own, verdict)
        : (await import('../../../app/approvals/refuse.ts')).refuse(own, verdict),
  );
  if (result === null) return 0;
  if (session.json) session.resultJson(result);
  if (result.status === 'refused' && 'reasons' in result) {
    const { refusedLines } = await import('../../lines/close.ts');
    if (!session.json) session.warn(refusedLines(`${result.period} cannot be closed:`, result.reasons).join('\n'));
    return 1;
  }
  if (session.json || session.quiet) return 0;
  const lines = [`decision ${id} is ${result.status}`];
  if (result.status === 'approved') {
    const { approvedLines } = await import('../../lines/approvals.ts');
    lines.push(...approvedLines(result, await session.zone(books)));
  }
  session.result(lines.join('\n'));
  return 0;
}
