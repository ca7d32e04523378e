import { replaceFile } from '../base/files/replace.ts';
import { batched, type Pieces } from './output.ts';

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
