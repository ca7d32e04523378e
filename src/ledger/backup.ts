import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileError, LedgerError } from '../errors.ts';
import { explainWriteFault, openTemporary } from '../files/index.ts';
import { describePlace, type Place, placeOf } from '../place.ts';
import { copyToFile } from './copy.ts';
import { dialectOf } from './dialect/index.ts';
import { findDamage, usingLedger } from './open.ts';

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
  const copy = await emptyFileBeside(target);
  const copyPlace = { kind: 'file', file: copy } as const;
  const leftBehind = dialectOf(copyPlace).filesOf(copyPlace);
  try {
    await copyToFile(place, copy);
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
    for (const file of leftBehind) await rm(file, { force: true });
  }
}

/** A copy grows in a file that is its owner's alone from the first byte; one that a killed run left is removed by the next. */
async function emptyFileBeside(target: string): Promise<string> {
  try {
    const { path: file, handle } = await openTemporary(path.dirname(target));
    await handle.close();
    return file;
  } catch (error) {
    throw explainWriteFault(error, target, { noun: 'file', by: '' });
  }
}
