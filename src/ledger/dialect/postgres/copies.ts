import type { BulkInsert } from '../bulk-insert.ts';

/** So many inserts wait for the server at most: their rows are held in memory. */
const MOST_WAITING = 8;

/** Sends a statement of copies, and the lines of each. @returns once the server has taken them */
type Send = (statement: string, lines: readonly Buffer[]) => Promise<unknown>;

/** Sends bulk inserts one after the other without waiting for the server: the next rows are made meanwhile. */
export class Copies {
  readonly #send: Send;
  /** Of engines that take nothing else with a copy. */
  readonly #isAlone: () => boolean;
  readonly #waiting: BulkInsert[] = [];
  #sending: Promise<void> | null = null;
  #isSending = false;

  constructor(send: Send, isAlone: () => boolean) {
    this.#send = send;
    this.#isAlone = isAlone;
  }

  /** @throws the failure of an earlier one, where so many wait that this one has to */
  async add(bulk: BulkInsert): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) await this.arrived();
    this.#waiting.push(bulk);
    if (this.#isSending) return;
    this.#sending = this.#sendAll(this.#sending);
    this.#sending.catch(() => {});
  }

  /** Waits until the server has all rows. @throws the first failure; what was to follow is not sent */
  async arrived(): Promise<void> {
    const sending = this.#sending;
    try {
      await sending;
    } finally {
      if (this.#sending === sending) this.#sending = null;
    }
  }

  async #sendAll(before: Promise<void> | null): Promise<void> {
    this.#isSending = true;
    try {
      await before;
      // Inserts that follow one another go as one statement.
      await new Promise(process.nextTick);
      while (this.#waiting.length > 0) {
        const bulks = this.#waiting.splice(0, this.#isAlone() ? 1 : MOST_WAITING);
        const lines = bulks.map(copiedRows);
        await (this.#isAlone() ? this.#send(copyInto(bulks[0]!), lines) : this.#send(copiesInto(bulks), lines));
      }
    } finally {
      this.#waiting.length = 0;
      this.#isSending = false;
    }
  }
}

/**
 *
 * The server plans the look-up of a foreign key once a session, as its table is then: of the first 2 invoices it would read all, and go
 * on so with 20,000. So it may use an index alone.
 */
function copiesInto(bulks: readonly BulkInsert[]): string {
  const copies = bulks.map(copyInto);
  return ['set local enable_seqscan = off', ...copies, 'set local enable_seqscan to default'].join('; ');
}

/** Names are the schema's own. */
function copyInto({ table, shared, columns }: BulkInsert): string {
  const names = [...Object.keys(shared), ...columns].map((column) => `"${column}"`);
  return `copy "${table}" (${names.join(', ')}) from stdin`;
}

/**
 * The rows as PostgreSQL's COPY reads them, a line each: `courier<tab>17<tab>\N`. The server neither parses nor plans them, as it does the
 * values of a statement, which takes it as long as to insert them.
 */
function copiedRows({ shared, columns, rows }: BulkInsert): Buffer {
  const first = Object.values(shared)
    .map((value) => `${fieldOf(value)}\t`)
    .join('');
  let text = '';
  for (const row of rows) {
    text += first;
    for (let at = 0; at < columns.length; at += 1) text += (at === 0 ? '' : '\t') + fieldOf(row[columns[at]!]);
    text += '\n';
  }
  return Buffer.from(text);
}

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return value.replace(/[\\\t\n\r]/g, (letter) => ESCAPED[letter]!);
  if (value instanceof Uint8Array)
    return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new Error(`a ${typeof value} is no value of the ledger`);
}
