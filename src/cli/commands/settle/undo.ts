import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, seenOption } from '../../deciding.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('undo')
    .summary('undo a settlement')
    .description(
      'Undoes a settlement: its amount is open again. A match with a difference is taken away, a mismatch is open again. What was decided and its end stay on record.',
    )
    .argument('<id>', 'the settlement, match or mismatch, as `remit settle list` shows it')
    .requiredOption('--reason <text>', 'why; it stays on record')
    .option('--by <name>', 'who undoes it (default: the user of this machine)')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit settle undo 7 --reason "it was paid after all"'))
    .action((id, options) => start('settle undo', { id, ...options }, undo));

export interface UndoInput extends SettingInput, DecidingInput {
  readonly id: string;
  readonly reason: string;
  readonly by?: string | undefined;
}

export async function undo(session: Session, { id, reason, by, dryRun, seen, ...input }: UndoInput): Promise<number> {
  const { undoSettlement } = await import('../../../app/settle/undo.ts');
  const person = await session.person(by);
  const books = await session.books(input);
  const undone = await deciding(session, books, { dryRun, seen }, (own) =>
    undoSettlement(own, { id, reason, by: person }),
  );
  if (undone === null) return 0;
  if (session.json)
    session.resultJson({ settlement: /^\d{1,12}$/.test(id) ? Number(id) : id, reason: reason.trim(), by: person });
  else if (!session.quiet) session.result(`settlement ${id} is undone`);
  return 0;
}
