import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { replaceFile } from '../base/files/replace.ts';

/** What a renderer yields: text for the text formats, bytes for a workbook. */
export type Pieces = AsyncIterable<string> | AsyncIterable<Uint8Array> | readonly Uint8Array[];

const BATCH_CHARACTERS = 1 << 16;

/** Joins small pieces of text, so that there are fewer writes; bytes pass as they are. */
export async function* batched(pieces: Pieces): AsyncGenerator<string | Uint8Array> {
  let batch = '';
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield piece;
      continue;
    }
    batch += piece;
    if (batch.length < BATCH_CHARACTERS) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}

export async function* inBatches<T>(rows: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Writes to a stream and waits whenever it is full, so that memory stays bounded. The stream is left open. If its
 * reader has gone away (a broken pipe), writing stops without an error: the reader has all it wants.
 */
export async function writePieces(out: Writable, pieces: Pieces): Promise<void> {
  const closed = new AbortController();
  let failure: NodeJS.ErrnoException | undefined;
  const onError = (error: Error) => {
    failure ??= error;
    closed.abort();
  };
  const onClose = () => closed.abort();
  out.on('error', onError).on('close', onClose);
  try {
    for await (const batch of batched(pieces)) {
      if (closed.signal.aborted) break;
      if (out.write(batch)) continue;
      // If the wait is aborted, `failure` already has the reason.
      await once(out, 'drain', { signal: closed.signal }).catch(() => {});
    }
  } finally {
    out.off('error', onError).off('close', onClose);
  }
  if (failure && failure.code !== 'EPIPE') throw failure;
}

/**
 * Writes a rendered document to a file, which appears whole or not at all.
 *
 * @param make makes the content; called with the target's folder once the target is known to be writable
 * @param commit called when the content is written, before the file appears; if it throws, no file appears
 * @throws FileError, as {@link replaceFile} does
 */
export async function writeDocument(
  target: string,
  make: (folder: string) => Promise<Pieces>,
  commit?: () => Promise<void>,
): Promise<void> {
  await replaceFile(target, async (handle, folder) => {
    for await (const piece of batched(await make(folder))) await handle.writeFile(piece);
    await commit?.();
  });
}
