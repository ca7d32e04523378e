import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

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
