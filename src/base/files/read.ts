import { createHash } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { filesError, type NamedTarget, type Unwritable } from '../../words/errors/files.ts';
import { FileError, RemitError } from '../errors.ts';

/** What a path names instead of a short regular file, as the end of a sentence. */
type NotRegular = 'a folder' | 'not a regular file' | `longer than ${number} KiB`;

/** The path names a folder, a pipe, a device or a socket, or a file that is too long. */
export class NotRegularError extends Error {
  readonly what: NotRegular;

  constructor(what: NotRegular) {
    super(what);
    this.what = what;
  }
}

/**
 * Opens a file that a person or another program named for `use`, and closes it. A pipe or a device is refused instead
 * of waited for.
 *
 * @throws NotRegularError, or Node's own error where the file cannot be opened
 */
export async function usingRegularFile<T>(
  file: string,
  use: (handle: FileHandle, status: Stats) => Promise<T>,
): Promise<T> {
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it. Windows has no such flag, and no such
  // files.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new NotRegularError('a folder');
    if (!status.isFile()) throw new NotRegularError('not a regular file');
    return await use(handle, status);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a small text file that a person named.
 *
 * @param check looks at the file that was opened, before anything is read; what it throws ends the reading
 * @throws NotRegularError, or Node's own error where the file cannot be opened
 */
export function readRegularFile(
  file: string,
  { maxBytes, check }: { maxBytes: number; check?: (status: Stats) => void },
): Promise<string> {
  return usingRegularFile(file, async (handle, status) => {
    check?.(status);
    if (status.size > maxBytes) throw new NotRegularError(`longer than ${Math.floor(maxBytes / 1_024)} KiB`);
    return textOf(await handle.readFile());
  });
}

/** The SHA-256 of a file, which is read piece by piece: it may be large. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** UTF-8, or UTF-16 with its byte order mark, as PowerShell and Notepad may write. The mark stays. */
function textOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/**
 * Makes of a system error in writing one that says why and what to do; returns any other error as it is.
 *
 * @param choice how the target was chosen, for the hint
 */
export function explainWriteFault(error: unknown, file: string, choice: NamedTarget): unknown {
  if (error instanceof RemitError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  // Windows says EACCES of a file that is open, too.
  const isMaybeOpen = code === 'EACCES' && process.platform === 'win32';
  const known: Unwritable | undefined = isMaybeOpen ? { id: 'open-or-read-only' } : REASONS[code];
  const why = known ?? { id: 'other', says: message };
  return new FileError(filesError({ id: 'cannot-be-written', file, why, choice }), { cause: error });
}

const REASONS: Readonly<Record<string, Unwritable>> = {
  ENOSPC: { id: 'disk-full' },
  EDQUOT: { id: 'disk-full' },
  EFBIG: { id: 'too-large' },
  EBUSY: { id: 'open-elsewhere' },
  EPERM: { id: 'open-elsewhere' },
  ETXTBSY: { id: 'open-elsewhere' },
  EACCES: { id: 'read-only' },
  EROFS: { id: 'read-only' },
  ENAMETOOLONG: { id: 'name-too-long' },
};
