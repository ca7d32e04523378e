import type { PostgresCursor, PostgresCursorConstructor } from 'kysely';
import type { Query } from 'pg';
import type { BulkInsert } from '../bulk-insert.ts';
import { RowStream } from './row-stream.ts';

/** A statement, or a `copy from stdin` with its lines. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly lines?: Buffer;
}

/** Statements that only write, their values as {@link writtenValue} gives them, and the one behind them that is asked something. */
export class Batch {
  readonly told: readonly Statement[];
  readonly asked: Statement | null;

  constructor(told: readonly Statement[], asked: Statement | null) {
    this.told = told;
    this.asked = asked;
  }
}

interface Line {
  readonly stream: { cork(): void; uncork(): void };
  parse(statement: { readonly text: string }): void;
  bind(bound: { readonly values: readonly unknown[] }): void;
  execute(portal: object): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sync(): void;
}

type Answered = (error: Error | null, result?: { readonly rows: unknown[] }) => void;

/** What the driver's types leave out of its query. */
type DriverQuery = new (
  sql: string,
  values: readonly unknown[],
  then: Answered,
) => {
  /** Sends it as a statement with values, and asks for the answers to all that was sent. */
  prepare(line: Line): void;
  handleCommandComplete(...answer: unknown[]): void;
};

/** Makes the cursor of a statement: it reads a {@link Batch} where that is the one parameter, and is a {@link RowStream} otherwise. */
export function cursorsOf(query: typeof Query): PostgresCursorConstructor {
  /** One request for a whole batch. The server does nothing of what follows a failure. */
  class BatchQuery extends (query as unknown as DriverQuery) implements PostgresCursor<unknown> {
    readonly #batch: Batch;
    #toldAnswered = 0;
    #rows: Promise<unknown[]>;
    readonly ended: Promise<unknown>;

    constructor(batch: Batch) {
      let answered: Answered = () => {};
      const rows = new Promise<unknown[]>((resolve, reject) => {
        answered = (error, result) => (error ? reject(error) : resolve(result?.rows ?? []));
      });
      super(batch.asked?.sql ?? '', batch.asked?.values ?? [], (...answer) => answered(...answer));
      this.#batch = batch;
      this.#rows = rows;
      this.ended = rows;
    }

    async read(): Promise<unknown[]> {
      const rows = await this.#rows;
      this.#rows = Promise.resolve([]);
      return rows;
    }

    async close(): Promise<void> {}

    // The driver calls these, as it does those of any query.

    submit(line: Line): void {
      line.stream.cork();
      for (const { sql, values, lines } of this.#batch.told) {
        line.parse({ text: sql });
        line.bind({ values });
        line.execute({});
        if (!lines) continue;
        // At once: to wait until the server asks for them would cost a round trip. A server that refuses the statement reads over them.
        line.sendCopyFromChunk(lines);
        line.endCopyFrom();
      }
      if (this.#batch.asked) this.prepare(line);
      else line.sync();
      line.stream.uncork();
    }

    handleCopyInResponse(): void {}

    override handleCommandComplete(...answer: unknown[]): void {
      this.#toldAnswered += 1;
      if (this.#toldAnswered > this.#batch.told.length) super.handleCommandComplete(...answer);
    }
  }

  function cursor(sql: string, parameters: readonly (Batch | Buffer)[]) {
    const [first] = parameters;
    return first instanceof Batch ? new BatchQuery(first) : new RowStream(sql, parameters as readonly Buffer[]);
  }
  return cursor as unknown as PostgresCursorConstructor;
}

/** A value as it is sent, so that nothing can fail between two statements. @throws Error for what is no text, number or bytes */
export function writtenValue(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new Error(`a ${typeof value} is no value of the ledger`);
}

const NOT_ALL_ROWS = { sql: 'set local enable_seqscan = off', values: [] };
const AS_BEFORE = { sql: 'set local enable_seqscan to default', values: [] };

/**
 * Lets copies among statements look foreign keys up by index alone. The server plans such a look-up once a session, for its table as it is
 * then: of the first 2 invoices it would read all, and go on so with 20,000.
 */
export function byIndex(statements: readonly Statement[]): readonly Statement[] {
  return statements.some(({ lines }) => lines) ? [NOT_ALL_ROWS, ...statements, AS_BEFORE] : statements;
}

/** A bulk insert as a `copy from stdin`. Names are the schema's own. */
export function copyOf({ table, shared, columns, rows }: BulkInsert): Required<Statement> {
  const names = [...Object.keys(shared), ...columns].map((column) => `"${column}"`);
  const sql = `copy "${table}" (${names.join(', ')}) from stdin`;
  return { sql, values: [], lines: copiedRows({ shared, columns, rows }) };
}

/**
 * The rows as PostgreSQL's COPY reads them, a line each: `courier<tab>17<tab>\N`. The server neither parses nor plans them, as it does the
 * values of a statement, which takes it as long as to insert them.
 */
function copiedRows({ shared, columns, rows }: Omit<BulkInsert, 'table'>): Buffer {
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
  const written = writtenValue(value);
  if (written === null) return '\\N';
  if (typeof written !== 'string') return `\\\\x${written.toString('hex')}`;
  return typeof value === 'string' ? written.replace(/[\\\t\n\r]/g, (letter) => ESCAPED[letter]!) : written;
}
