import { UsageError } from '../base/errors.ts';
import { isCourierName } from '../base/names.ts';
import { quoted } from '../base/text.ts';

/** The commands that are about the whole books, whichever couriers these have. */
const WHOLE_BOOKS: ReadonlySet<string> = new Set([
  'backup',
  'close',
  'courier list',
  'courier rename',
  'import orders',
  'import rates',
  'import receipts',
  'import tariff',
  'rebuild',
  'reopen',
  'verify',
]);

/** Refuses `--courier` for a command that takes none, and a value that cannot be a name. @throws UsageError */
export function refuseCourier(command: string, courier: string): void {
  if (WHOLE_BOOKS.has(command)) {
    throw new UsageError(`${command} is of the whole books and takes no --courier`, 'Leave --courier out.');
  }
  if (isCourierName(courier)) return;
  throw new UsageError(
    `the flag --courier names ${quoted(courier)}, which is no name of a courier`,
    'A name is of lower-case letters, digits and hyphens, at most 40, a letter first: see remit courier list.',
  );
}
