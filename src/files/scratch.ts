import { rm } from 'node:fs/promises';
import { openTemporary, type Temporary } from './temporary.ts';

const PIECE = 1 << 17;

/** A stretch of a {@link Scratch}. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Room on disk for what is too large to be held until it can be written where it belongs. The file is made when it is first needed, readable
 * by its owner alone, and has no name for longer than the system asks for: nothing of it is left behind when the process is killed. Where
 * an open file must keep its name, as on Windows, the next run removes it.
 */
export class Scratch {
  readonly #folder: string;
  #file: Promise<Temporary> | undefined;
  #length = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps bytes. @returns where */
  async append(bytes: Uint8Array): Promise<Stretch> {
    this.#file ??= unnamed(this.#folder);
    const { handle } = await this.#file;
    const from = this.#length;
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, from + written);
      written += bytesWritten;
    }
    this.#length = from + bytes.length;
    return { from, to: this.#length };
  }

  /** Gives back what was kept, a piece at a time: each is good until the next is asked for, which takes its place. */
  async *read({ from, to }: Stretch): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    if (!this.#file) return;
    const { handle } = await this.#file;
    const piece = new Uint8Array(PIECE);
    for (let at = from; at < to; ) {
      const { bytesRead } = await handle.read(piece, 0, Math.min(PIECE, to - at), at);
      if (bytesRead === 0) throw new Error('a temporary file was cut short');
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Gives the room back. */
  async close(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    if (!file) return;
    await file.handle.close();
    await rm(file.path, { force: true }).catch(() => {});
  }
}

async function unnamed(folder: string): Promise<Temporary> {
  const temporary = await openTemporary(folder);
  if (process.platform !== 'win32') await rm(temporary.path, { force: true });
  return temporary;
}
