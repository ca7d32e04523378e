import { open } from 'node:fs/promises';
import { FileError, ImportFileError, InterruptedError } from '../../base/errors.ts';
import { startChild } from '../../base/program.ts';
import { cleanText } from '../../base/text.ts';
import type { WorkbookWords } from '../../base/workbook-mark.ts';
import { readingError } from '../../words/errors/reading.ts';
import type { ImportKind } from '../maps/column-map.ts';
import type { ReadOptions } from './read-bytes.ts';
import type { ChildAnswer, ChildFileOf, ChildKind, Overrun, Request } from './read-child.ts';
import type { TableSample } from './read-table.ts';

/** More than any statement or a year of a shop's orders has; a larger file is refused before it is read. */
const MOST_BYTES = 32 * 1024 * 1024;
/** The processor's time, not the clock's. */
const CPU_SECONDS = 18;
/** The memory of the whole process, as the system counts it. */
const MEMORY_MB = 300;
/** The heap's share of the memory; the rest is for Node itself, the file's bytes and the answer. */
const HEAP_SHARE = 0.48;
/** The clock's time after which a process is ended, even if it used no processor time. */
const MOST_SECONDS = 600;

/** A path, or bytes with the name that messages give them, and the password of a protected PDF. */
export type FileSource =
  | string
  | { readonly bytes: Uint8Array; readonly name: string; readonly password?: string | undefined };

export interface SafetyOptions extends Pick<ReadOptions, 'map'> {
  /** The words of a statement's workbook that came back, in every language. */
  readonly words?: readonly WorkbookWords[];
  readonly signal?: AbortSignal;
  /** The limits, which can be set for tests. */
  readonly mostBytes?: number;
  readonly cpuSeconds?: number;
  readonly memoryMb?: number;
}

/**
 * Reads a file from outside in a separate process with limits of size, memory and processor time, so that a hostile
 * file costs seconds and no more, and a good one is read even on a busy machine.
 *
 * @throws ImportFileError naming file, line, column and remedy
 * @throws FileError when the path cannot be read
 * @throws InterruptedError when the signal aborts
 */
export async function readSafely<K extends ChildKind>(
  kind: K,
  source: FileSource,
  options: SafetyOptions = {},
): Promise<ChildFileOf[K]> {
  return (await readInChild('file', kind, source, options)) as ChildFileOf[K];
}

/** Reads a table's headers and first rows, and guesses its columns, under the same limits. @throws ImportFileError */
export async function sampleSafely(kind: ImportKind, source: FileSource, options: SafetyOptions = {}) {
  return (await readInChild('sample', kind, source, options)) as TableSample;
}

async function readInChild(want: Request['want'], kind: ChildKind, source: FileSource, options: SafetyOptions) {
  const { mostBytes: most = MOST_BYTES, words = [] } = options;
  const { bytes, name, password = null } = await readSource(source, most);
  if (bytes.length > most) throw tooLarge(name, most);
  const request = { want, kind, bytes, fileName: name, map: options.map ?? null, password, words };
  const answer = await ask(request, options);
  if (answer.ok) return answer.result;
  const { explanation, line, column, map } = answer;
  throw new ImportFileError(explanation, { file: name, line, column, map });
}

function tooLarge(name: string, most: number): ImportFileError {
  const file = cleanText(name, 200);
  const why = readingError({ id: 'too-large', file, megabytes: Math.round(most / 1024 / 1024) });
  return new ImportFileError(why, { file });
}

/** The bytes of a file: those of a path are read. @throws as {@link readAtMost} */
export async function readSource(source: FileSource, most = MOST_BYTES): Promise<Exclude<FileSource, string>> {
  return typeof source === 'string' ? { bytes: await readAtMost(source, most), name: source } : source;
}

/**
 * Reads a file's bytes, and stops if it is or becomes too large.
 *
 * @throws ImportFileError when it is too large, FileError when it cannot be read
 */
async function readAtMost(path: string, most: number): Promise<Uint8Array> {
  try {
    const file = await open(path);
    try {
      const about = await file.stat();
      if (about.isDirectory()) throw new FileError(readingError({ id: 'is-folder', file: cleanText(path, 200) }));
      if (about.size > most) throw tooLarge(path, most);
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of file.createReadStream({ autoClose: false })) {
        size += (chunk as Buffer).length;
        if (size > most) throw tooLarge(path, most);
        chunks.push(chunk as Buffer);
      }
      return Buffer.concat(chunks);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof ImportFileError || error instanceof FileError) throw error;
    const file = cleanText(path, 200);
    if (code === 'EISDIR') throw new FileError(readingError({ id: 'is-folder', file }), { cause: error });
    throw new FileError(readingError({ id: 'cannot-be-read', file, code: String(code) }), { cause: error });
  }
}

/**
 * The child's environment, without settings and keys: only what a process needs to start on Windows (`SystemRoot`), and
 * to find the program itself where there is no /proc (`PATH`).
 */
const NEEDED_TO_START = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name === 'PATH' || name === 'SystemRoot'),
);

function ask(request: Request, { cpuSeconds = CPU_SECONDS, memoryMb = MEMORY_MB, signal }: SafetyOptions) {
  const file = cleanText(request.fileName, 200);
  return new Promise<ChildAnswer>((resolve, reject) => {
    const child = startChild('read-child', [String(cpuSeconds), String(memoryMb)], {
      serialization: 'advanced',
      execArgv: [
        `--max-old-space-size=${Math.round(memoryMb * HEAP_SHARE)}`,
        '--max-semi-space-size=4',
        // Nothing in a file can become code.
        '--disallow-code-generation-from-strings',
      ],
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      env: { TZ: 'UTC', ...NEEDED_TO_START },
    });
    let answer: ChildAnswer | null = null;
    /** The {@link Overrun} that the child's watch wrote, or the timer below; empty if neither ended the child. */
    let overrun = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      overrun += text;
    });
    const kill = (): boolean => child.kill('SIGKILL');
    const timer = setTimeout(() => {
      overrun = 'time' satisfies Overrun;
      kill();
    }, MOST_SECONDS * 1000);
    signal?.addEventListener('abort', kill, { once: true });
    if (signal?.aborted) kill();
    child.once('message', (message) => {
      answer = message as ChildAnswer;
    });
    const ended = (code: number | null, killed: string | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      if (answer !== null) resolve(answer);
      else if (signal?.aborted) reject(new InterruptedError());
      else if (overrun === 'time') {
        reject(new ImportFileError(readingError({ id: 'takes-too-long', file, seconds: cpuSeconds }), { file }));
      } else reject(faultOfEnd(code, killed, file, memoryMb));
    };
    child.once('error', () => ended(null, null));
    child.once('close', ended);
    // A child that has ended by now takes no request: `close` says so.
    child.send(request, () => {});
  });
}

/** Out of memory, a process is killed, or V8 aborts it (by signal or code 134). Another end is not the file's fault. */
function faultOfEnd(code: number | null, signal: string | null, file: string, megabytes: number): ImportFileError {
  const cause = new Error(`the reading process ended with ${code ?? signal ?? 'nothing'}`);
  if (signal !== null || code === 134) {
    return new ImportFileError(readingError({ id: 'takes-too-much-memory', file, megabytes }), { file, cause });
  }
  return new ImportFileError(readingError({ id: 'reader-ended', file, code }), { file, cause });
}
