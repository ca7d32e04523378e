import { once } from 'node:events';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { FileError } from '../../errors.ts';
import { joinedCrc } from './crc.ts';

/** A part of a workbook as a zip holds it: deflated, with what the archive's directory says of it. */
export interface Deflated {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** Of the content, before it is deflated. */
  readonly size: number;
  readonly crc: number;
}

/** Rows of a table are alike, and a greater effort makes them little smaller for a multiple of the time. */
const LEVEL = 1;
const CHUNK = 1 << 16;
/** The largest that a zip without extensions, which every spreadsheet program reads, can hold. */
const LARGEST = 0xffffffff;

/** A part in one piece. @param isLast false where more is to come behind it */
export function deflated(content: string | Uint8Array, isLast = true): Deflated {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  return { chunks: [deflateRawSync(bytes, { finishFlush })], size: bytes.length, crc: crc32(bytes) };
}

/** Pieces as one part; all but the last were made to be followed by more. */
export function joined(pieces: readonly Deflated[]): Deflated {
  return pieces.reduce((one, next) => ({
    chunks: [...one.chunks, ...next.chunks],
    size: sizeWithin(one.size + next.size),
    crc: joinedCrc(one.crc, next.crc, next.size),
  }));
}

/** So many bytes are worth handing to the compressor. */
const PIECE = 1 << 17;
/** What a UTF-16 unit takes as UTF-8. */
const MOST_BYTES = 3;

/**
 * Deflates text as it comes, in the middle of a part: only its deflated form is held. The text itself goes at once into one piece of
 * bytes that is used again and again: many short strings that wait to be joined would cost the garbage collector more than their making.
 */
export class Deflater {
  readonly #stream = createDeflateRaw({ level: LEVEL, chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH });
  readonly #chunks: Buffer<ArrayBuffer>[] = [];
  readonly #ended = once(this.#stream, 'end');
  readonly #piece = Buffer.allocUnsafeSlow(PIECE);
  #filled = 0;
  #size = 0;
  #crc = 0;

  constructor() {
    this.#stream.on('data', (chunk: Buffer<ArrayBuffer>) => this.#chunks.push(chunk));
    // Avoids an unhandled rejection; awaited in end().
    this.#ended.catch(() => {});
  }

  /** Takes text in; false where there is no room for it, so that {@link write} has to. */
  add(text: string): boolean {
    if (text.length * MOST_BYTES > PIECE - this.#filled) return false;
    this.#filled += this.#piece.write(text, this.#filled);
    return true;
  }

  /** The same for text of any length. Resolves when there is room for more: whoever waits never holds much that is not deflated. */
  async write(text: string): Promise<void> {
    if (this.add(text)) return;
    await this.#empty();
    if (!this.add(text)) await this.#deflate(Buffer.from(text));
  }

  async end(): Promise<Deflated> {
    await this.#empty();
    this.#stream.end();
    await this.#ended;
    return { chunks: this.#chunks, size: this.#size, crc: this.#crc };
  }

  /** Gives its memory back at once; harmless after {@link end}. */
  close(): void {
    this.#stream.destroy();
  }

  async #empty(): Promise<void> {
    await this.#deflate(this.#piece.subarray(0, this.#filled));
    this.#filled = 0;
  }

  /** Resolves when the compressor has read all of it. */
  async #deflate(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    this.#size = sizeWithin(this.#size + bytes.length);
    this.#crc = crc32(bytes, this.#crc);
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** @throws FileError where a size is more than a zip can say */
export function sizeWithin(size: number): number {
  if (size <= LARGEST) return size;
  throw new FileError(
    'the workbook would be larger than 4 GB, which no spreadsheet program reads',
    'Ask for a shorter period, or for the report as CSV.',
  );
}
