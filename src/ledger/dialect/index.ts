/** All in which databases differ, behind one door: another database is another folder beside `sqlite/`, chosen here. */
import type { Place } from '../../place.ts';
import type { LedgerDialect } from './dialect.ts';
import { postgres } from './postgres/index.ts';
import { sqlite } from './sqlite/index.ts';

export type { Connection, Examined, LedgerDialect, LedgerLock, SchemaObject } from './dialect.ts';

const SERVERS = { advisory: postgres('advisory'), lease: postgres('lease') } as const;

/** The dialect of a place. */
export function dialectOf(place: Place): LedgerDialect {
  return (place.kind === 'file' ? sqlite : SERVERS[place.lock]) as LedgerDialect;
}
