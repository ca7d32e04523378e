import type { Socket } from 'node:net';
import type { PostgresCursor } from 'kysely';

interface Line {
  readonly stream: Socket;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * The first column of a statement's rows, as the server sends them: the driver itself would hold all rows before it gives any. Nothing
 * more is read from the line while rows wait to be taken. The lines of each `copy from stdin` go with it: it has no rows.
 */
export class RowStream implements PostgresCursor<string> {
  readonly #sql: string;
  readonly #copied: readonly Buffer[];
  #line: Line | undefined;
  #rows: string[] = [];
  #failure: unknown = null;
  #isOver = false;
  #wake = () => {};
  #end = () => {};
  /** Settled once nothing more will come. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /** @param copied the lines of each `copy from stdin` in the statement */
  constructor(sql: string, copied: readonly Buffer[] = []) {
    this.#sql = sql;
    this.#copied = copied;
  }

  async read(): Promise<string[]> {
    while (this.#rows.length === 0) {
      if (this.#failure !== null) throw this.#failure;
      if (this.#isOver) return [];
      const come = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#line?.stream.resume();
      await come;
    }
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** A statement that nobody reads to its end goes with its connection: the server would send all of it. */
  async close(): Promise<void> {
    if (!this.#isOver) this.#line?.stream.destroy();
  }

  // The driver calls these, as it does those of any query.

  submit(line: Line): void {
    this.#line = line;
    line.stream.cork();
    line.query(this.#sql);
    // Not when the server asks for them: that would be a round trip more. One that refuses the statement reads over them.
    for (const lines of this.#copied) {
      line.sendCopyFromChunk(lines);
      line.endCopyFrom();
    }
    line.stream.uncork();
  }

  handleCopyInResponse(): void {}

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: readonly string[] }): void {
    if (this.#rows.push(fields[0]!) > 1) return;
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
