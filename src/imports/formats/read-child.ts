/** The process in which a file from outside is read: it has limits of memory and time, no settings, no key, and no ledger. */
import { writeSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';
import type { Explanation } from '../../base/errors.ts';
import { startThread } from '../../base/program.ts';
import type { ReadBackWords } from '../../base/workbook-words.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import type { FileOf } from './read-bytes.ts';
import type { ResolutionsFile } from './resolutions.ts';

/** What a file of each kind gives: the files of banks and shops, and a statement that came back. */
export interface SafeFileOf extends FileOf {
  readonly resolutions: ResolutionsFile;
}
export type SafeKind = keyof SafeFileOf;

export interface Request {
  /** The whole file, or its headers and first rows. */
  readonly want: 'file' | 'sample';
  readonly kind: SafeKind;
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly map: ColumnMap | null;
  /** Of a PDF that is protected; it goes nowhere else. */
  readonly password: string | null;
  /** Of a statement that came back: the words that are read from it, in every language. */
  readonly words: readonly ReadBackWords[];
}

export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly explanation: Explanation;
      readonly line: number | null;
      readonly column: string | null;
      readonly map: string | null;
    };

/** Why the watch ended the process, as it says on standard output. */
export type Overrun = 'time' | 'memory';

/** How often the watch looks. */
const WATCH_MS = 50;

interface Limits {
  readonly cpuSeconds: number;
  readonly memoryMb: number;
}

if (isMainThread) {
  const [cpuSeconds = 0, memoryMb = 0] = process.argv.slice(-2).map(Number);
  startThread('read-child', { workerData: { cpuSeconds, memoryMb } satisfies Limits, execArgv: [] }).unref();
  process.once('message', async (request: Request) => {
    process.send?.(await answer(request), () => process.disconnect());
  });
} else watch(workerData as Limits);

/**
 * Ends the process once it has used more processor time or memory than it may. A thread of its own, since the reading itself never pauses;
 * time is the processor's, so that a busy machine costs patience and not the file.
 */
function watch({ cpuSeconds, memoryMb }: Limits): void {
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (user + system > cpuSeconds * 1_000_000) end('time');
    if (memoryUsed() > memoryMb * 1024 * 1024) end('memory');
  }, WATCH_MS);
}

/** Of the whole process, in bytes; 0 where the system does not say, as a root without /proc: there the limit of the heap holds alone. */
function memoryUsed(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}

/** Ends the whole process from the watch, at once: the parent reads why from standard output. */
function end(why: Overrun): void {
  writeSync(1, why);
  process.kill(process.pid, 'SIGKILL');
}

async function answer({ want, kind, bytes, fileName, map, password, words }: Request): Promise<Answer> {
  // Only here: the watch needs none of it.
  const [{ ImportFileError }, { readBytes, readPages, sampleBytes }, { isPdf }] = await Promise.all([
    import('../../base/errors.ts'),
    import('./read-bytes.ts'),
    import('./recognise.ts'),
  ]);
  try {
    if (kind === 'resolutions') {
      const { readResolutions } = await import('./resolutions.ts');
      return { ok: true, result: readResolutions(bytes, fileName, words) };
    }
    const reader = want === 'file' ? readBytes : sampleBytes;
    if (!isPdf(bytes)) return { ok: true, result: reader(kind, bytes, fileName, { map }) };
    const { readPdfPages } = await import('./pdf-text.ts');
    const pages = await readPages(kind, bytes, fileName, (own) => readPdfPages(own, password));
    return { ok: true, result: reader(kind, bytes, fileName, { map, pages }) };
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    const { explanation, line, column, map: proposal } = error;
    return { ok: false, explanation, line, column, map: proposal };
  }
}
