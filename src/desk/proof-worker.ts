/** The thread in which the checks look at the books: SQLite would hold up every page meanwhile. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Books } from '../app/books.ts';
import { type Proof, proveBooks } from '../app/desk/proof.ts';
import { type Explanation, RemitError } from '../base/errors.ts';
import { type ConfigSources, loadConfig } from '../config/index.ts';
import { because } from '../words/errors/desk.ts';

/** What the thread is started with. */
export interface ProofSources {
  readonly sources: ConfigSources;
}

/** What it is asked. */
export interface ProofRequest {
  readonly id: number;
  readonly months: readonly string[] | null;
  /** The desk's clock. */
  readonly now: Date;
}

/** What it answers: the proof, or why there is none. */
export type ProofAnswer = { readonly id: number } & (
  | { readonly ok: true; readonly proof: Proof }
  | { readonly ok: false; readonly code: string; readonly explanation: Explanation }
);

parentPort?.on('message', async (request: ProofRequest) => parentPort?.postMessage(await answer(request)));

async function answer({ id, months, now }: ProofRequest): Promise<ProofAnswer> {
  try {
    const config = await loadConfig((workerData as ProofSources).sources);
    const books: Books = {
      config,
      now: () => now,
      signal: new AbortController().signal,
      key: () => Promise.reject(new Error('a proof needs no key')),
      detail: () => {},
    };
    // Plain data: what a thread cannot hand over, such as an undefined field of a class, is no part of it.
    return { id, ok: true, proof: structuredClone(await proveBooks(books, months)) };
  } catch (error) {
    if (!(error instanceof RemitError))
      return { id, ok: false, code: 'unexpected', explanation: because({ id: 'unexpected' }) };
    return { id, ok: false, code: error.code, explanation: error.explanation };
  }
}
