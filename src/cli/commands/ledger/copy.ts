import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { example, ledgerOption, type Start } from '../../command.ts';
import type { Session, SettingInput } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('copy')
    .summary('copy the ledger to another place, whole or not at all')
    .description(
      'Copies the ledger between a file and a database, either way, and proves that both are equal: the same rows, the same head of the chain.',
    )
    .argument('<to>', 'a file, or postgresql://user@host/database?schema=remit; it must hold no ledger yet')
    .addOption(ledgerOption())
    .option(
      '--to-settings <file>',
      'a remit.toml whose ledger_password_command and ledger_lock the copy is made by (default: that of the books)',
    )
    .addHelpText('after', example('remit ledger copy postgresql://user@host/database?schema=remit'))
    .action((to, options) => start('ledger copy', { to, ...options }, copy));

export interface CopyInput extends SettingInput {
  readonly to: string;
  readonly toSettings?: string | undefined;
}

export async function copy(session: Session, input: CopyInput): Promise<number> {
  const { copyBooks } = await import('../../../app/ledger/backup.ts');
  const books = await session.books(input);
  const { toSettings } = input;
  const settings = toSettings === undefined ? books.config.file : path.resolve(session.io.cwd, toSettings);
  const copied = await copyBooks(books, await session.place(input.to, settings));
  if (session.json) session.resultJson(copied);
  else if (session.quiet) session.result(copied.to);
  else {
    session.result(`${copied.to}  ${counted(copied.rows, 'row')}, equal to ${copied.from}`);
    session.result(`head ${copied.head ?? 'none: the ledger is empty'}`);
  }
  return 0;
}
