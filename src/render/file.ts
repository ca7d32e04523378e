import { replaceFile } from '../files/index.ts';
import { batched, type Pieces } from './output.ts';

/**
 * Writes a rendered document to a file, which appears whole or not at all.
 *
 * @param make makes the content; called when the target has been found writable, with the folder that it is in
 * @param commit called when the content is written and before it appears: where it throws, nothing does
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
