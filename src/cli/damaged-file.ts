import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Written by build.mjs next to the command line: each of its files, with its size in bytes. */
const FILES = 'files.json';

/**
 * The first of remit's own files that is missing or has another size than when it was built; undefined if all are
 * whole. Called before anything else is loaded, because a file that is cut off may fail anywhere, even in the middle of
 * a write.
 */
export function damagedFile(): string | undefined {
  const folder = import.meta.dirname;
  try {
    const sizes: Record<string, number> = JSON.parse(readFileSync(join(folder, FILES), 'utf8'));
    const damaged = Object.entries(sizes).find(
      // Joined as text, because `join` would take longer than reading the sizes.
      ([file, size]) => statSync(`${folder}/${file}`, { throwIfNoEntry: false })?.size !== size,
    );
    return damaged && join(folder, damaged[0]);
  } catch {
    return join(folder, FILES);
  }
}
