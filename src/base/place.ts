import path from 'node:path';
import { ConfigError } from './errors.ts';

/** Where a ledger is: a file of this machine, or a database of a server. */
export type Place = FilePlace | ServerPlace;

export interface FilePlace {
  readonly kind: 'file';
  /** Absolute. */
  readonly file: string;
}

export interface ServerPlace {
  readonly kind: 'server';
  /** A name, an address, or the folder of a Unix socket; null for what the environment says, else this machine. */
  readonly host: string | null;
  readonly port: number | null;
  /** Other servers of the same database: each time remit asks which of them takes writes. Empty for one server. */
  readonly others: readonly Pick<ServerPlace, 'host' | 'port'>[];
  readonly user: string | null;
  readonly database: string;
  /** The schema of the database that holds the tables. */
  readonly schema: string;
  readonly encryption: Encryption;
  /**
   * How a second sync is kept out: by the server's advisory locks, or by a row with a lease where an engine has no such
   * locks.
   */
  readonly lock: LockKind;
  /** The password; null if the driver looks for it itself (PGPASSWORD, ~/.pgpass). @throws ConfigError */
  password(): Promise<string | null>;
}

export type LockKind = 'advisory' | 'lease';

/** How the connection to a server is encrypted; certificates and key are paths of files. */
export interface Encryption {
  /** Null: `verify-full`, and no encryption for a server on this machine. */
  readonly mode: SslMode | null;
  readonly rootCertificate: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
}

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** The parameters that an address may have after its `?`. */
const PARAMETERS = ['schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host'] as const;

/** An address with several hosts, in three parts: `postgresql://user@`, `host1,host2` and `/database`. */
const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$/is;

const EXAMPLE = 'Name a file, or a database as postgresql://user@host/database?schema=remit.';

/**
 * Reads the setting that names a ledger: a path, or `postgresql://user@host/database?schema=remit`; several hosts have
 * commas between them.
 *
 * @param folder what a relative path starts from
 * @throws ConfigError for an address that cannot be understood; no password is repeated
 */
export function placeOf(setting: string, folder = process.cwd()): Place {
  const text = setting.trim();
  // An address with a typo must not become a file of that name. A lone letter is a drive of Windows.
  if (!/^[a-z][a-z0-9+.-]*:\/\/|^postgres[a-z]*:/i.test(text)) {
    return { kind: 'file', file: path.resolve(folder, setting) };
  }
  const [, start, hosts, end] = HOSTS.exec(text) ?? [];
  if (hosts !== undefined) {
    const [first, ...others] = hosts.split(',').map((host) => placeOf(`${start}${host}${end}`) as ServerPlace);
    return { ...first!, others: others.map(({ host, port }) => ({ host, port })) };
  }
  if (!/^postgres(?:ql)?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new ConfigError(`the ledger's address ${withoutSecrets(text)} cannot be understood`, EXAMPLE);
  }
  const url = new URL(text);
  const fault = faultOf(url);
  if (fault) throw new ConfigError(`the ledger's address ${withoutSecrets(text)} ${fault}`, EXAMPLE);
  const query = (name: (typeof PARAMETERS)[number]) => url.searchParams.get(name) || null;
  const password = decoded(url.password);
  return {
    kind: 'server',
    host: decoded(url.hostname.replace(/^\[(.*)\]$/, '$1')) || query('host'),
    port: url.port === '' ? null : Number(url.port),
    others: [],
    user: decoded(url.username) || null,
    database: decoded(url.pathname.slice(1))!,
    schema: query('schema') ?? 'remit',
    encryption: {
      mode: query('sslmode') as SslMode | null,
      rootCertificate: query('sslrootcert'),
      certificate: query('sslcert'),
      key: query('sslkey'),
    },
    // Unless the setting `ledger_lock` says otherwise.
    lock: 'advisory',
    password: async () => password || null,
  };
}

