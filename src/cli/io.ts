import type { Readable, Writable } from 'node:stream';

/** What a command may use of its process: injected, so that tests run the real program in their own process. */
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
  /** What a person types for this program here, `remit` or `node dist/bin/main.js`: for commands that remit prints. */
  readonly program: string;
  /** Aborted by Ctrl-C: finish the document in flight, then stop with an `InterruptedError`. */
  readonly signal: AbortSignal;
}

/** Resolves when the signal aborts, for a command that runs until it is stopped. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
