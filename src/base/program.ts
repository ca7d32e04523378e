import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';

/** Of `node:sea`, which the types of Node 20 do not have. */
interface Sea {
  isSea(): boolean;
  getAsset(name: string): ArrayBuffer;
}

/** What Node knows of the one file that it runs as; undefined where it is too old to. */
const sea = process.getBuiltinModule('node:sea') as Sea | undefined;

/** Remit runs as one file, made by executable.mjs, with all else that it needs inside. */
export const isExecutable = sea?.isSea() ?? false;

/** `read-child` reads a file from outside, `sync-child` runs a sync of the desk, `desk-thread` reads for it; `main` is the command line. */
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
  // It takes Node's flags from the environment alone.
  return fork(program, args, { ...options, execArgv: [], env: { ...options.env, NODE_OPTIONS: execArgv.join(' ') } });
}

/** How the command line is started as a process of its own: the program, and its first arguments. */
export function commandLine(): readonly [program: string, ...args: string[]] {
  return isExecutable ? [process.execPath] : [process.execPath, fileOf('main')];
}

/** This process is one that {@link startChild} started. */
export function isStartedAs(program: Program): boolean {
  return process.connected && process.argv.includes(program);
}

/** Where the programs are in the source, and in `dist/src`, which has the same files for programs that import remit. */
const SOURCES: Readonly<Record<Program, string>> = {
  // With what reads pages inside, which is no package that is installed.
  'read-child': '../../bin/read-child.js',
  'sync-child': '../desk/syncs/sync-child.js',
  'desk-thread': '../desk/thread/worker.js',
  main: '../../bin/main.js',
};

/** The compiled program: in the bundle of the command line, in `dist/src`, or in that bundle where this file runs uncompiled, as it does in tests. */
function fileOf(program: Program): string {
  const here = import.meta.url;
  const bundled = `${program}.js`;
  if (here.endsWith('.ts')) return pathFrom(`../../dist/bin/${bundled}`);
  return pathFrom(here.endsWith('/src/base/program.js') ? SOURCES[program] : `./${bundled}`);
}

function pathFrom(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
