import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_FOLDER } from '../private.ts';

/** Makes a folder and those above it. On a read-only disk the error says so; Node's own would say ENOENT. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Making the uppermost missing folder alone fails with the true reason.
    let missing = folder;
    // The parent of a missing drive's root is that root.
    while (!existsSync(path.dirname(missing)) && path.dirname(missing) !== missing) missing = path.dirname(missing);
    mkdirSync(missing, { mode: PRIVATE_FOLDER });
    throw error;
  }
}
