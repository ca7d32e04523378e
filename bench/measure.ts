import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

export interface Measured {
  /** Wall-clock of the whole process, start-up included. */
  readonly seconds: number;
  /** Peak resident memory. */
  readonly megabytes: number;
}

/** Runs a Node program as a process of its own and measures the whole of it. @throws Error when it ends with another code than 0 or 3 */
export async function measure(
  script: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<Measured> {
  const peak = path.join(options.cwd, 'peak');
  const env = { ...process.env, ...options.env, REMIT_BENCH_PEAK: peak };
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', path.join(here, 'peak.js'), script, ...args], {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const seconds = (performance.now() - started) / 1_000;
  if (code !== 0 && code !== 3) throw new Error(`${script} ${args.join(' ')} ended with ${code}: ${errors}`);
  const megabytes = Number(readFileSync(peak, 'utf8'));
  rmSync(peak);
  return { seconds, megabytes };
}

/** Starts the serving process and waits until it says where it listens. */
export async function serve(
  script: string,
  args: readonly string[],
): Promise<{ line: Record<string, string>; child: ChildProcess }> {
  const child = spawn(process.execPath, [path.join(here, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.on('exit', () => reject(new Error(`${script} ended before it was ready`)));
  });
  return { line: JSON.parse(line), child };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints one line of the result table: what, the figure, its goal, and whether it was reached. */
export function line(what: string, figure: string, goal: string, reached: boolean): void {
  process.stdout.write(
    `${what.padEnd(52)} ${figure.padEnd(34)} ${goal.padEnd(22)} ${reached ? 'reached' : 'MISSED'}\n`,
  );
}
