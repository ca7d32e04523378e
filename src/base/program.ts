import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';

/** What remit uses of `node:sea`; the types of Node 20 do not have it. */
interface Sea {
  isSea(): boolean;
  getAsset(name: string): ArrayBuffer;
}

/** Node's module for programs that are one file (single executable applications); undefined if Node is too old. */
const sea = process.getBuiltinModule('node:sea') as Sea | undefined;

/** Whether remit runs as the one file that executable.mjs makes, with Node and all else inside. */
export const isExecutable = sea?.isSea() ?? false;

/**
 * `read-child` reads a file from outside, `sync-child` runs a sync of the desk, `desk-thread` reads for it; `main` is
 * the command line.
 */
type Program = 'read-child' | 'sync-child' | 'desk-thread' | 'main';

/** A file from inside the executable, by the name that executable.mjs gives it. */
export function insideFile(name: string): Buffer {
  return gunzipSync(sea!.getAsset(`${name}.gz`));
}

export function startThread(program: Program, options: WorkerOptions): Worker {
  return isExecutable
    ? new Worker(insideFile(`${program}.js`).toString(), { ...options, eval: true })
    : new Worker(fileOf(program), options);
}

/** Starts a program as a process of its own, with a channel to it. An executable starts itself: see executable.ts. */
export function startChild(
  program: Program,
  args: readonly string[],
  { execArgv, ...options }: ForkOptions & { readonly execArgv: readonly string[] },
): ChildProcess {
  if (!isExecutable) return fork(fileOf(program), args, { ...options, execArgv: [...execArgv] });
  // An executable takes Node's flags only from the environment.
  return fork(program, args, { ...options, execArgv: [], env: { ...options.env, NODE_OPTIONS: execArgv.join(' ') } });
}

/** What starts the command line as a process: the program, and its first arguments. */
export function commandLine(): readonly [program: string, ...args: string[]] {
  return isExecutable ? [process.execPath] : [process.execPath, fileOf('main')];
}

/** Whether {@link startChild} started this process. */
export function isStartedAs(program: Program): boolean {
  return process.connected && process.argv.includes(program);
}

/** Where the programs are, from this file's folder in `dist/src`, which has the same files as the source. */
const SOURCES: Readonly<Record<Program, string>> = {
  // The bundled one has the reader of PDF pages inside, which is no installed package.
  'read-child': '../../bin/read-child.js',
  'sync-child': '../desk/syncs/sync-child.js',
  'desk-thread': '../desk/thread/worker.js',
  main: '../../bin/main.js',
};

/** The compiled program, in `dist/src` or in the bundle as this file is; in the bundle if this file is not compiled. */
function fileOf(program: Program): string {
  const here = import.meta.url;
  const bundled = `${program}.js`;
  if (here.endsWith('.ts')) return pathFrom(`../../dist/bin/${bundled}`);
  return pathFrom(here.endsWith('/src/base/program.js') ? SOURCES[program] : `./${bundled}`);
}

function pathFrom(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
