import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Io } from '../io.ts';

/** Asks questions on a terminal. */
export interface Asker {
  /** @returns the answer, or the fallback for an empty one */
  ask(question: string, fallback?: string): Promise<string>;
  /** The same without showing what is typed. */
  askSecret(question: string): Promise<string>;
}

/** Lends a way to ask, and gives the terminal back whatever happens. Questions go to standard error. */
export async function usingAsker<T>(io: Io, use: (asker: Asker) => Promise<T>): Promise<T> {
  let hidden = false;
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) io.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: io.stdin, output: screen, terminal: io.isTTY.stdin });
  const question = (text: string) => lines.question(text, { signal: io.signal });
  try {
    return await use({
      ask: async (text, fallback = '') => {
        const answer = await question(`${text}${fallback && ` [${fallback}]`}: `);
        return answer.trim() || fallback;
      },
      askSecret: async (text) => {
        io.stderr.write(`${text}: `);
        hidden = true;
        try {
          return (await question('')).trim();
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
