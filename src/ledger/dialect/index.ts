/** Chooses the dialect of a place, which hides everything in which databases differ. */
import type { Place } from '../../base/place.ts';
import type { LedgerDialect } from './dialect.ts';
import { ledgerFiles, sqlite } from './sqlite/index.ts';

/** Fills a copy: that is an SQLite file, also for a ledger on a server. */
export { fillTables } from './sqlite/index.ts';

/** The dialect of a place. PostgreSQL's is loaded only for a ledger on a server. */
export async function dialectOf(place: Place): Promise<LedgerDialect> {
  if (place.kind === 'file') return sqlite as LedgerDialect;
  const { postgres } = await import('./postgres/index.ts');
  return postgres(place.lock) as LedgerDialect;
}

/** A ledger's files, which no output may overwrite: first the ledger itself. A ledger on a server has none. */
export function filesOf(place: Place): readonly string[] {
  return place.kind === 'file' ? ledgerFiles(place.file) : [];
}
