import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a small file that appears whole or not at all. A failure names the file, which Node leaves out of failed writes. */
export async function writeNewFile(file: string, text: string, mode = 0o666): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    // With its final mode from its first instant on, whatever the umask.
    await writeFile(temporary, text, { mode, flag: 'wx', flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  }
}

/** Makes a folder and those above it. Where a disk is read-only the failure says so: Node's own says that nothing is there. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    let missing = folder;
    while (!existsSync(path.dirname(missing))) missing = path.dirname(missing);
    mkdirSync(missing);
    throw error;
  }
}
