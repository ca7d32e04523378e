// What main.ts needs before it loads anything else. A Node that is too old loads this file too: it imports only modules
// of Node, and its newest syntax is that of Node 14 (`??`).
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The versions of Node.js that remit runs on, as `engines` in package.json has them (a test keeps the two equal). */
export const SUPPORTED_NODE = '^20.18.1 || ^22.14 || >=24';

/** {@link SUPPORTED_NODE} for people. */
export const SUPPORTED_IN_WORDS = '20 (from 20.18.1), 22 (from 22.14), and 24 and later';

export function isSupportedNode(version: string): boolean {
  const have = numbers(version);
  return SUPPORTED_NODE.split(' || ').some((range) => {
    const least = numbers(range);
    const isMajorRight = range.startsWith('^') ? have[0] === least[0] : true;
    return isMajorRight && compare(have, least) >= 0;
  });
}

function numbers(text: string): number[] {
  return text
    .replace(/^\D+|-.*$/g, '')
    .split('.')
    .map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

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

/** Lets Node keep what V8 compiled, so that the next command starts sooner. Node 20 cannot do that. */
export function enableCompileCache(): void {
  try {
    const folder = compileCacheFolder(process.env, process.platform);
    const { enableCompileCache: enable } = process.getBuiltinModule('node:module') as Partial<CompileCaching>;
    if (folder !== undefined) enable?.(folder);
  } catch {
    // A command needs no cache.
  }
}

/** The part of `node:module` that Node has from 22.8 on. */
interface CompileCaching {
  enableCompileCache(folder: string): unknown;
}

/**
 * remit's folder in the user's cache folder of the platform; never in the installation.
 *
 * @returns undefined for a user without a home
 */
export function compileCacheFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform) {
  const { HOME = '', LOCALAPPDATA = '', XDG_CACHE_HOME = '' } = env;
  const home = platform === 'win32' ? LOCALAPPDATA : HOME;
  if (!isAbsolute(home) || !existsSync(home)) return undefined;
  if (platform === 'win32') return join(home, 'remit', 'cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'remit');
  return join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(home, '.cache'), 'remit');
}
