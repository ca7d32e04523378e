import type { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Books } from '../../app/books.ts';
import { dayIn } from '../../base/day.ts';
import { startThread } from '../../base/program.ts';
import type { ConfigSources } from '../../config/index.ts';
import { Refusal } from '../refusal.ts';
import type { ReadAnswer, ReadName, ReadRequest } from './reads.ts';
import type { ThreadAnswer, ThreadRequest, ThreadSources } from './worker.ts';

/** The most answers that are kept: each may hold thousands of cells. */
const MOST_CACHED = 24;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads in a thread what takes long, so that no page waits. Answers are kept until the books or the day change. */
export class Thread {
  readonly #books: Books;
  readonly #sources: ConfigSources;
  readonly #cached = new LRUCache<string, Promise<unknown>>({ max: MOST_CACHED });
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** @param sources where the thread reads the settings */
  constructor(books: Books, sources: ConfigSources) {
    this.#books = books;
    this.#sources = sources;
  }

  /** Reads, or gives an earlier answer. @param evidence the last row of evidence that the answer depends on */
  readCached<Name extends ReadName>(
    name: Name,
    request: ReadRequest<Name>,
    evidence: number,
  ): Promise<ReadAnswer<Name>> {
    // Ages of invoices change with the day.
    const day = dayIn(this.#books.now(), this.#books.config.timeZone);
    const key = JSON.stringify([evidence, day, name, request]);
    const cached = this.#cached.get(key);
    if (cached) return cached as Promise<ReadAnswer<Name>>;
    const answer = this.read(name, request);
    this.#cached.set(key, answer);
    answer.catch(() => this.#cached.delete(key));
    return answer;
  }

  /** @throws Refusal for what the thread cannot read */
  read<Name extends ReadName>(name: Name, request: ReadRequest<Name>): Promise<ReadAnswer<Name>> {
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const message: ThreadRequest = { id, name, request, now: this.#books.now() };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (answer) => resolve(answer as ReadAnswer<Name>), reject });
      this.#worker!.postMessage(message);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startThread('desk-thread', {
      workerData: { sources: this.#sources, readOnly: this.#books.readOnly ?? false } satisfies ThreadSources,
      execArgv: [],
    });
    worker.unref();
    worker.on('message', (answer: ThreadAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.ok) waiting?.resolve(answer.value);
      else waiting?.reject(new Refusal(answer.status, answer.code, answer.explanation));
    });
    const fail = (error: unknown) => {
      // A thread that failed also ends, when another one may have taken its place.
      if (this.#worker !== worker) return;
      // The next read starts another thread.
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread that reads the books ended')));
    return worker;
  }
}
