import { randomBytes } from 'node:crypto';
import { chmod, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileError, LedgerError } from '../errors.ts';
import { dialectOf } from './dialect/index.ts';
import { findDamage, usingLedger } from './open.ts';
import { describePlace, type Place, placeOf } from './place.ts';

/** What the copy of a ledger may leave beside it while it is made. */
const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/**
 * Writes a complete copy of a ledger as a file, also while a sync is writing to it. The copy is checked, and appears under its name
 * whole or not at all. It takes the place of a file of that name: ask before.
 *
 * @throws LedgerError when the ledger cannot be read or the copy is not sound, FileError when the copy cannot be written
 */
export async function backupLedger(where: Place | string, target: string): Promise<void> {
  const place = typeof where === 'string' ? placeOf(where) : where;
  const name = describePlace(place);
  if (path.resolve(target) === name) {
    throw new FileError(`${target} is the ledger itself`, 'Name another file for the copy.');
  }
  // Refuses what is no ledger, or a newer one, in its own words.
  await usingLedger(place, { readOnly: true }, async () => {});
  const copy = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await dialectOf(place).copyToFile(place, copy);
    await chmod(copy, 0o600);
    const damage = await usingLedger(copy, {}, (ledger) => findDamage(ledger));
    if (damage.length > 0) {
      throw new LedgerError(
        `the copy of ${name} is not sound: ${damage[0]}`,
        'The ledger itself may be damaged: run `remit verify`.',
      );
    }
    await rename(copy, target);
  } catch (error) {
    throw dialectOf(placeOf(target)).explain(error, placeOf(target));
  } finally {
    for (const ending of ['', ...SIDE_FILES]) await rm(`${copy}${ending}`, { force: true });
  }
}
