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
  const parent = tmpdir();
  for (const name of readdirSync(parent)) {
    const [, pid] = name.startsWith(PREFIX) ? (REST.exec(name.slice(PREFIX.length)) ?? []) : [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) removeOwn(path.join(parent, name));
  }
  return mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));
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
