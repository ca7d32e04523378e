import type { ClientBase, QueryResult } from 'pg';
import { LedgerError } from '../../../base/errors.ts';
import { describePlace, type LockKind, type ServerPlace } from '../../../base/place.ts';
import { ledgerError } from '../../../words/errors/ledger.ts';

/** The database engine of a server, and its version. */
export interface Engine {
  /** As people name it: `PostgreSQL 15.16`. */
  readonly name: string;
  readonly kind: 'postgresql' | 'yugabytedb' | 'cockroachdb' | 'citus';
}

/** Selects what {@link engineOf} takes. */
export const ENGINE_QUERY = `select version() as version,
  coalesce((select max(extversion) from pg_extension where extname = 'citus'), '') as citus`;

const OLDEST_POSTGRES = 13;
const OLDEST_YUGABYTE = [2, 27] as const;

/**
 * Recognises the engine, and refuses one that remit cannot use. The texts begin like `CockroachDB CCL v24.1.0`,
 * `PostgreSQL 15.2-YB-2.27.0.1` (YugabyteDB) and `PostgreSQL 15.16`.
 *
 * @param lock `lease` also allows engines without advisory locks
 * @throws LedgerError for an engine that is too old, unknown, or not safe for a ledger
 */
export function engineOf({ version, citus }: { version: string; citus: string }, lock: LockKind): Engine {
  const cockroach = /^CockroachDB \S* ?v?(\d[\w.]*)/.exec(version);
  if (cockroach) {
    const engine = { name: `CockroachDB ${cockroach[1]}`, kind: 'cockroachdb' } as const;
    return requireLease(engine, lock, 'no-locks');
  }
  const yugabyte = /-YB-(\d+)\.(\d+)/.exec(version);
  if (yugabyte) {
    const [major, minor] = [Number(yugabyte[1]), Number(yugabyte[2])];
    const [leastMajor, leastMinor] = OLDEST_YUGABYTE;
    if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) {
      return { name: `YugabyteDB ${major}.${minor}`, kind: 'yugabytedb' };
    }
    throw tooOld(`YugabyteDB ${major}.${minor}`, `YugabyteDB ${leastMajor}.${leastMinor}`);
  }
  const postgres = /^PostgreSQL (\d+)([\w.]*)/.exec(version);
  if (!postgres || /redshift|greenplum/i.test(version)) {
    throw new LedgerError(ledgerError({ id: 'server-unknown', version: version.slice(0, 80) }));
  }
  const name = `PostgreSQL ${postgres[1]}${postgres[2]}`;
  if (Number(postgres[1]) < OLDEST_POSTGRES) throw tooOld(name, `PostgreSQL ${OLDEST_POSTGRES}`);
  if (citus !== '') {
    const engine = { name: `Citus ${citus} on ${name}`, kind: 'citus' } as const;
    return requireLease(engine, lock, 'distributed');
  }
  return { name, kind: 'postgresql' };
}

/**
 * Asks a new connection's server for its engine, before anything else.
 *
 * @param furtherSql run in the same round trip: `; set ...`
 * @throws LedgerError for an engine that remit cannot use
 */
export async function requireKnown(client: ClientBase, place: ServerPlace, furtherSql = ''): Promise<Engine> {
  const answered: QueryResult | QueryResult[] = await client.query(`${ENGINE_QUERY}${furtherSql}`);
  const { rows } = Array.isArray(answered) ? answered[0]! : answered;
  try {
    return engineOf(rows[0], place.lock);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new LedgerError(ledgerError({ id: 'of-server', ledger: describePlace(place), why: error.explanation }));
  }
}

function requireLease(engine: Engine, lock: LockKind, why: 'distributed' | 'no-locks'): Engine {
  if (lock === 'lease') return engine;
  throw new LedgerError(ledgerError({ id: 'server-without-locks', server: engine.name, why }));
}

function tooOld(name: string, oldest: string): LedgerError {
  return new LedgerError(ledgerError({ id: 'server-too-old', server: name, oldest }));
}
