/**
 * Sends the writes of a transaction with few round trips. {@link PendingWrites} collects them until a query needs an
 * answer, or a few milliseconds have passed. Then they are one {@link Batch}: it goes through kysely's stream as the
 * only parameter, and the cursor of {@link cursorsOf} gives it to the driver.
 */
import type { PostgresCursor, PostgresCursorConstructor } from 'kysely';
import type { Query } from 'pg';
import { type BulkInsert, listed } from '../bulk-queries.ts';
import { type Line, RowStream } from './row-stream.ts';

/** A statement, or a `copy from stdin` with its lines. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly lines?: Buffer;
}

/**
 * What is sent in one round trip: writes, and after them one query; null if there is none. The values of the writes are
 * as {@link writtenValue} gives them.
 */
export class Batch {
  readonly writes: readonly SqlStatement[];
  readonly query: SqlStatement | null;

  constructor(writes: readonly SqlStatement[], query: SqlStatement | null) {
    this.writes = writes;
    this.query = query;
  }
}

type Answered = (error: Error | null, result?: { readonly rows: unknown[] }) => void;

/** The driver's query class, with the methods that its types leave out. */
type DriverQuery = new (
  sql: string,
  values: readonly unknown[],
  then: Answered,
) => {
  /** Sends it with its values, and asks for the answers to all that was sent. */
  prepare(line: Line): void;
  handleCommandComplete(...answer: unknown[]): void;
};

