#!/usr/bin/env node
import path from 'node:path';
import { isatty } from 'node:tty';
import { shellWord } from './shell-word.ts';
import { isSupportedNode, SUPPORTED_IN_WORDS } from './supported-node.ts';

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

process.exitCode = isSupportedNode(process.versions.node) ? await start() : refuse();

async function start(): Promise<number> {
  // The traces of --verbose name our sources. It must be said before the code is loaded, and makes loading slower.
  if (process.argv.includes('--verbose')) process.setSourceMapsEnabled(true);
  // Imported only now: a Node that is too old could not load it, and would say so in words of its own.
  const { run } = await import('./cli/run.ts');
  return run(process.argv.slice(2), {
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
}

function refuse(): number {
  const message = `remit runs on Node.js ${SUPPORTED_IN_WORDS}, not on ${process.versions.node}`;
  const hint = 'Install a current Node.js from https://nodejs.org, then run `npm ci` where remit is installed.';
  const error = { code: 'installation', message, hint, exit_code: 1 };
  const isJson = process.argv.includes('--json');
  process.stderr.write(isJson ? `${JSON.stringify({ error })}\n` : `remit: ${message}\n  → ${hint}\n`);
  return 1;
}

/** `remit` where it is installed under that name, otherwise the way to this file. */
function programName(): string {
  const file = process.argv[1] ?? '';
  return path.basename(file) === 'remit' ? 'remit' : `node ${shellWord(path.relative(process.cwd(), file))}`;
}
