import { open } from 'node:fs/promises';
import { FileError, ImportFileError, InterruptedError } from '../../base/errors.ts';
import { startChild } from '../../base/program.ts';
import { cleanText } from '../../base/text.ts';
import type { ReadBackWords } from '../../base/workbook-words.ts';
import { because } from '../../words/errors/reading.ts';
import type { ImportKind } from '../maps/column-map.ts';
import type { ReadOptions } from './read-bytes.ts';
import type { Answer, Overrun, Request, SafeFileOf, SafeKind } from './read-child.ts';
import type { TableSample } from './read-table.ts';

/** Larger than any statement or a year of a shop's orders; a larger file is refused before it is read. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of the processor's time. */
const CPU_SECONDS = 18;
/** Of the whole process, as the system counts it. */
const MEMORY_MB = 300;
/** What of it the heap may take; the rest is Node itself, the file's bytes and the answer on its way. */
const HEAP_SHARE = 0.48;
/** A process that neither works nor answers is ended after this, however busy the machine is. */
const MOST_SECONDS = 600;

/** A path, or bytes with the name that messages give them, and the password of a protected PDF. */
export type FileSource =
  | string
  | { readonly bytes: Uint8Array; readonly name: string; readonly password?: string | undefined };

/** Limits, for tests and for callers with others. */
export interface SafetyOptions extends Pick<ReadOptions, 'map'> {
  readonly mostBytes?: number;
  /** Of a statement that came back: the words that are read from it, in every language. */
  readonly words?: readonly ReadBackWords[];
  /** Of the processor's time. */
  readonly cpuSeconds?: number;
  /** Of the whole process. */
  readonly memoryMb?: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads a file of a bank or shop in a process of its own with limits of size, memory and processor time, so that a hostile file costs
 * seconds and no more, and a busy machine refuses none.
 *
 * @param source a path, or bytes with the name that messages give them (standard input)
 * @throws ImportFileError naming file, line, column and remedy
 * @throws FileError when the path cannot be read
 * @throws InterruptedError when the signal aborts
 */
export async function readSafely<K extends SafeKind>(
  kind: K,
  source: FileSource,
  options: SafetyOptions = {},
): Promise<SafeFileOf[K]> {
  return (await readApart('file', kind, source, options)) as SafeFileOf[K];
}

/** The headers and first rows of a table, with a guess of what its columns are, under the same limits. @throws ImportFileError */
export async function sampleSafely(
  kind: ImportKind,
  source: FileSource,
  options: SafetyOptions = {},
): Promise<TableSample> {
  return (await readApart('sample', kind, source, options)) as TableSample;
}

async function readApart(
  want: Request['want'],
  kind: SafeKind,
  source: FileSource,
  options: SafetyOptions,
): Promise<unknown> {
  const most = options.mostBytes ?? MOST_BYTES;
  const file = typeof source === 'string' ? { bytes: await readAtMost(source, most), name: source } : source;
  const { bytes, name } = file;
  const password = ('password' in file ? file.password : undefined) ?? null;
  if (bytes.length > most) throw tooLarge(name, most);
  const answer = await ask(
    { want, kind, bytes, fileName: name, map: options.map ?? null, password, words: options.words ?? [] },
    options,
  );
  if (answer.ok) return answer.result;
  const { explanation, line, column, map } = answer;
  throw new ImportFileError(explanation, { file: name, line, column, map });
}

function tooLarge(name: string, most: number): ImportFileError {
  const file = cleanText(name, 200);
  return new ImportFileError(because({ id: 'too-large', file, megabytes: Math.round(most / 1024 / 1024) }), { file });
}

/**
 * A file's bytes; one that is too large is refused unread, and one that grows meanwhile too.
 *
 * @throws ImportFileError when it is too large, FileError when it cannot be read
 */
export async function readAtMost(path: string, most = MOST_BYTES): Promise<Uint8Array> {
  try {
    const file = await open(path);
    try {
      const about = await file.stat();
      if (about.isDirectory()) throw new FileError(because({ id: 'is-folder', file: cleanText(path, 200) }));
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
    if (code === 'EISDIR')
      throw new FileError(because({ id: 'is-folder', file: cleanText(path, 200) }), { cause: error });
    const why = because({ id: 'cannot-be-read', file: cleanText(path, 200), code: String(code) });
    throw new FileError(why, { cause: error });
  }
}

/**
 * None of the settings, and no key: only what a process on Windows cannot start without, and where there is no /proc, so that this one
 * knows itself by its name alone.
 */
const NEEDED_TO_START = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name === 'PATH' || name === 'SystemRoot'),
);

function ask(
  request: Request,
  { cpuSeconds = CPU_SECONDS, memoryMb = MEMORY_MB, signal }: SafetyOptions,
): Promise<Answer> {
  const file = cleanText(request.fileName, 200);
  return new Promise((resolve, reject) => {
    const child = startChild('read-child', [String(cpuSeconds), String(memoryMb)], {
      serialization: 'advanced',
      execArgv: [
        `--max-old-space-size=${Math.round(memoryMb * HEAP_SHARE)}`,
        '--max-semi-space-size=4',
        // No file makes code.
        '--disallow-code-generation-from-strings',
      ],
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      env: { TZ: 'UTC', ...NEEDED_TO_START },
    });
    let answer: Answer | null = null;
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
      answer = message as Answer;
    });
    const ended = (code: number | null, killed: string | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      if (answer !== null) resolve(answer);
      else if (signal?.aborted) reject(new InterruptedError());
      else if (overrun === 'time') {
        reject(new ImportFileError(because({ id: 'takes-too-long', file, seconds: cpuSeconds }), { file }));
      } else reject(outOf(code, killed, { file, memoryMb }));
    };
    child.once('error', () => ended(null, null));
    child.once('close', ended);
    child.send(request, () => {});
  });
}

/** Out of memory, the watch kills it, V8 aborts (134 where that is no signal) or the system kills; any other end is no fault of the file. */
function outOf(
  code: number | null,
  signal: string | null,
  { file, memoryMb }: { readonly file: string; readonly memoryMb: number },
): ImportFileError {
  const cause = new Error(`the reading process ended with ${code ?? signal ?? 'nothing'}`);
  if (signal !== null || code === 134) {
    const why = because({ id: 'takes-too-much-memory', file, megabytes: memoryMb });
    return new ImportFileError(why, { file, cause });
  }
  return new ImportFileError(because({ id: 'reader-ended', file, code }), { file, cause });
}
