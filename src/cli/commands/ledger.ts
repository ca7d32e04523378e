import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { counted } from '../../base/counted.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

export const declareCopy = (start: Start) =>
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
  const { copyBooks } = await import('../../app/ledger/backup.ts');
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

export const declareGrants = (start: Start) =>
  new Command('grants')
    .summary('the SQL that gives each role its rights')
    .description(
      'Prints SQL for four roles: owner, syncer, clerk and reader. The owner of the database runs it, again after each update of remit.',
    )
    .addOption(ledgerOption())
    .addHelpText('after', example('remit ledger grants | psql postgresql://owner@host/database'))
    .action((options) => start('ledger grants', options, grants));

async function grants(session: Session, input: SettingInput): Promise<number> {
  const { ledgerGrants } = await import('../../app/ledger/backup.ts');
  const sql = await ledgerGrants(await session.books(input));
  if (session.json) session.resultJson({ sql });
  else session.result(sql);
  return 0;
}

export const declare = (start: Start) =>
  new Command('ledger')
    .summary('move the ledger, share it')
    .description('Moves the ledger between a file and a database, and says what a database must grant to whom.')
    .addHelpText('after', example('remit ledger copy postgresql://user@host/database', 'remit ledger grants'))
    .addCommand(declareCopy(start))
    .addCommand(declareGrants(start));
