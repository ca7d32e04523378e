import { sizeText } from '../../../base/counted.ts';
import { describePlace, type ServerPlace } from '../../../base/place.ts';
import type { Examined } from '../dialect.ts';
import { isThisMachine, usingConnection } from './client.ts';
import { ENGINE_QUERY, engineOf } from './engine.ts';

/** A slower server makes each of a sync's many small statements wait. */
const SLOW_MS = 50;
const TRIES = 5;

/** The row of {@link FACTS}. */
interface Facts {
  readonly version: string;
  readonly citus: string;
  readonly user: string;
  readonly tls: string | null;
  readonly size: number | null;
  /** A boolean, which comes as a number: see `typesOf` in client.ts. */
  readonly standby: 0 | 1;
  readonly lacking: string[];
}

/** Examines a server's version, answer time, encryption, rights and ledger size. @throws the driver's errors */
export function examineServer(place: ServerPlace): Promise<Examined[]> {
  return usingConnection(place, 'any', async (client) => {
    const times: number[] = [];
    for (let count = 0; count < TRIES; count += 1) {
      const begun = performance.now();
      await client.query('select 1');
      times.push(performance.now() - begun);
    }
    const engine = engineOf((await client.query(ENGINE_QUERY)).rows[0], place.lock);
    const { rows } = await client.query<Facts>(FACTS, [place.schema]);
    const facts = rows[0]!;
    const fastest = Math.min(...times);
    const none = 'no ledger there yet; the first sync makes it';
    const size = facts.size === null ? none : `${sizeText(facts.size)} in the schema ${place.schema}`;
    return [
      describeServer(place, engine.name, fastest),
      describeEncryption(place, facts),
      describeRights(place, facts),
      well('size', size),
    ];
  });
}

const FACTS = `select current_user as user, pg_is_in_recovery() as standby,
  (select s.version || ', ' || s.cipher from pg_stat_ssl s where s.pid = pg_backend_pid() and s.ssl) as tls,
  (select sum(pg_total_relation_size(c.oid))::bigint from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p')) as size,
  array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p', 'v') and not has_table_privilege(c.oid, 'select') order by 1) as lacking`;

function describeServer(place: ServerPlace, engine: string, fastest: number): Examined {
  const message = `${engine} at ${describePlace(place)} answers in ${fastest.toFixed(fastest < 10 ? 1 : 0)} ms`;
  if (fastest <= SLOW_MS) return well('server', message);
  return amiss('server', message, 'A sync makes many small statements: run it on a machine nearer to the server.');
}

function describeEncryption({ host, encryption: { mode } }: ServerPlace, { tls }: Facts): Examined {
  const name = 'ledger line';
  if (tls !== null) {
    const message = `encrypted (${tls})`;
    if (mode !== 'require') return well(name, message);
    const remedy = 'Use `sslmode=verify-full` with `sslrootcert=FILE` in the address.';
    return amiss(name, `${message}, but whose certificate it is was not looked at`, remedy);
  }
  const where = host ?? process.env.PGHOST ?? 'localhost';
  if (isThisMachine(where)) return well(name, 'no encryption needed: it is this machine');
  const remedy = 'Turn `ssl` on at the server, and leave `sslmode=disable` out of the address.';
  return amiss(name, `figures and password travel to ${where} unencrypted`, remedy);
}

function describeRights({ schema }: ServerPlace, { user, standby, lacking }: Facts): Examined {
  const name = 'rights';
  if (lacking.length > 0) {
    const tables = `${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ` and ${lacking.length - 3} more` : ''}`;
    const message = `${user} may not read ${tables} in ${schema}`;
    return amiss(name, message, 'Have the owner run what `remit ledger grants` prints.');
  }
  const readOnly = standby === 1 ? '; the server is a read-only copy' : '';
  return well(name, `${user} may read the whole ledger${readOnly}`);
}

function well(name: string, message: string): Examined {
  return { name, ok: true, message, remedy: null };
}

function amiss(name: string, message: string, remedy: string): Examined {
  return { name, ok: false, message, remedy };
}