/** What is wrong with an address, as the end of a sentence; undefined when nothing is. */
function faultOf(url: URL): string | undefined {
  const parts = [url.username, url.password, url.hostname, url.pathname.slice(1)];
  if (parts.some((part) => decoded(part) === undefined))
    return 'holds a % that stands for no character (write it as %25)';
  if (url.hash !== '') return 'holds a # (write it as %23 within a password)';
  if (url.pathname.length < 2 || url.pathname.slice(1).includes('/')) return 'must name one database behind its host';
  for (const name of new Set(url.searchParams.keys())) {
    if (/^pass/i.test(name)) {
      return 'has a password behind its ?: write it as user:password@host, in PGPASSWORD or ~/.pgpass, or name ledger_password_command';
    }
    if (!(PARAMETERS as readonly string[]).includes(name)) {
      // A parameter without a value may be a secret itself.
      const named = url.searchParams.get(name) === '' ? 'something behind its ?' : JSON.stringify(name.slice(0, 60));
      return `says ${named}, which it cannot (${PARAMETERS.join(', ')})`;
    }
  }
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !(SSL_MODES as readonly string[]).includes(mode)) {
    return `has a sslmode that is none of ${SSL_MODES.join(', ')}`;
  }
  const schema = url.searchParams.get('schema');
  if (schema !== null && !isSchemaName(schema))
    return 'has a schema that cannot be one (1 to 63 bytes, not beginning with pg_)';
  return undefined;
}

function isSchemaName(name: string): boolean {
  const size = Buffer.byteLength(name);
  return size > 0 && size <= 63 && !/^pg_/i.test(name) && !name.includes('\0');
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** A place as messages name it: the file's path, or the server's address without its password. */
export function describePlace(place: Place): string {
  if (place.kind === 'file') return place.file;
  const { user, database, schema, others } = place;
  const hosts = [place, ...others].map(hostAndPort).join(',');
  const userPart = user === null ? '' : `${encodeURIComponent(user)}@`;
  return `postgresql://${userPart}${hosts}/${encodeURIComponent(database)}?schema=${encodeURIComponent(schema)}`;
}

/** `db.example:5432`; an IPv6 address is in brackets: `[::1]:5432`. */
function hostAndPort({ host, port }: Pick<ServerPlace, 'host' | 'port'>): string {
  const isIpv6 = host?.includes(':');
  const name = isIpv6 ? `[${host}]` : encodeURIComponent(host ?? '');
  return port === null ? name : `${name}:${port}`;
}

/**
 * An address as it was typed, without what may be a password: what stands between the user's name and the last `@`, and
 * each value behind the `?`. `postgresql://rana:x@y@host/db?sslkey=k` is `postgresql://rana:***@host/db?sslkey=***`.
 */
function withoutSecrets(address: string): string {
  const withoutValues = address.replace(/[?#].*$/s, parameterNames);
  const [, scheme = '', afterScheme = ''] = /^([a-z+.-]*:\/*)(.*)$/is.exec(withoutValues) ?? [];
  return JSON.stringify(`${scheme}${withoutPassword(afterScheme)}`.slice(0, 200));
}

function withoutPassword(userAndHost: string): string {
  const at = userAndHost.lastIndexOf('@');
  if (at < 0) return userAndHost;
  const [user, ...password] = userAndHost.slice(0, at).split(':');
  return `${user}${password.length > 0 ? ':***' : ''}${userAndHost.slice(at)}`;
}

/** `?sslkey=k&x` → `?sslkey=***&***`: no values, and names only if they are known. */
function parameterNames(query: string): string {
  const names = query
    .slice(1)
    .split(/[&#]/)
    .map((part) => part.split('=')[0]!.toLowerCase());
  const parameters: readonly string[] = [...PARAMETERS, 'user', 'password'];
  return `?${names.map((name) => (parameters.includes(name) ? `${name}=***` : '***')).join('&')}`;
}
