// Packs: many chunks in one file, each a function, with one source map for all.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { joinMaps } from './join-maps.mjs';

/**
 * Writes a pack and its source map.
 *
 * @param chunks what the bundler made, in CommonJS
 * @param elsewhere for each chunk of another pack, the name of that pack
 */
export function writePack(folder, pack, chunks, elsewhere = new Map()) {
  // Node runs it as a module where traces are wanted; otherwise it is a script, and this is its value.
  const lines = ["(typeof module === 'object' ? module : {}).exports = {"];
  const maps = [];
  for (const { fileName, code, map } of chunks) {
    lines.push(`${JSON.stringify(fileName)}(exports, require, module, __filename, __dirname) {`);
    // What the bundler adds of its own has none.
    if (map) maps.push({ line: lines.length, map });
    lines.push(...ascii(withoutMapComment(code)).split('\n'), '},');
  }
  for (const [chunk, other] of elsewhere) lines.push(`${JSON.stringify(chunk)}: ${JSON.stringify(other)},`);
  lines.push('};', `//# sourceMappingURL=${pack}.cjs.map`, '');
  writeFileSync(path.join(folder, `${pack}.cjs`), lines.join('\n'));
  writeFileSync(path.join(folder, `${pack}.cjs.map`), JSON.stringify(joinMaps(`${pack}.cjs`, maps)));
}

function withoutMapComment(code) {
  return code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
}

/** V8 keeps a text that is plain ASCII in half the memory, and it is read without being decoded. Strings, patterns and names say the same in escapes. */
function ascii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
