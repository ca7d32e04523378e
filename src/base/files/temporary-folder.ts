import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isProcessAlive, MACHINE } from './temporary.ts';

const PREFIX = `remit-${MACHINE}-`;
/** After the prefix: the process, and what mkdtemp puts behind it. */
const REST = /^(\d{1,10})-[A-Za-z0-9]{6}$/;

/**
 * Makes a folder for what is thrown away, under the system's folder for temporary files: its owner's alone, of a name that
 * nobody can foretell. Those that killed runs left there are removed first.
 */
export function makeTemporaryFolder(): string {
  return makeFolderIn(tmpdir(), '');
}

/**
 * Makes a folder beside the one that it will become, hidden until then and its owner's alone. Those that killed runs left
 * there are removed first: they hold money and names.
 *
 * @param folder absolute; the one above it is there
 */
export function makeFolderBeside(folder: string): string {
  return makeFolderIn(path.dirname(folder), '.');
}

function makeFolderIn(parent: string, hidden: '' | '.'): string {
  const prefix = hidden + PREFIX;
  for (const name of readdirSync(parent)) {
    const [, pid] = name.startsWith(prefix) ? (REST.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) removeOwn(path.join(parent, name));
  }
  return mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
}

/** The folder for temporary files is everybody's: another user's folder is left alone, and so is one that cannot be removed. */
function removeOwn(folder: string): void {
  try {
    const status = lstatSync(folder);
    const isOwn = process.getuid === undefined || status.uid === process.getuid();
    if (isOwn && status.isDirectory()) rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another run removed it first.
  }
}
