#!/usr/bin/env node
import path from 'node:path';
import { isatty } from 'node:tty';
import { run } from './cli/run.ts';
import { shellWord } from './shell-word.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
}

// `remit report orders | head`: whoever read our results has seen enough. A closed standard error only loses notes.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// What no command caught, such as a failure in a timer: told like any other, never as a stack of this program's own calls.
process.on('uncaughtException', async (error) => {
  const { explainFailure } = await import('./cli/failure.ts');
  const { message, hint } = explainFailure(error, interrupted.signal);
  process.stderr.write(`remit: ${message}\n  → ${hint}\n`);
  process.exit(1);
});

process.exitCode = await run(process.argv.slice(2), {
  // Opened only by what reads it: opening costs time, and holds the process until it is read.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  now: () => new Date(),
  isTTY: { stdin: isatty(0), stdout: isatty(1), stderr: isatty(2) },
  columns: process.stdout.columns,
  program: programName(),
  signal: interrupted.signal,
});

/** `remit` where it is installed under that name, otherwise the way to this file. */
function programName(): string {
  const file = process.argv[1] ?? '';
  return path.basename(file) === 'remit' ? 'remit' : `node ${shellWord(path.relative(process.cwd(), file))}`;
}
