import { constants, crc32, deflateRawSync } from 'node:zlib';
import { type AsyncFlateStreamHandler, Zip, type ZipInputFile } from 'fflate';
import { FileError } from '../../base/errors.ts';
import { because } from '../../words/errors/rendering.ts';

/** A file inside a zip. */
export interface Part {
  readonly path: string;
  /** Whole, or in pieces large enough to deflate one by one, read once when the part's turn comes. Text is written as UTF-8. */
  readonly content: string | Uint8Array | AsyncIterable<string>;
}

/** Every entry has this date, because the wall clock would make two equal workbooks differ. Zips hold local times. */
const ENTRY_DATE = new Date(1980, 0, 1, 12);
const DEFLATE = 8;
const NOTHING = new Uint8Array();
/** The fastest level: higher ones make a table's rows little smaller and take several times as long. */
const LEVEL = 1;
/** The most bytes deflated at a time: each piece takes an engine of its own, and time to set it up. */
const PIECE = 1 << 18;
/** The most bytes of UTF-8 that a UTF-16 unit takes. */
const MOST_BYTES = 3;
/** The most that a zip without extensions, which every spreadsheet program reads, can hold. */
const LARGEST = 0xffffffff;

/**
 * Parts as a zip in the given order, piece by piece as they are read: the same bytes for the same parts.
 *
 * @throws FileError where the archive would be larger than 4 GB
 */
export async function* zipOf(parts: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
  });
  let size = 0;
  for await (const { path, content } of parts) {
    const entry = new DeflatedEntry(path);
    zip.add(entry);
    for await (const bytes of bytesOf(content)) {
      size += bytes.length;
      if (size > LARGEST) throw tooLarge();
      entry.push(bytes);
      yield* written.splice(0);
    }
    entry.end();
    yield* written.splice(0);
  }
  zip.end();
  yield* written.splice(0);
}

/** A part's content as bytes, in pieces that are worth an engine. Each is valid until the next is asked for. */
async function* bytesOf(content: Part['content']): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) {
    yield Buffer.from(content);
    return;
  }
  const piece = Buffer.allocUnsafe(PIECE);
  let size = 0;
  for await (const text of content) {
    const most = text.length * MOST_BYTES;
    if (size + most > PIECE) {
      yield piece.subarray(0, size);
      size = 0;
    }
    if (most > PIECE) yield Buffer.from(text);
    else size += piece.write(text, size);
  }
  yield piece.subarray(0, size);
}

/** An entry that Node's zlib deflates, in an eighth of the time that fflate's own deflate takes. */
class DeflatedEntry implements ZipInputFile {
  readonly filename: string;
  readonly compression = DEFLATE;
  readonly mtime = ENTRY_DATE;
  size = 0;
  crc = 0;
  /** Set by the archive that the entry is added to. */
  ondata?: AsyncFlateStreamHandler;

  constructor(filename: string) {
    this.filename = filename;
  }

  push(bytes: Uint8Array): void {
    this.size += bytes.length;
    this.crc = crc32(bytes, this.crc);
    this.ondata!(null, deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }), false);
  }

  end(): void {
    this.ondata!(null, deflateRawSync(NOTHING), true);
  }
}

function tooLarge(): FileError {
  return new FileError(because({ id: 'workbook-too-large' }));
}