/** The driver's cursor class: it sends a {@link Batch} if that is its parameter, else it is a {@link RowStream}. */
export function cursorsOf(query: typeof Query): PostgresCursorConstructor {
  /** One request for a whole batch. After a failure the server does nothing of the rest. */
  class BatchQuery extends (query as unknown as DriverQuery) implements PostgresCursor<unknown> {
    readonly #batch: Batch;
    #answeredWrites = 0;
    #rows: Promise<unknown[]>;
    readonly ended: Promise<unknown>;

    constructor(batch: Batch) {
      // The driver's callback as a promise; `this` is not there before `super`.
      let answered: Answered = () => {};
      const rows = new Promise<unknown[]>((resolve, reject) => {
        answered = (error, result) => (error ? reject(error) : resolve(result?.rows ?? []));
      });
      super(batch.query?.sql ?? '', batch.query?.values ?? [], (...answer) => answered(...answer));
      this.#batch = batch;
      this.#rows = rows;
      this.ended = rows;
    }

    /** All rows at once; then none, which ends the reading. */
    async read(): Promise<unknown[]> {
      const rows = await this.#rows;
      this.#rows = Promise.resolve([]);
      return rows;
    }

    async close(): Promise<void> {}

    // The driver calls the following methods, as it does on any query.

    submit(line: Line): void {
      line.stream.cork();
      for (const { sql, values, lines } of this.#batch.writes) {
        line.parse({ text: sql });
        line.bind({ values });
        line.execute({});
        if (!lines) continue;
        // Waiting until the server asks for them would cost a round trip. If it refuses the statement, it skips them.
        line.sendCopyFromChunk(lines);
        line.endCopyFrom();
      }
      if (this.#batch.query) this.prepare(line);
      else line.sync();
      line.stream.uncork();
    }

    /** The server asks for a copy's lines, which {@link submit} has sent already. */
    handleCopyInResponse(): void {}

    /** The writes are answered first; the driver is told of the query's answer alone. */
    override handleCommandComplete(...answer: unknown[]): void {
      this.#answeredWrites += 1;
      if (this.#answeredWrites > this.#batch.writes.length) super.handleCommandComplete(...answer);
    }
  }

  function cursor(sql: string, parameters: readonly (Batch | Buffer)[]) {
    const [first] = parameters;
    return first instanceof Batch ? new BatchQuery(first) : new RowStream(sql, parameters as readonly Buffer[]);
  }
  return cursor as unknown as PostgresCursorConstructor;
}

/** A value as it is sent, converted before anything is sent. @throws Error unless it is text, a number or bytes */
export function writtenValue(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new Error(`a ${typeof value} is no value of the ledger`);
}

const FORBID_SCANS = { sql: 'set local enable_seqscan = off', values: [] };
const ALLOW_SCANS = { sql: 'set local enable_seqscan to default', values: [] };

/**
 * Makes a `copy` look foreign keys up by index. The server plans such a look-up once a session, for the table's size at
 * that moment: while it has 2 invoices it would choose to read all, and still do so when there are 20,000.
 */
export function withIndexLookups(statements: readonly SqlStatement[]): readonly SqlStatement[] {
  return statements.some(({ lines }) => lines) ? [FORBID_SCANS, ...statements, ALLOW_SCANS] : statements;
}

/** A bulk insert as a `copy from stdin`. The names are safe: they are the schema's. */
export function copyStatement({ table, shared, columns, rows }: BulkInsert): Required<SqlStatement> {
  const sql = `copy "${table}" (${listed([...Object.keys(shared), ...columns])}) from stdin`;
  return { sql, values: [], lines: copiedRows({ shared, columns, rows }) };
}

/**
 * The rows in the text format of COPY, a line each: `courier<tab>17<tab>\N`. The server need not parse and plan them,
 * as it must the values of an insert, which takes as long as inserting them.
 */
function copiedRows({ shared, columns, rows }: Omit<BulkInsert, 'table'>): Buffer {
  const sharedFields = Object.values(shared)
    .map((value) => `${fieldOf(value)}\t`)
    .join('');
  let text = '';
  for (const row of rows) {
    text += sharedFields;
    for (let at = 0; at < columns.length; at += 1) text += (at === 0 ? '' : '\t') + fieldOf(row[columns[at]!]);
    text += '\n';
  }
  return Buffer.from(text);
}

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function fieldOf(value: unknown): string {
  const written = writtenValue(value);
  if (written === null) return '\\N';
  // Bytes: COPY takes `\\x00ff` for the text `\x00ff`, which stands for two bytes.
  if (typeof written !== 'string') return `\\\\x${written.toString('hex')}`;
  return typeof value === 'string' ? written.replace(/[\\\t\n\r]/g, (letter) => ESCAPED[letter]!) : written;
}

/** How many writes wait at most: their values are kept in memory. */
const MOST_WAITING = 16;

/** How long they wait for a query to be sent with. After that they are sent alone. */
const SENT_AFTER_MS = 5;

/** Sends writes, and a query after them. @returns the query's rows */
type Send = (writes: readonly SqlStatement[], query: SqlStatement | null) => Promise<unknown[]>;

/**
 * The writes of a transaction that were not sent yet. Nobody needs their answers, and the round trip is the dearest
 * part of most: so they are sent with the next query, or alone if none comes soon.
 */
export class PendingWrites {
  readonly #send: Send;
  readonly #waiting: SqlStatement[] = [];
  #isScheduled = false;
  /** Never rejects: a failure is kept in `#failure`. */
  #sending: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Adds a write. If many wait, all are sent, once the ones before are done. @throws the failure of one of those */
  async add(statement: SqlStatement): Promise<void> {
    this.#waiting.push(statement);
    if (this.#waiting.length >= MOST_WAITING) {
      await this.#untilSent();
      this.#sendWaiting();
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#sendWaiting();
    }, SENT_AFTER_MS);
  }

  /** Sends a query after all writes. @returns its rows @throws the failure of one of the writes, or of the query */
  async ask(query: SqlStatement): Promise<unknown[]> {
    await this.#untilSent();
    return this.#send(this.#waiting.splice(0), query);
  }

  /** Sends all writes and waits until they are done. @throws the failure of one of them */
  async done(): Promise<void> {
    await this.#untilSent();
    if (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0), null);
  }

  /** Drops the writes that were not sent, because their transaction is rolled back. */
  async forget(): Promise<void> {
    this.#waiting.length = 0;
    await this.#sending;
    this.#failure = null;
  }

  /** Waits until the writes that are on their way are done. @throws the failure of one of them */
  async #untilSent(): Promise<void> {
    await this.#sending;
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure.error;
  }

  /** Sends the waiting writes, and keeps a failure for the next caller. While earlier ones are sent, they wait. */
  #sendWaiting(): void {
    if (this.#sending || this.#failure || this.#waiting.length === 0) return;
    this.#sending = this.#send(this.#waiting.splice(0), null)
      .then(
        () => {},
        (error) => {
          this.#failure = { error };
          this.#waiting.length = 0;
        },
      )
      .then(() => {
        this.#sending = null;
      });
  }
}
