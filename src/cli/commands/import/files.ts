import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { FileSource } from '../../../app/import/index.ts';
import { ImportFileError, inEnglish, UsageError } from '../../../base/errors.ts';
import { NotRegularError, readRegularFile } from '../../../base/files/read.ts';
import { example, ledgerOption, printAnswer, type Start } from '../../command.ts';
import type { Io } from '../../io.ts';
import type { Flags, PersonInput, Session, Texts } from '../../session.ts';

/** The kinds of files that can be imported, with the help of their commands. */
export const FILE_KINDS = [
  {
    kind: 'orders',
    summary: 'your own order book: CSV, XLSX, Shopify or WooCommerce',
    description:
      'Imports your own order book: what the courier must collect, order by order. A later file updates the orders that it names and removes none.',
    example: 'remit import orders shopify-export.csv',
  },
  {
    kind: 'receipts',
    summary: 'bank statements (CSV, XLSX, PDF, OFX, CAMT ...) and cash books',
    description:
      'Imports bank statements and cash books. A line that several files hold is kept once; a statement that does not add up is refused, and a PDF that does not prove itself.',
    example: 'remit import receipts cash.csv --account "cash box"',
  },
  {
    kind: 'settlement',
    summary: 'settlement sheets of a courier that has no API, as CSV, XLSX or PDF',
    description:
      'Imports settlement sheets: payouts with their orders, COD, charges and taxes. From then on they are invoices like those of an API. A sheet that differs from an earlier one of the same payout restates it.',
    example: 'remit import settlement payout-118.xlsx --map cedar',
  },
  {
    kind: 'tariff',
    summary: 'the agreed prices, as CSV or XLSX',
    description: 'Imports the agreed prices. The most specific line wins; two that tie are refused.',
    example: 'remit import tariff prices-2026.csv',
  },
  {
    kind: 'rates',
    summary: 'exchange rates, as CSV or XLSX',
    description: 'Imports dated exchange rates; the latest on or before a day counts.',
    example: 'remit import rates rates.csv',
  },
] as const;
type FileKind = (typeof FILE_KINDS)[number];

/** Declares the command of a kind, such as `remit import orders`. */
export const fileCommand =
  ({ kind, summary, description, example: line }: FileKind) =>
  (start: Start) => {
    const command = new Command(kind)
      .summary(summary)
      .description(description)
      .argument('<file...>', 'the files; - is standard input')
      .option('--map <name>', 'read them by [maps.NAME] of remit.toml')
      .option('--by <name>', 'who imports (default: the user of this machine)')
      .option('--dry-run', 'say what would change, and change nothing')
      .option('--allow-gap', 'take a statement that does not add up, on record')
      .addOption(ledgerOption());
    if (kind === 'receipts' || kind === 'settlement') {
      command.option('--password-file <file>', 'the file whose first line is the password of a protected PDF');
      command.option('--explain', 'say which column becomes which field, with three values each, and change nothing');
    }
    if (kind === 'receipts') {
      command.option('--account <name>', 'the account of files that do not name one');
      command.option(
        '--replace',
        'the file is a correction: earlier lines of its days that it lacks no longer count, on record',
      );
    }
    return command
      .addHelpText(...example(line))
      .action((files, options) => start(`import ${kind}`, { kind, files, ...options }, importFiles));
  };

export interface FilesInput
  extends PersonInput,
    Texts<'map' | 'account' | 'passwordFile'>,
    Flags<'dryRun' | 'allowGap' | 'replace' | 'explain'> {
  readonly kind: FileKind['kind'];
  readonly files: readonly string[];
}

/** Exits with 0 (imported, or imported before), 1 (a file cannot be read), or 2 (wrong use, or an unknown map). */
export async function importFiles(session: Session, { kind, files, ...options }: FilesInput) {
  const { map = null, account = null, passwordFile, explain, ...others } = options;
  // `input`: the options that say which books, and who imports.
  const { dryRun = false, allowGap = false, replace = false, ...input } = others;
  const app = await import('../../../app/import/index.ts');
  const { explainedLines, importedLines } = await import('../../lines/import.ts');
  const { withConfirmedMap } = await import('./confirm-map.ts');
  const sources: FileSource[] = [];
  const password = passwordFile === undefined ? undefined : await pdfPassword(session.io, passwordFile);
  for (const file of files) {
    const source = await importSource(session.io, file);
    sources.push(password === undefined ? source : await app.withPassword(source, password));
  }
  if (explain === true) {
    const { explainFiles } = await import('../../../app/import/read-by-map.ts');
    const books = await session.books(input);
    for (const explained of await explainFiles(books, { kind, files: sources, map })) {
      await printAnswer(session, explained, () => explainedLines(explained));
    }
    return 0;
  }
  const person = await session.person(input.by);
  const request = { kind, files: sources, by: person, account, dryRun, allowGap, replace };
  const toRead = { kind, files: sources, map, input };
  // `chosenMap` is `map`, or the map that a person confirms if the files cannot be read without one.
  const imported = await withConfirmedMap(session, toRead, async (chosenMap) =>
    app.importFiles(await session.books(input), { ...request, map: chosenMap }),
  );
  for (const file of imported) {
    await printAnswer(session, file.summary, () => importedLines(file, dryRun), !session.quiet);
  }
  return 0;
}

/** The most that an import takes from standard input: as much as from a file (imports/formats/read-safely.ts). */
const MOST_MEGABYTES = 32;
const STDIN = 'standard input';

/** The path of a file to import; for `-` the bytes of standard input. @throws ImportFileError if they are too many */
export async function importSource({ stdin, cwd }: Pick<Io, 'stdin' | 'cwd'>, file: string) {
  if (file !== '-') return path.resolve(cwd, file);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > MOST_MEGABYTES * 1024 * 1024) {
      const tooLarge = inEnglish(`${STDIN}: it is larger than ${MOST_MEGABYTES} MB`, 'Export it in parts.');
      throw new ImportFileError(tooLarge, { file: STDIN });
    }
    chunks.push(bytes);
  }
  return { bytes: Buffer.concat(chunks), name: STDIN };
}

const MOST_PASSWORD_BYTES = 4 * 1024;

/**
 * The password of a protected PDF: the first line of a file.
 *
 * @throws UsageError if the file cannot be read or its first line is empty; the error does not repeat the file's name,
 *   for somebody may have typed the password itself
 */
async function pdfPassword({ cwd }: Pick<Io, 'cwd'>, file: string): Promise<string> {
  const text = await readPasswordFile(path.resolve(cwd, file));
  const [first = ''] = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (first !== '') return first;
  throw new UsageError('the first line of the file of `--password-file` is empty', 'Put the password there.');
}

async function readPasswordFile(file: string): Promise<string> {
  try {
    return await readRegularFile(file, { maxBytes: MOST_PASSWORD_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(error instanceof NotRegularError) && code === undefined) throw error;
    const message = `\`--password-file\` names no file that can be read${code === undefined ? '' : ` (${code})`}`;
    throw new UsageError(message, 'Name a small file whose first line is the password.', { cause: error });
  }
}
