import path from 'node:path';
import { ImportFileError, inEnglish, UsageError } from '../base/errors.ts';
import { NotRegularError, readRegularFile } from '../base/files/read.ts';
import type { Io } from './io.ts';

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
export async function pdfPassword({ cwd }: Pick<Io, 'cwd'>, file: string): Promise<string> {
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
