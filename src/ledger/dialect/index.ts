/** Chooses the dialect of a place: everything in which databases differ is behind it. Another database is another folder beside `sqlite/`. */
import type { Place } from '../../base/place.ts';
import type { LedgerDialect } from './dialect.ts';
import { postgres } from './postgres/index.ts';
import { sqlite } from './sqlite/index.ts';

export type { Connection, Examined, LedgerDialect, LedgerLock, SchemaObject } from './dialect.ts';
export type { Work } from './lock-holder.ts';

const SERVERS = { advisory: postgres('advisory'), lease: postgres('lease') } as const;

/** The dialect of a place. */
export function dialectOf(place: Place): LedgerDialect {
  return (place.kind === 'file' ? sqlite : SERVERS[place.lock]) as LedgerDialect;
}
