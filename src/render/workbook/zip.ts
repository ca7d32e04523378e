import { Zip, type ZipInputFile } from 'fflate';
import { type Deflated, sizeWithin } from './deflated.ts';

/** Every entry bears this date: the wall clock would make two equal workbooks differ. Zips hold local times. */
const ENTRY_DATE = new Date(1980, 0, 1, 12);
const DEFLATE = 8;
const NOTHING = new Uint8Array();

/** Parts as a zip, sorted by path, handed on piece by piece: the same bytes for the same parts. */
export async function* zipOf(parts: ReadonlyMap<string, Deflated>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    written.push(piece);
  });
  let size = 0;
  for (const [filename, { chunks, ...part }] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const file: ZipInputFile = { filename, ...part, compression: DEFLATE, mtime: ENTRY_DATE };
    zip.add(file);
    for (const some of chunks) {
      for await (const chunk of some) {
        size = sizeWithin(size + chunk.length);
        file.ondata!(null, chunk, false);
        yield* written.splice(0);
      }
    }
    file.ondata!(null, NOTHING, true);
    yield* written.splice(0);
  }
  zip.end();
  yield* written.splice(0);
}
