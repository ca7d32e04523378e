import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Books } from '../app/books.ts';
import type { Proof } from '../app/desk/proof.ts';
import { readSeen } from '../app/desk/seen.ts';
import { dayIn } from '../base/day.ts';
import type { ConfigSources } from '../config/index.ts';
import type { ProofAnswer, ProofRequest, ProofSources } from './proof-worker.ts';
import { refusalFrom } from './refusal.ts';

/** Proofs of so many periods are kept; each may hold thousands of mismatches. */
const MOST = 24;

interface Waiting {
  readonly resolve: (proof: Proof) => void;
  readonly reject: (error: unknown) => void;
}

/** What the checks find, looked at in a thread and kept until the books or the day change: ages are by the day. */
export class Proofs {
  readonly #books: Books;
  readonly #sources: ConfigSources;
  readonly #kept = new LRUCache<string, Promise<Proof>>({ max: MOST });
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #asked = 0;

  /** @param sources what the settings are read from: the thread reads them itself */
  constructor(books: Books, sources: ConfigSources) {
    this.#books = books;
    this.#sources = sources;
  }

  /** @param months null for all */
  async of(months: readonly string[] | null): Promise<Proof> {
    const { figures } = await readSeen(this.#books);
    const day = dayIn(this.#books.now(), this.#books.config.timeZone);
    const key = `${figures} ${day} ${months?.join(' ') ?? 'all'}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const proof = this.#ask(months);
    this.#kept.set(key, proof);
    proof.catch(() => this.#kept.delete(key));
    return proof;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(months: readonly string[] | null): Promise<Proof> {
    this.#worker ??= this.#start();
    const id = ++this.#asked;
    const request: ProofRequest = { id, months, now: this.#books.now() };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker!.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = new Worker(workerProgram(), {
      workerData: { sources: this.#sources } satisfies ProofSources,
      execArgv: [],
    });
    worker.unref();
    worker.on('message', (answer: ProofAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.ok) waiting?.resolve(answer.proof);
      else waiting?.reject(refusalFrom(answer, true));
    });
    const fail = (error: unknown) => {
      // The next proof starts another thread.
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread of the checks ended')));
    return worker;
  }
}

/** The compiled thread, also where this file itself runs uncompiled, as it does in tests. */
function workerProgram(): string {
  const here = import.meta.url;
  const built = here.endsWith('.ts') ? '../../dist/bin/proof-worker.js' : './proof-worker.js';
  return fileURLToPath(new URL(built, here));
}
