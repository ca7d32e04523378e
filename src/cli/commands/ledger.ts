import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { counted, sizeText } from '../../base/counted.ts';
import { example, ledgerOption, printAnswer, type Start } from '../command.ts';
import type { Flags, Session, SettingInput, Texts } from '../session.ts';

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
    .addHelpText(...example('remit ledger copy postgresql://user@host/database?schema=remit'))
    .action((to, options) => start('ledger copy', { to, ...options }, copy));

export type CopyInput = SettingInput & Texts<'toSettings'> & { readonly to: string };

export async function copy(session: Session, input: CopyInput): Promise<number> {
  const { copyBooks } = await import('../../app/ledger/backup.ts');
  const books = await session.books(input);
  const settings = session.file(input.toSettings) ?? books.config.file;
  // These settings say how the database of the copy is opened.
  const copied = await copyBooks(books, await session.place(input.to, settings));
  const equal = `${copied.to}  ${counted(copied.rows, 'row')}, equal to ${copied.from}`;
  const lines = [equal, `head ${copied.head ?? 'none: the ledger is empty'}`];
  return printAnswer(session, copied, () => (session.quiet ? copied.to : lines));
}

export const declareGrants = (start: Start) =>
  new Command('grants')
    .summary('the SQL that gives each role its rights')
    .description(
      'Prints SQL for four roles: owner, syncer, clerk and reader. The owner of the database runs it, again after each update of remit.',
    )
    .addOption(ledgerOption())
    .addHelpText(...example('remit ledger grants | psql postgresql://owner@host/database'))
    .action((options) => start('ledger grants', options, grants));

async function grants(session: Session, input: SettingInput): Promise<number> {
  const { ledgerGrants } = await import('../../app/ledger/backup.ts');
  const sql = await ledgerGrants(await session.books(input));
  return printAnswer(session, { sql }, () => sql);
}

export const declare = (start: Start) =>
  new Command('ledger')
    .summary('move the ledger, share it')
    .description('Moves the ledger between a file and a database, and says what a database must grant to whom.')
    .addHelpText(...example('remit ledger copy postgresql://user@host/database', 'remit ledger grants'))
    .addCommand(declareCopy(start))
    .addCommand(declareGrants(start));

export const declareBackup = (start: Start) =>
  new Command('backup')
    .summary('copy the ledger, also while a sync is at work')
    .description(
      'Writes a complete copy of the ledger, checked before it gets its name. Works while a sync is running.',
    )
    .argument('<file>', 'the copy to write')
    .option('--force', 'replace the file if it exists')
    .addOption(ledgerOption())
    .addHelpText(...example('remit backup ledger-2026-11-20.db'))
    .action((file, options) => start('backup', { file, ...options }, backup));

export type BackupInput = SettingInput & Flags<'force'> & { readonly file: string };

export async function backup(session: Session, input: BackupInput): Promise<number> {
  const { backupBooks } = await import('../../app/ledger/backup.ts');
  const books = await session.books(input);
  const target = path.resolve(session.io.cwd, input.file);
  const { ledger, file, bytes } = await backupBooks(books, target, { force: input.force === true });
  const text = session.quiet ? file : `${file}  ${sizeText(bytes)}, checked`;
  return printAnswer(session, { ledger, file, bytes }, () => text);
}

export const declareExport = (start: Start) =>
  new Command('export')
    .summary('write the ledger for other programs')
    .description('Writes the tables of the ledger in a form that databases and notebooks read.')
    .addHelpText(...example('remit export parquet tables'))
    .addCommand(declareParquet(start));

export const declareParquet = (start: Start) =>
  new Command('parquet')
    .summary('tables as Parquet files, money as exact decimals')
    .description(
      'Writes each table of the ledger as a Parquet file, all as of one moment; money is DECIMAL(18,4). DuckDB, Spark, BigQuery and ClickHouse read them.',
    )
    .argument('<dir>', 'the folder to write into')
    .option('--force', 'write into a folder that holds something')
    .addOption(ledgerOption())
    .addHelpText(...example('remit export parquet tables'))
    .action((dir, options) => start('export parquet', { dir, ...options }, exportParquet));

export type ExportInput = SettingInput & Flags<'force'> & { readonly dir: string };

export async function exportParquet(session: Session, input: ExportInput): Promise<number> {
  const { exportBooks } = await import('../../app/export.ts');
  const books = await session.books(input);
  const exported = await exportBooks(books, path.resolve(session.io.cwd, input.dir), { force: input.force === true });
  const lines = exported.tables.map(({ file, rows }) => `${file}  ${counted(rows, 'row')}`);
  return printAnswer(session, exported, () => (session.quiet ? exported.folder : lines));
}
