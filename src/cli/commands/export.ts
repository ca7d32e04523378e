import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { counted } from '../../base/counted.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('export')
    .summary('write the ledger for other programs')
    .description('Writes the tables of the ledger in a form that databases and notebooks read.')
    .addHelpText('after', example('remit export parquet tables'))
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
    .addHelpText('after', example('remit export parquet tables'))
    .action((dir, options) => start('export parquet', { dir, ...options }, exportParquet));

export interface ExportInput extends SettingInput {
  readonly dir: string;
  readonly force?: boolean | undefined;
}

export async function exportParquet(session: Session, input: ExportInput): Promise<number> {
  const { exportBooks } = await import('../../app/export.ts');
  const books = await session.books(input);
  const exported = await exportBooks(books, path.resolve(session.io.cwd, input.dir), { force: input.force === true });
  if (session.json) session.resultJson(exported);
  else if (session.quiet) session.result(exported.folder);
  else for (const { file, rows } of exported.tables) session.result(`${file}  ${counted(rows, 'row')}`);
  return 0;
}
