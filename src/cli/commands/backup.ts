import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { sizeText } from '../../base/counted.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('backup')
    .summary('copy the ledger, also while a sync is at work')
    .description(
      'Writes a complete copy of the ledger, checked before it gets its name. Works while a sync is running.',
    )
    .argument('<file>', 'the copy to write')
    .option('--force', 'replace the file if it exists')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit backup ledger-2026-11-20.db'))
    .action((file, options) => start('backup', { file, ...options }, backup));

export interface BackupInput extends SettingInput {
  readonly file: string;
  readonly force?: boolean | undefined;
}

export async function backup(session: Session, input: BackupInput): Promise<number> {
  const { backupBooks } = await import('../../app/ledger/backup.ts');
  const books = await session.books(input);
  const target = path.resolve(session.io.cwd, input.file);
  const { ledger, file, bytes } = await backupBooks(books, target, { force: input.force === true });
  if (session.json) session.resultJson({ ledger, file, bytes });
  else session.result(session.quiet ? file : `${file}  ${sizeText(bytes)}, checked`);
  return 0;
}
