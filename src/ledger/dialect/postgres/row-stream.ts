import type { Socket } from 'node:net';
import type { PostgresCursor } from 'kysely';

/** The driver's connection, as far as streams and batches use it. */
export interface Line {
  readonly stream: Socket;
  query(sql: string): void;
  parse(statement: { readonly text: string }): void;
  bind(bound: { readonly values: readonly unknown[] }): void;
  execute(portal: object): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sync(): void;
}

/**
 * Streams the rows of a statement as the server sends them; the driver itself returns them only all at once. A query's
 * row is the text of its first column. Of a `copy to stdout`, many lines of JSON are one row of bytes. It stops reading
 * from the server while rows wait to be taken. It also sends a `copy from stdin`, which has no rows.
 */
export class RowStream implements PostgresCursor<string | Buffer> {
  readonly #sql: string;
  readonly #copiedLines: readonly Buffer[];
  #line: Line | undefined;
  #rows: (string | Buffer)[] = [];
  /** Lines of a copy, in the driver's memory, which it fills again once more is read from the server. */
  #lines: Buffer[] = [];
  #failure: unknown = null;
  #isOver = false;
  /** Wakes a `read` that waits; nothing while none does. */
  #wake = () => {};
  #end = () => {};
  /** Settled once nothing more will come. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /** @param copiedLines the lines for each `copy from stdin` in the statement */
  constructor(sql: string, copiedLines: readonly Buffer[] = []) {
    this.#sql = sql;
    this.#copiedLines = copiedLines;
  }

  async read(): Promise<(string | Buffer)[]> {
    while (this.#rows.length + this.#lines.length === 0) {
      if (this.#failure !== null) throw this.#failure;
      if (this.#isOver) return [];
      const moreRows = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#line?.stream.resume();
      await moreRows;
    }
    this.#takeLines();
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Copies the lines that have come into one row. */
  #takeLines(): void {
    if (this.#lines.length > 0) this.#rows.push(asJson(Buffer.concat(this.#lines)));
    this.#lines = [];
  }

  /** Closes the connection if the rows were not read to the end: the server would go on and send them all. */
  async close(): Promise<void> {
    if (!this.#isOver) this.#line?.stream.destroy();
  }

  // The driver calls the following methods, as it does on any query.

  submit(line: Line): void {
    this.#line = line;
    line.stream.cork();
    line.query(this.#sql);
    // Waiting until the server asks for the lines would cost a round trip. If it refuses the statement, it skips them.
    for (const lines of this.#copiedLines) {
      line.sendCopyFromChunk(lines);
      line.endCopyFrom();
    }
    line.stream.uncork();
  }

  handleCopyInResponse(): void {}

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: readonly string[] }): void {
    this.#takeLines();
    this.#rows.push(fields[0]!);
    this.#pause();
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.#lines.push(chunk);
    this.#pause();
  }

  /** Stops reading at the first row or line that waits, and wakes the reader: later ones find both done already. */
  #pause(): void {
    if (this.#rows.length + this.#lines.length > 1) return;
    this.#line!.stream.pause();
    this.#wake();
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.#failure = error;
    this.#over();
  }

  handleReadyForQuery(): void {
    this.#over();
  }

  #over(): void {
    this.#isOver = true;
    this.#line?.stream.resume();
    this.#wake();
    this.#end();
  }
}

/** A copy doubles each backslash of its one column, the JSON. It sends `["a\"b"]` as `["a\\"b"]`. */
function asJson(lines: Buffer): Buffer {
  return lines.includes('\\') ? Buffer.from(lines.toString().replaceAll('\\\\', '\\')) : lines;
}
