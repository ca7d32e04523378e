import type { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Books } from '../../app/books.ts';
import { dayIn } from '../../base/day.ts';
import { startThread } from '../../base/program.ts';
import type { ConfigSources } from '../../config/index.ts';
import { DeskTable } from '../desk-table.ts';
import { Refusal } from '../refusal.ts';
import type { ReadAnswer, ReadAsked, ReadName } from './reads.ts';
import type { ThreadAnswer, ThreadRequest, ThreadSources } from './worker.ts';

/** So many answers are kept; each may hold thousands of cells. */
const MOST_KEPT = 24;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads what takes long in a thread, so that it holds up no page, and keeps it until the books or the day change: ages are by the day. */
export class Thread {
  readonly #books: Books;
  readonly #sources: ConfigSources;
  readonly #kept = new LRUCache<string, Promise<unknown>>({ max: MOST_KEPT });
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** @param sources what the settings are read from: the thread reads them itself */
  constructor(books: Books, sources: ConfigSources) {
    this.#books = books;
    this.#sources = sources;
  }

  /** Reads, or gives the kept answer. @param evidence the last row that the answer depends on: the answer is kept until there is more */
  kept<Name extends ReadName>(name: Name, asked: ReadAsked<Name>, evidence: number): Promise<ReadAnswer<Name>> {
    const day = dayIn(this.#books.now(), this.#books.config.timeZone);
    const key = JSON.stringify([evidence, day, name, asked]);
    const kept = this.#kept.get(key);
    if (kept) return kept as Promise<ReadAnswer<Name>>;
    const answer = this.read(name, asked);
    this.#kept.set(key, answer);
    answer.catch(() => this.#kept.delete(key));
    return answer;
  }

  /** @throws Refusal for what the thread cannot read */
  read<Name extends ReadName>(name: Name, asked: ReadAsked<Name>): Promise<ReadAnswer<Name>> {
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const request: ThreadRequest = { id, name, asked, now: this.#books.now() };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (answer) => resolve(answer as ReadAnswer<Name>), reject });
      this.#worker!.postMessage(request);
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
      if (answer.ok) waiting?.resolve(withTables(answer.value));
      else waiting?.reject(new Refusal(answer.status, answer.code, answer.explanation));
    });
    const fail = (error: unknown) => {
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

/** A thread hands tables over as plain data. */
function withTables(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isTable(part) ? DeskTable.of(part) : part]),
  );
}

function isTable(part: unknown): part is DeskTable {
  return typeof part === 'object' && part !== null && 'generatedAt' in part && 'columns' in part;
}
