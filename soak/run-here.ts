import { Readable, Writable } from 'node:stream';
import { setClock } from './clock.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Asked {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly now: Date;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the real command line in this process, with a clock that says what it is told. */
export async function runHere({ argv, cwd, now, env }: Asked): Promise<Outcome> {
  setClock(now);
  const { run } = await import('../src/cli/run.ts');
  const [stdout, stderr] = [new Recorder(), new Recorder()];
  const code = await run(argv, {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env,
    cwd,
    now: () => now,
    isTTY: { stdin: false, stdout: false, stderr: false },
    columns: undefined,
    program: 'remit',
    signal: new AbortController().signal,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Recorder extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
