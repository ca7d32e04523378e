import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly now?: Date;
  /** Questions and what is typed when they are asked, where standard input is a terminal. */
  readonly typed?: readonly (readonly [question: string, answer: string])[];
  /** Whether standard output and standard error are terminals. */
  readonly terminal?: boolean;
  /** How wide that terminal is. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

/** Runs the real program in this process, and gives back what it printed. */
export async function remit(argv: readonly string[], surroundings: Surroundings): Promise<Outcome> {
  const { cwd, env = {}, now, typed, terminal = false, columns = 100, signal } = surroundings;
  const stdout = new Recorder();
  const stderr = new Recorder();
  const io: Io = {
    stdin: typed ? answering(typed, stderr) : Readable.from([]),
    stdout,
    stderr,
    // The tests' machine stands in Auckland; the books whose zone a test does not name are in UTC.
    env: { TZ: 'UTC', ...env },
    cwd,
    now: () => now ?? new Date(),
    isTTY: { stdin: typed !== undefined, stdout: terminal, stderr: terminal },
    columns: terminal ? columns : undefined,
    program: 'remit',
    signal: signal ?? new AbortController().signal,
  };
  const code = await run(argv, io);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Recorder extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.emit('heard', this.text);
    done();
  }
}

/** Types each answer when its question is asked. */
function answering(exchange: NonNullable<Surroundings['typed']>, questions: Recorder): Readable {
  const stdin = new Readable({ read() {} });
  const left = [...exchange];
  questions.on('heard', (text: string) => {
    const next = left[0];
    if (!next || !text.includes(next[0])) return;
    left.shift();
    stdin.push(`${next[1]}\n`);
  });
  return stdin;
}
