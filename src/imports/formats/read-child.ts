/**
 * The process in which a file from outside is read: it has limits of memory and time, no settings, no key, and no
 * ledger.
 */
import { writeSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';
import type { ImportFileError } from '../../base/errors.ts';
import { startThread } from '../../base/program.ts';
import type { WorkbookWords } from '../../base/workbook-mark.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import type { FileOf } from './read-bytes.ts';
import type { ResolutionsFile } from './resolutions.ts';

/** The result of reading each kind of file; `resolutions` are read from a statement's workbook that came back. */
export interface ChildFileOf extends FileOf {
  readonly resolutions: ResolutionsFile;
}
export type ChildKind = keyof ChildFileOf;

export interface Request {
  /** The whole file, or its headers and first rows. */
  readonly want: 'file' | 'sample';
  readonly kind: ChildKind;
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly map: ColumnMap | null;
  /** A protected PDF's password; it is stored nowhere. */
  readonly password: string | null;
  /** The words of a statement's workbook that came back, in every language. */
  readonly words: readonly WorkbookWords[];
}

export type ChildAnswer =
  | { readonly ok: true; readonly result: unknown }
  | ({ readonly ok: false } & Pick<ImportFileError, 'explanation' | 'line' | 'column' | 'map'>);

/** Why the watch ended the process: it writes this on standard output. */
export type Overrun = 'time' | 'memory';

const WATCH_MS = 50;

interface Limits {
  readonly cpuSeconds: number;
  readonly memoryMb: number;
}

// This file is two programs: the process that reads, and a thread in it that watches and runs this file again.
if (isMainThread) {
  const [cpuSeconds = 0, memoryMb = 0] = process.argv.slice(-2).map(Number);
  // Without the flags that this process has for Node, such as the limit of its heap.
  startThread('read-child', { workerData: { cpuSeconds, memoryMb } satisfies Limits, execArgv: [] }).unref();
  process.once('message', async (request: Request) => {
    process.send?.(await answer(request), () => process.disconnect());
  });
} else watch(workerData as Limits);

/**
 * Ends the process when it has used more processor time or memory than it may. It runs in a second thread, since the
 * reading never pauses. The clock does not count, so that a file is read even on a busy machine.
 */
function watch({ cpuSeconds, memoryMb }: Limits): void {
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (user + system > cpuSeconds * 1_000_000) end('time');
    if (memoryUsed() > memoryMb * 1024 * 1024) end('memory');
  }, WATCH_MS);
}

/** The process's memory in bytes; 0 if the system does not tell, as without /proc: there only the heap is limited. */
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

async function answer({ want, kind, bytes, fileName, map, password, words }: Request): Promise<ChildAnswer> {
  // Imported here, because the watch's thread needs none of it.
  const { ImportFileError } = await import('../../base/errors.ts');
  const { readBytes, readPages, sampleBytes } = await import('./read-bytes.ts');
  const { isPdf } = await import('./recognise.ts');
  try {
    if (kind === 'resolutions') {
      const { readResolutions } = await import('./resolutions.ts');
      return { ok: true, result: readResolutions(bytes, fileName, words) };
    }
    const reader = want === 'file' ? readBytes : sampleBytes;
    if (!isPdf(bytes)) return { ok: true, result: reader(kind, bytes, fileName, { map }) };
    const { readPdfPages } = await import('./pdf-text.ts');
    const pages = await readPages(kind, bytes, fileName, (pdf) => readPdfPages(pdf, password));
    return { ok: true, result: reader(kind, bytes, fileName, { map, pages }) };
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    const { explanation, line, column, map: proposal } = error;
    return { ok: false, explanation, line, column, map: proposal };
  }
}
