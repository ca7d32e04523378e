import type { Socket } from 'node:net';
import type { PostgresCursor } from 'kysely';

interface Line {
  readonly stream: Socket;
  query(sql: string): void;
}

/**
 * The first column of a statement's rows, as the server sends them: the driver itself would hold all rows before it gives any. Nothing
 * more is read from the line while rows wait to be taken.
 */
export class RowStream implements PostgresCursor<string> {
  readonly #sql: string;
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

  constructor(sql: string) {
    this.#sql = sql;
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
    line.query(this.#sql);
  }

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
