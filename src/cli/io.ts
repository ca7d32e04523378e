import type { Readable, Writable } from 'node:stream';

/** Everything that a command may touch of the process it runs in: injected, so that tests run the real program in-process. */
export interface Io {
  readonly stdin: Readable;
  /** Results, and nothing else: other programs read it. */
  readonly stdout: Writable;
  /** Progress, notes and errors. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => Date;
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** The terminal's width in columns; undefined when there is none. */
  readonly columns?: number | undefined;
  /** How a person calls this program here, such as `remit` or `node dist/bin/main.js`: for commands that are printed to be typed. */
  readonly program: string;
  /** Aborted by Ctrl-C: finish the document in flight, then stop with an `InterruptedError`. */
  readonly signal: AbortSignal;
}
