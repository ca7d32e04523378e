import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start, wholeNumber } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, seenOption } from '../../deciding.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('remove')
    .summary('take a match away')
    .description(
      'Takes a match away. Its receipts are matched by hand from then on; the match and its end stay on record.',
    )
    .argument('<id>', 'the match, as `remit match list` shows it', wholeNumber(1))
    .requiredOption('--reason <text>', 'why; it stays on record')
    .option('--by <name>', 'who takes it away (default: the user of this machine)')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit match remove 7 --reason "paid another shop"'))
    .action((id, options) => start('match remove', { id, ...options }, remove));

export interface RemoveInput extends SettingInput, DecidingInput {
  readonly id: number;
  readonly reason: string;
  readonly by?: string | undefined;
}

export async function remove(
  session: Session,
  { id, reason, by, dryRun, seen, ...input }: RemoveInput,
): Promise<number> {
  const { removeMatch } = await import('../../../app/match/by-hand.ts');
  const person = await session.person(by);
  const books = await session.books(input);
  const removed = await deciding(session, books, { dryRun, seen }, (own) =>
    removeMatch(own, { id, reason, by: person }),
  );
  if (removed === null) return 0;
  if (session.json) session.resultJson({ match: id, reason: reason.trim(), by: person });
  else if (!session.quiet) session.result(`match ${id} is taken away`);
  return 0;
}
