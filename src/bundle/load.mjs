// How the bundle is loaded: part of dist/bin/main.js. Plain JavaScript, for the build runs it uncompiled.
//
// A pack is one file with many chunks, each a function; V8's code cache lies beside it, made by the build (train.mjs) with what common
// commands compiled. Little is parsed again then, and one file is opened where there were a hundred. A cache of another Node has
// another name, and one that is damaged or that V8 refuses is not used: the pack is compiled like any other file.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { readCache } from './cache.mjs';

/** The pack that is loaded first; it knows of every chunk that is not its own in which pack it is. */
export const FIRST_PACK = 'remit';

/**
 * @param folder where the packs are
 * @param observer is told of each pack as it is compiled (its name, the script, its bytes) and of each chunk as it is run (its name)
 * @returns loads a chunk, once, and gives what it exports
 */
export function loaderOf(folder, { onScript = () => {}, onChunk = () => {} } = {}) {
  const requireOutside = createRequire(path.join(folder, 'main.js'));
  // Node reads the source maps only of what it loads itself: slower, and asked for by --verbose alone.
  const isTraced = process.sourceMapsEnabled === true || process.execArgv.includes('--enable-source-maps');
  const packs = new Map();
  const modules = new Map();

  const openPack = (pack) => {
    const known = packs.get(pack);
    if (known) return known;
    const file = path.join(folder, `${pack}.cjs`);
    const chunks = isTraced ? requireOutside(file) : run(pack, file);
    packs.set(pack, chunks);
    return chunks;
  };

  const run = (pack, file) => {
    const bytes = readFileSync(file);
    // Packs are plain ASCII (pack.mjs): nothing to decode, and one byte a letter.
    const source = bytes.toString('latin1');
    const script = new Script(source, { filename: file, cachedData: readCache(folder, pack, bytes) });
    onScript(pack, script, bytes);
    return script.runInThisContext();
  };

  const load = (name) => {
    const loaded = modules.get(name);
    if (loaded) return loaded.exports;
    const first = openPack(FIRST_PACK)[name];
    const pack = typeof first === 'string' ? first : FIRST_PACK;
    const chunk = typeof first === 'string' ? openPack(first)[name] : first;
    const module = { exports: {} };
    modules.set(name, module);
    onChunk(name);
    const require = (id) => (id.startsWith('./') ? load(id.slice(2)) : requireOutside(id));
    try {
      chunk(module.exports, require, module, path.join(folder, `${pack}.cjs`), folder);
    } catch (error) {
      // As Node does: whoever asks again gets no half of it.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  return load;
}
