import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What Windows answers while a virus scanner or an indexer looks at either file: mostly for some milliseconds. */
const HELD_FOR_A_MOMENT = ['EACCES', 'EBUSY', 'EPERM'];
/** Milliseconds to wait before each further attempt: some three seconds in all. */
const WAITS = [10, 25, 50, 100, 200, 400, 800, 1_500];

/**
 * Gives a file or folder another name, which takes the place of a file of that name. On Windows it is tried for some three seconds, because
 * other programs hold files open there for a moment.
 *
 * @throws the system's error, such as EPERM where another program keeps the file open
 */
export async function renameOver(
  from: string,
  to: string,
  { platform, move, wait }: RenameBy = { platform: process.platform, move: rename, wait: sleep },
): Promise<void> {
  for (const delay of platform === 'win32' ? WAITS : []) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!HELD_FOR_A_MOMENT.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await wait(delay);
    }
  }
  await move(from, to);
}

/** The system that a file is renamed by: tests put another one in its place. */
interface RenameBy {
  readonly platform: NodeJS.Platform;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}
