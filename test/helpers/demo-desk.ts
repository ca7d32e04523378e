import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outcome, remit } from './cli.ts';
import { type RunningDesk, startDesk } from './desk.ts';

const NOW = new Date('2026-11-20T10:00:00Z');

/** The demo's books, and desks at copies of them. */
export interface Demo {
  /** Starts a desk at a copy of the books, and lets its person in. */
  desk(name: string): Promise<RunningDesk>;
  /** The folder of the books as the demo left them. */
  readonly folder: string;
  /** Starts a desk at a copy of the ledger elsewhere. */
  deskOn(ledger: string): Promise<RunningDesk>;
  /** The command line in the books as the demo left them, or in a copy. */
  cli(argv: readonly string[], name?: string, env?: Readonly<Record<string, string>>): Promise<Outcome>;
  end(): void;
}

/** Runs the demo once, for all tests of a file. */
export async function makeDemo(): Promise<Demo> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'remit-desk-')));
  const { code, stderr } = await remit(['demo', '--json'], { cwd: folder, now: NOW });
  if (code !== 0) throw new Error(stderr);
  const original = path.join(folder, 'remit-demo');
  return {
    async desk(name) {
      const copy = path.join(folder, name);
      cpSync(original, copy, { recursive: true });
      const desk = await startDesk([], { cwd: copy, now: () => NOW });
      await desk.enter();
      return desk;
    },
    folder: original,
    deskOn: (ledger) => startDesk([], { cwd: original, now: () => NOW, env: { REMIT_LEDGER: ledger } }),
    cli: (argv, name, env = {}) =>
      remit(argv, { cwd: name === undefined ? original : path.join(folder, name), now: NOW, env }),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
