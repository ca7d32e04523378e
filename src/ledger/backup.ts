import path from 'node:path';
import { FileError, LedgerError } from '../base/errors.ts';
import { describePlace, type Place, placeOf } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import { copyToFile } from './copy.ts';
import { dialectOf } from './dialect/index.ts';
import { findDamage, usingLedger } from './open.ts';
import { replaceLedgerFile } from './replace-file.ts';
import type { Upgrading } from './upgrade.ts';

/**
 * Writes a complete copy of a ledger as a file, also while a sync is writing to it. The copy is checked, and appears under its name
 * whole or not at all. It replaces a file of that name: ask before.
 *
 * @throws LedgerError when the ledger cannot be read or the copy is not sound, FileError when the copy cannot be written
 */
export async function backupLedger(where: Place | string, target: string, upgrading: Upgrading = {}): Promise<void> {
  const place = typeof where === 'string' ? placeOf(where) : where;
  const name = describePlace(place);
  if (path.resolve(target) === name) {
    throw new FileError(because({ id: 'copy-is-ledger', file: target }));
  }
  // A file that is no ledger, or a newer one, is refused with its own error.
  await usingLedger(place, { ...upgrading, readOnly: true }, async () => {});
  try {
    await replaceLedgerFile(target, async (copy) => {
      await copyToFile(place, copy);
      const damage = await usingLedger(copy, {}, (ledger) => findDamage(ledger));
      if (damage.length === 0) return;
      throw new LedgerError(because({ id: 'copy-not-sound', ledger: name, why: damage[0]! }));
    });
  } catch (error) {
    const file = placeOf(target);
    throw (await dialectOf(file)).explain(error, file);
  }
}
