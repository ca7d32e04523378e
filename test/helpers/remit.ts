import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const MAIN = path.resolve('dist/bin/main.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts the command line as a process of its own, as cron or a person would. */
export function startRemit(args: readonly string[], env: Record<string, string>, cwd?: string): Started {
  return startProgram(MAIN, args, env, cwd);
}

export function runRemit(args: readonly string[], env: Record<string, string>, cwd?: string): Promise<Ended> {
  return startRemit(args, env, cwd).ended;
}

/** As {@link runRemit}, of another installation's main.js. */
export function runProgram(
  main: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<Ended> {
  return startProgram(main, args, env, cwd).ended;
}

function startProgram(main: string, args: readonly string[], env: Record<string, string>, cwd?: string): Started {
  const { REMIT_HOME: _home, ...inherited } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...inherited, ...env },
    cwd: cwd ?? process.cwd(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
}
