import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileError, LedgerError } from '../errors.ts';
import { copyDatabase, explainLedgerFault, findDamage, SIDE_FILES } from './dialect.ts';
import { usingLedger } from './open.ts';

/**
 * Writes a complete copy of a ledger, also while a sync is writing to it. The copy is checked, and appears under its name
 * whole or not at all. It takes the place of a file of that name: ask before.
 *
 * @throws LedgerError when the ledger cannot be read or the copy is not sound, FileError when the copy cannot be written
 */
export async function backupLedger(file: string, target: string): Promise<void> {
  if (path.resolve(target) === path.resolve(file)) {
    throw new FileError(`${target} is the ledger itself`, 'Name another file for the copy.');
  }
  // Refuses what is no ledger, or a newer one, in its own words.
  await usingLedger(file, {}, async () => {});
  const copy = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.tmp`);
  try {
    await copyDatabase(file, copy);
    const damage = await usingLedger(copy, {}, ({ db }) => findDamage(db));
    if (damage.length > 0) {
      throw new LedgerError(
        `the copy of ${file} is not sound: ${damage[0]}`,
        'The ledger itself may be damaged: run `remit doctor`.',
      );
    }
    await rename(copy, target);
  } catch (error) {
    throw explainLedgerFault(error, target);
  } finally {
    for (const ending of ['', ...SIDE_FILES]) await rm(`${copy}${ending}`, { force: true });
  }
}
