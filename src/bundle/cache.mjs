// V8's code cache of a pack, in a file beside it. V8 itself looks only at versions, flags and lengths: it would run what is damaged within,
// or was made of another text as long, as when two builds write into one folder.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
// Not by name: a Node that is too old has no crc32, and must come as far as saying so.
import zlib from 'node:zlib';

/** Checksums of the pack and of the cache, before V8's own data: a multiple of 8 bytes, for V8 would copy what is not aligned. */
const HEAD = 8;

/** @param source the pack's bytes, of which V8 made the data */
export function writeCache(folder, pack, source, data) {
  writeFileSync(cacheFile(folder, pack), Buffer.concat([checksums(source, data), data]));
}

/** @returns what V8 made of just these bytes; undefined where there is nothing of the kind, or it is damaged */
export function readCache(folder, pack, source) {
  let file;
  try {
    file = readFileSync(cacheFile(folder, pack));
  } catch {
    // Made by another Node, or the build could not make one.
    return undefined;
  }
  const data = file.subarray(HEAD);
  return checksums(source, data).equals(file.subarray(0, HEAD)) ? data : undefined;
}

/** For this Node on this kind of machine. */
function cacheFile(folder, pack) {
  return path.join(folder, `${pack}-${process.version}-${process.platform}-${process.arch}.cache`);
}

function checksums(source, data) {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(zlib.crc32(source), 0);
  head.writeUInt32LE(zlib.crc32(data), 4);
  return head;
}
