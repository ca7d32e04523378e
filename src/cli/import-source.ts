import path from 'node:path';
import { ImportFileError, inEnglish } from '../base/errors.ts';
import type { Io } from './io.ts';

/** As large as a file that is imported may be. */
const MOST_BYTES = 32 * 1024 * 1024;
const STDIN = 'standard input';

/** A file that was named to be imported, absolute; `-` is standard input, read whole. @throws ImportFileError when that is too large */
export async function importSource(
  { stdin, cwd }: Pick<Io, 'stdin' | 'cwd'>,
  file: string,
): Promise<string | { bytes: Uint8Array; name: string }> {
  if (file !== '-') return path.resolve(cwd, file);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > MOST_BYTES) {
      throw new ImportFileError(
        inEnglish(`${STDIN}: it is larger than ${MOST_BYTES / 1024 / 1024} MB`, 'Export it in parts.'),
        {
          file: STDIN,
        },
      );
    }
    chunks.push(bytes);
  }
  return { bytes: Buffer.concat(chunks), name: STDIN };
}
