import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { InterruptedError, UsageError } from '../base/errors.ts';
import type { Io } from './io.ts';
import type { Session } from './session.ts';

export interface Asker {
  /** @returns the answer, or the fallback for an empty one */
  ask(question: string, fallback?: string): Promise<string>;
  /** Asks a yes-or-no question: `y` or `yes` is yes, everything else is no. */
  confirm(question: string): Promise<boolean>;
  /** Asks without showing what is typed. */
  askSecret(question: string): Promise<string>;
}

/** Lends an asker to `use`, and gives the terminal back whatever happens. Questions go to standard error. */
export async function usingAsker<T>(io: Io, use: (asker: Asker) => Promise<T>): Promise<T> {
  let hidden = false;
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) io.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: io.stdin, output: screen, terminal: io.isTTY.stdin });
  // At a question readline takes Ctrl-C for itself, and Ctrl-D would leave the question open for ever.
  const quit = new AbortController();
  lines.on('SIGINT', () => quit.abort()).on('close', () => quit.abort());
  const question = async (text: string) => {
    try {
      return await lines.question(text, { signal: AbortSignal.any([io.signal, quit.signal]) });
    } catch (error) {
      throw quit.signal.aborted || io.signal.aborted ? new InterruptedError() : error;
    }
  };
  const ask = async (text: string, fallback = '') => {
    const answer = await question(`${text}${fallback && ` [${fallback}]`}: `);
    return answer.trim() || fallback;
  };
  try {
    return await use({
      ask,
      confirm: async (text) => /^y(es)?$/i.test(await ask(`${text}? y/n`, 'n')),
      askSecret: async (text) => {
        // Hidden before the prompt is printed, so that not even a fast first letter is shown.
        hidden = true;
        const answer = question('');
        io.stderr.write(`${text}: `);
        try {
          return (await answer).trim();
        } finally {
          hidden = false;
          io.stderr.write('\n');
        }
      },
    });
  } finally {
    lines.close();
  }
}

/**
 * Shows what would be done and asks for a yes.
 *
 * @param what names what it would be done to, such as `2 mismatches`
 * @throws UsageError if there is nobody to ask
 */
export async function isConfirmed(
  { io, mask }: Session,
  verb: string,
  { what, count, lines }: { readonly what: string; readonly count: number; readonly lines: readonly string[] },
): Promise<boolean> {
  if (!io.isTTY.stdin) {
    const remedy = 'Give --yes to do it without asking, or --dry-run to see it.';
    throw new UsageError(`this would ${verb} ${what}, and there is no terminal to ask on`, remedy);
  }
  for (const line of lines) io.stderr.write(`${mask(line)}\n`);
  return usingAsker(io, ({ confirm }) => confirm(`${verb} ${count}`));
}
