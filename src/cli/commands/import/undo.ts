import { Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start, wholeNumber } from '../../command.ts';
import { type DecidingInput, deciding, dryRunOption, seenOption } from '../../deciding.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('undo')
    .summary('take an import back')
    .description(
      'Takes an import back: removes the rows that no other import holds, and the matches that rest on them, and resolves the mismatches that rested on it alone. The file and both events stay on record.',
    )
    .argument('<id>', 'the import, as `remit import list` shows it', wholeNumber(1))
    .requiredOption('--reason <text>', 'why; it stays on record')
    .option('--by <name>', 'who takes it back (default: the user of this machine)')
    .addOption(dryRunOption())
    .addOption(seenOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit import undo 57 --reason "wrong account"'))
    .action((id, options) => start('import undo', { id, ...options }, undo));

export interface UndoInput extends SettingInput, DecidingInput {
  readonly id: number;
  readonly reason: string;
  readonly by?: string | undefined;
}

export async function undo(session: Session, { id, reason, by, ...input }: UndoInput): Promise<number> {
  const [{ undoImport }, { undoneLines }] = await Promise.all([
    import('../../../app/import/undo.ts'),
    import('../../lines/import.ts'),
  ]);
  const books = await session.books(input);
  const request = { id, reason, by: await session.person(by) };
  const undone = await deciding(session, books, input, (own) => undoImport(own, request));
  if (undone === null) return 0;
  if (session.json) session.resultJson(undone);
  else if (!session.quiet) session.result(undoneLines(undone).join('\n'));
  return 0;
}
