import { realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { because, type OwnFile } from '../../words/errors/files.ts';
import { FileError } from '../errors.ts';

/** A file that nothing may be written over. */
export interface ProtectedFile {
  readonly path: string;
  readonly is: OwnFile;
}

/**
 * Refuses a target that is one of the protected files, under whatever name: through links, symbolic or hard, and by another
 * spelling of its path. To be asked before anything is written.
 *
 * @throws FileError
 */
export function refuseProtected(target: string, files: readonly ProtectedFile[]): void {
  const targetStatus = status(target);
  for (const file of files) {
    const isSame = canonical(target) === canonical(file.path) || isOneFile(targetStatus, status(file.path));
    if (isSame) throw new FileError(because({ id: 'own-file', file: target, is: file.is }));
  }
}

function status(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false, bigint: false });
}

function isOneFile(a: Stats | undefined, b: Stats | undefined): boolean {
  return a !== undefined && b !== undefined && a.ino !== 0 && a.ino === b.ino && a.dev === b.dev;
}

/** The path with the links of its folder resolved: the file itself need not be there. */
function canonical(file: string): string {
  const absolute = path.resolve(file);
  const folder = path.dirname(absolute);
  let resolved = folder;
  try {
    resolved = realpathSync(folder);
  } catch {
    // A folder that is not there holds no file to protect.
  }
  const full = path.join(resolved, path.basename(absolute));
  // Their file systems take both spellings for one file.
  return process.platform === 'win32' || process.platform === 'darwin' ? full.toLowerCase() : full;
}
