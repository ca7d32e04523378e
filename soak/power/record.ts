import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Asked } from '../run-here.ts';

/** Something that a process did to a file of a folder, in the order in which it did it. */
export type Op =
  | { readonly kind: 'create' | 'unlink' | 'sync'; readonly file: string }
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  /** The folder itself was synced: the names in it are on the disk. */
  | { readonly kind: 'sync-folder' };

export const canRecord = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;

const CALLS = 'openat,pwrite64,write,ftruncate,fsync,fdatasync,unlink';

/**
 * Runs a command in a process of its own, and writes down what it does to the ledger's files. All of it is done by the
 * process' main thread, one call after the other.
 *
 * @returns the exit code, and each write, sync, creation and removal below the folder
 */
export async function recorded({ argv, cwd, now, env }: Asked): Promise<{ code: number | null; ops: Op[] }> {
  const traces = mkdtempSync(path.join(tmpdir(), 'remit-trace-'));
  const asked = JSON.stringify({ argv, cwd, now: now.getTime(), env, killAt: null });
  const child = path.join(import.meta.dirname, '..', 'child.js');
  const trace = ['-ff', '-qq', '-y', '-xx', '-s', '100000000', '-e', `trace=${CALLS}`, '-o', path.join(traces, 't')];
  try {
    const process_ = spawn('strace', [...trace, process.execPath, child, asked], { cwd, stdio: 'ignore' });
    const code = await new Promise<number | null>((resolve) => process_.on('close', resolve));
    // The first process is the main thread: it has the lowest number.
    const [main] = readdirSync(traces).sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));
    return { code, ops: [...opsOf(readFileSync(path.join(traces, main!), 'latin1'), cwd)] };
  } finally {
    rmSync(traces, { recursive: true, force: true });
  }
}

const LEDGER = /^ledger\.db(-wal|-journal)?$/;

function* opsOf(trace: string, folder: string): Generator<Op> {
  for (const line of trace.split('\n')) {
    const parts = /^(\w+)\((.*)\)\s+= (\d+)/.exec(line);
    if (!parts) continue;
    const [, call, given] = parts as unknown as [string, string, string];
    const of = /^\d+<([^>]*)>/.exec(given)?.[1];
    const file = of === undefined ? undefined : nameIn(folder, plain(of));
    if (call === 'openat' && given.includes('O_CREAT')) {
      const named = nameIn(folder, plain(/"([^"]*)"/.exec(given)?.[1] ?? ''));
      if (named) yield { kind: 'create', file: named };
    } else if (call === 'unlink') {
      const named = nameIn(folder, plain(/"([^"]*)"/.exec(given)?.[1] ?? ''));
      if (named) yield { kind: 'unlink', file: named };
    } else if (/^f(data)?sync$/.test(call) && of !== undefined && plain(of) === folder) {
      yield { kind: 'sync-folder' };
    } else if (!file) {
    } else if (/^f(data)?sync$/.test(call)) {
      yield { kind: 'sync', file };
    } else if (call === 'ftruncate') {
      yield { kind: 'truncate', file, size: Number(/, (\d+)$/.exec(given)![1]) };
    } else if (call === 'pwrite64') {
      const [, hex, at] = /"([^"]*)", \d+, (\d+)$/.exec(given)!;
      yield { kind: 'write', file, at: Number(at), bytes: Buffer.from(hex!.replaceAll('\\x', ''), 'hex') };
    } else if (call === 'write') {
      throw new Error(`${file} was written without a place`);
    }
  }
}

/**
 * The name of one of the ledger's files; what is beside them is not looked at, and `-shm` is made anew when the ledger
 * is opened.
 */
function nameIn(folder: string, file: string): string | undefined {
  if (path.resolve(folder, path.dirname(file)) !== folder) return undefined;
  const name = path.basename(file);
  return LEDGER.test(name) ? name : undefined;
}

const plain = (text: string): string =>
  text.includes('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex').toString() : text;
