import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** What remit makes holds money and names: folders and files are their owner's alone. Windows has no such bits. */
const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

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
