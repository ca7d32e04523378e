import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_FOLDER } from '../private.ts';

/** Makes a folder and those above it, as far as they are missing. Where a disk is read-only the failure says so: Node's own says that nothing is there. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    let missing = folder;
    while (!existsSync(path.dirname(missing))) missing = path.dirname(missing);
    mkdirSync(missing, { mode: PRIVATE_FOLDER });
    throw error;
  }
}
