/** The thread in which the desk reads what takes long: in its main thread, SQLite would hold up every other page. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Books } from '../../app/books.ts';
import type { Explanation } from '../../base/errors.ts';
import { type ConfigSources, loadConfig } from '../../config/index.ts';
import { refusalOf } from '../refusal.ts';
import { READS, type ReadName } from './reads.ts';

export interface ThreadSources {
  readonly sources: ConfigSources;
  /** Whether the desk was started with `--read-only`. */
  readonly readOnly: boolean;
}

export interface ThreadRequest {
  readonly id: number;
  readonly name: ReadName;
  readonly request: unknown;
  /** The instant of the request, by the desk's clock. */
  readonly now: Date;
}

/** The answer to a request: what was read, or why nothing was. */
export type ThreadAnswer = { readonly id: number } & (
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly explanation: Explanation }
);

parentPort?.on('message', async (message: ThreadRequest) => {
  try {
    parentPort?.postMessage({ id: message.id, ok: true, value: await read(message) } satisfies ThreadAnswer);
  } catch (error) {
    const { status, code, explanation } = refusalOf(error, { isReading: true });
    parentPort?.postMessage({ id: message.id, ok: false, status, code, explanation } satisfies ThreadAnswer);
  }
});

async function read({ name, request, now }: ThreadRequest): Promise<unknown> {
  const { sources, readOnly } = workerData as ThreadSources;
  const config = await loadConfig(sources);
  const books: Books = {
    config,
    now: () => now,
    signal: new AbortController().signal,
    key: () => Promise.reject(new Error('what is only read needs no key')),
    readOnly,
    onRecord: true,
    detail: () => {},
  };
  return (READS[name] as (books: Books, request: unknown) => Promise<unknown>)(books, request);
}
