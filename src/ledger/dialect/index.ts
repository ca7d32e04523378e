/** All in which databases differ, behind one door: another database is another folder beside `sqlite/`, chosen here. */
import { LedgerError } from '../../errors.ts';
import { describePlace, type Place } from '../place.ts';
import type { LedgerDialect } from './dialect.ts';
import { sqlite } from './sqlite/index.ts';

export type { Connection, LedgerDialect, SchemaObject } from './dialect.ts';

/** The dialect of a place. */
export function dialectOf(place: Place): LedgerDialect {
  if (place.kind === 'file') return sqlite as LedgerDialect;
  throw new LedgerError(
    `${describePlace(place)} is a server, and this remit keeps ledgers in files`,
    'Name a file as the ledger.',
  );
}
