#!/usr/bin/env node
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import { damagedFile, enableCompileCache, isSupportedNode, SUPPORTED_IN_WORDS } from './cli/installation.ts';

// Everything else is loaded by start() and endWith(): a Node that is too old could not load it, and it may be damaged.

let isEnding = false;
const interrupted = new AbortController();
// Windows sends SIGHUP when the console is closed, and ends the process seconds later. Elsewhere nohup must work.
const SIGNALS =
  process.platform === 'win32' ? (['SIGINT', 'SIGBREAK', 'SIGHUP'] as const) : (['SIGINT', 'SIGTERM'] as const);
for (const signal of SIGNALS) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
}

// A fleet starts its nights with a channel to them. When the channel ends, nobody waits for the result.
if (process.channel) {
  process.on('disconnect', () => interrupted.abort());
  process.channel.unref();
}

// `remit report orders | head`: the reader has seen enough. A closed or full standard error only loses messages.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});
process.stderr.on('error', () => {});

// An error that no command caught, such as one in a timer.
process.on('uncaughtException', endWith);

if (isSupportedNode(process.versions.node)) {
  start().catch(endWith);
} else {
  const message = `remit runs on Node.js ${SUPPORTED_IN_WORDS}, not on ${process.versions.node}`;
  printError(
    'installation',
    message,
    'Install a current Node.js from https://nodejs.org, then run `npm ci` where remit is installed.',
  );
}

async function start(): Promise<void> {
  // As in base/program.ts, which may be damaged.
  const sea = process.getBuiltinModule('node:sea') as { isSea(): boolean } | undefined;
  const isExecutable = sea?.isSea() ?? false;
  if (!isExecutable) {
    const damaged = damagedFile();
    if (damaged !== undefined)
      return printError('installation', `its own files are damaged: ${damaged}`, 'Install remit again.');
    enableCompileCache();
  }
  // So that --verbose shows traces with source lines. It must be set before the code is loaded, and slows loading.
  if (process.argv.includes('--verbose')) process.setSourceMapsEnabled(true);
  const { run, programName } = await import('./cli/run.ts');
  process.exitCode = await run(process.argv.slice(2), {
    // Opened only when it is read: opening costs time, and keeps the process alive until it is read.
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
    program: isExecutable ? basename(process.execPath) : programName(process.argv[1] ?? '', process.cwd()),
    signal: interrupted.signal,
  });
}

/** Ends the process with an error in the usual form, without a stack; only once, whatever else fails meanwhile. */
async function endWith(error: unknown): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  try {
    const [{ explainFailure }, { cleanLines }] = await Promise.all([
      import('./cli/failure.ts'),
      import('./base/text.ts'),
    ]);
    const { code, message, hint } = explainFailure(error, interrupted.signal);
    printError(code, cleanLines(message), cleanLines(hint));
  } catch {
    printError('installation', 'its own files are damaged', 'Install remit again.');
  } finally {
    process.exit();
  }
}

/** Prints an error on standard error; the process ends with 1 when it has nothing more to do. */
function printError(code: string, message: string, hint: string): void {
  const error = { code, message, hint, exit_code: 1 };
  const isJson = process.argv.includes('--json');
  process.stderr.write(isJson ? `${JSON.stringify({ error })}\n` : `remit: ${message}\n  → ${hint}\n`);
  process.exitCode = 1;
}
