import { setImmediate } from 'node:timers/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { FileError } from '../../errors.ts';
import type { Scratch, Stretch } from '../../files/index.ts';
import { joinedCrc } from './crc.ts';
import { XmlBytes } from './xml-bytes.ts';

/** Bytes that are held, or read again from where they are kept. */
type Chunks = Iterable<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>>;

/** A part of a workbook as a zip holds it: deflated, with what the archive's directory says of it. */
export interface Deflated {
  readonly chunks: readonly Chunks[];
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
  return { chunks: [[deflateRawSync(bytes, { finishFlush })]], size: bytes.length, crc: crc32(bytes) };
}

/** Pieces as one part; all but the last were made to be followed by more. */
export function joined(pieces: readonly Deflated[]): Deflated {
  return pieces.reduce((one, next) => ({
    chunks: [...one.chunks, ...next.chunks],
    size: sizeWithin(one.size + next.size),
    crc: joinedCrc(one.crc, next.crc, next.size),
  }));
}

/** So many bytes are worth handing to the compressor: what one piece holds is of no help to the next. */
const PIECE = 1 << 20;
/** So much deflated text is held, where there is a file for more. */
const MOST_HELD = 1 << 20;

/** Deflates text as it comes, in the middle of a part: only its deflated form is kept, and what is long of it in a file. */
export class Deflater {
  /** Takes the text in; to be emptied by {@link flush} whenever it is full. */
  readonly xml = new XmlBytes();
  readonly #scratch: Scratch | undefined;
  #held: Uint8Array<ArrayBuffer>[] = [];
  #heldBytes = 0;
  #kept: Stretch | undefined;
  #size = 0;
  #crc = 0;

  constructor(scratch?: Scratch) {
    this.#scratch = scratch;
  }

  get isFull(): boolean {
    return this.xml.length >= PIECE;
  }

  /** Deflates what was taken in. Resolves when other work has had its turn. */
  async flush(): Promise<void> {
    this.#deflate();
    if (this.#heldBytes > MOST_HELD) await this.#keep();
    await setImmediate();
  }

  end(): Deflated {
    this.#deflate();
    const [scratch, kept] = [this.#scratch, this.#kept];
    const chunks: Chunks[] = scratch && kept ? [scratch.read(kept), this.#held] : [this.#held];
    return { chunks, size: this.#size, crc: this.#crc };
  }

  #deflate(): void {
    const bytes = this.xml.written;
    if (bytes.length === 0) return;
    this.#size = sizeWithin(this.#size + bytes.length);
    this.#crc = crc32(bytes, this.#crc);
    const piece = deflateRawSync(bytes, { level: LEVEL, chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH });
    // A copy: the compressor's own buffer is larger than what it holds.
    this.#held.push(Uint8Array.from(piece));
    this.#heldBytes += piece.length;
    this.xml.length = 0;
  }

  /** Nothing else is kept while a part is made: its stretches lie one behind the other. */
  async #keep(): Promise<void> {
    if (!this.#scratch) return;
    for (const bytes of this.#held) {
      const { from, to } = await this.#scratch.append(bytes);
      this.#kept = { from: this.#kept?.from ?? from, to };
    }
    this.#held = [];
    this.#heldBytes = 0;
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
