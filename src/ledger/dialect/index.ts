/** Chooses the dialect of a place: everything in which databases differ is behind it. Another database is another folder beside `sqlite/`. */
import type { Place } from '../../base/place.ts';
import type { LedgerDialect } from './dialect.ts';
import { ledgerFiles, sqlite } from './sqlite/index.ts';

/** Fills a copy, which is a file of SQLite's wherever the ledger is. */
export { fillTables } from './sqlite/fill.ts';

/** The dialect of a place. PostgreSQL's is loaded only where the ledger is on a server. */
export async function dialectOf(place: Place): Promise<LedgerDialect> {
  if (place.kind === 'file') return sqlite as LedgerDialect;
  const { postgres } = await import('./postgres/index.ts');
  return postgres(place.lock) as LedgerDialect;
}

/** The files that a place is made of: nothing may be written over them. The first is the ledger itself; a server has none. */
export function filesOf(place: Place): readonly string[] {
  return place.kind === 'file' ? ledgerFiles(place.file) : [];
}
