import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The command line, as it is installed. */
export const REMIT = path.join(here, '..', 'bin', 'main.js');

/** A compiled program of the bench. */
export const program = (name: string): string => path.join(here, `${name}.js`);

/** Where the peers that are not compiled lie. */
export const PEERS = path.join(here, '..', '..', 'bench', 'peers');

/** What one run of a whole process took, start-up included. */
export interface Measured {
  /** Seconds of processor time, of all threads. */
  readonly cpu: number;
  /** Seconds by the clock. */
  readonly wall: number;
  /** Peak resident memory, in MB. */
  readonly megabytes: number;
  readonly stdout: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** The code with which a refusal ends. */
  readonly refusal?: number;
}

let measured = 0;

/**
 * Runs a Node program as a process of its own and measures the whole of it.
 *
 * @throws Error when it ends with another code than 0, 3 or the refusal's
 */
export async function measure(script: string, args: readonly string[], options: RunOptions): Promise<Measured> {
  const used = path.join(options.cwd, `bench-used-${++measured}.json`);
  const run = await runProcess(process.execPath, ['--require', path.join(here, 'used.cjs'), script, ...args], {
    ...options,
    env: { ...options.env, REMIT_BENCH_USED: used },
  });
  const { cpu, megabytes } = JSON.parse(readFileSync(used, 'utf8'));
  rmSync(used);
  return { ...run, cpu, megabytes };
}

/** The same of any other program: Python's own account of the children that it has waited for. */
export async function measureOther(command: readonly string[], options: RunOptions): Promise<Measured> {
  const script = path.join(PEERS, 'measured.py');
  const { stdout, wall } = await runProcess(python(), [script, ...command], options);
  const end = stdout.trimEnd().lastIndexOf('\n');
  const { cpu, megabytes } = JSON.parse(stdout.slice(end + 1));
  return { cpu, megabytes, wall, stdout: stdout.slice(0, end + 1) };
}

/** Python, with the packages of the peers where REMIT_BENCH_PYTHON names one that has them. */
export function python(): string {
  return process.env.REMIT_BENCH_PYTHON ?? 'python3';
}

/** Whether a program can be run here: a peer that is not installed is left out, and said so. */
export function isInstalled(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

async function runProcess(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<{ wall: number; stdout: string }> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    if (stdout.length < 1_000_000) stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const wall = (performance.now() - started) / 1_000;
  if (code !== 0 && code !== 3 && code !== options.refusal)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return { wall, stdout };
}

/** Starts a serving program of the bench and waits until it says where it listens. */
export async function serve(
  name: string,
  args: readonly string[],
): Promise<{ line: Record<string, string>; child: ChildProcess }> {
  const child = spawn(process.execPath, ['--max-old-space-size=8000', program(name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.on('exit', () => reject(new Error(`${name} ended before it was ready`)));
  });
  return { line: JSON.parse(line), child };
}

/** Lends a folder that is thrown away afterwards. */
export async function usingFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
