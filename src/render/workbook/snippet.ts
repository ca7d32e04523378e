/** A word is four bytes. */
const WORD = 4;

/** What is left of a last word, that {@link Snippet.writeTo} may write behind its end. */
export const MOST_BEHIND = WORD - 1;

/** Bytes that are written many times: word by word, which takes a fraction of writing them byte by byte. */
export class Snippet {
  readonly length: number;
  readonly #words: Int32Array;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    const padded = Buffer.concat([bytes, Buffer.alloc(MOST_BEHIND)]);
    this.#words = Int32Array.from({ length: Math.ceil(bytes.length / WORD) }, (_, at) => padded.readInt32LE(at * WORD));
  }

  /** Writes it at a place, and up to {@link MOST_BEHIND} bytes behind it that the next writer overwrites. @returns the place behind it */
  writeTo(view: DataView, at: number): number {
    const words = this.#words;
    for (let index = 0; index < words.length; index += 1) view.setInt32(at + index * WORD, words[index]!, true);
    return at + this.length;
  }
}
