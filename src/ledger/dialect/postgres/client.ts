import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { Client, ClientConfig, CustomTypesConfig } from 'pg';
import { ConfigError } from '../../../base/errors.ts';
import type { Encryption, ServerPlace } from '../../../base/place.ts';
import { because } from '../../../words/errors/ledger.ts';

/** Ids of types in the server's protocol. */
const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

const CONNECT_MS = 15_000;
const KEEP_ALIVE_MS = 30_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;

/** The driver's settings for a place. @throws ConfigError for a password or a certificate that cannot be read */
export async function clientConfig(place: ServerPlace): Promise<ClientConfig> {
  const { default: pg } = await import('pg');
  const { host, port, user, database } = place;
  const password = (await place.password()) ?? (process.env.PGPASSWORD || null);
  return {
    database,
    ...(host === null ? {} : { host }),
    ...(port === null ? {} : { port }),
    ...(user === null ? {} : { user }),
    // Called only if the server wants a password.
    password: password ?? (passwordFromFile as unknown as () => string),
    ssl: await tlsOf(place.encryption, host ?? process.env.PGHOST ?? 'localhost'),
    application_name: 'remit',
    connectionTimeoutMillis: CONNECT_MS,
    // Notices a server that was switched off.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: typesOf(pg.types as unknown as Parameters<typeof typesOf>[0]),
  };
}

/** How values arrive: whole numbers as numbers, as from SQLite; anything else as text, and bytes as a Buffer. */
function typesOf(standard: CustomTypesConfig): CustomTypesConfig {
  return {
    getTypeParser(oid: number, format?: unknown) {
      if (oid === INT8) return wholeNumber;
      // Sums of 64-bit integers are of this type.
      if (oid === NUMERIC) return (text: string) => (/^-?\d+$/.test(text) ? wholeNumber(text) : text);
      if (oid === BOOL) return (text: string) => (text === 't' ? 1 : 0);
      return standard.getTypeParser(oid, format as 'text');
    },
  } as CustomTypesConfig;
}

/** @throws RangeError for what a number cannot hold: it would be read as another one */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is beyond the integers that can be read exactly`);
}

/** Whether a host is this machine, so that the traffic crosses no network. */
export function isThisMachine(host: string): boolean {
  return host.startsWith('/') || LOOPBACK.test(host);
}

async function tlsOf(encryption: Encryption, host: string): Promise<TlsOptions | false> {
  const { mode, rootCertificate, certificate, key } = encryption;
  if (mode === 'disable' || (mode === null && isThisMachine(host)) || host.startsWith('/')) return false;
  return {
    ...(rootCertificate === null ? {} : { ca: await readPem(rootCertificate, 'sslrootcert') }),
    ...(certificate === null ? {} : { cert: await readPem(certificate, 'sslcert') }),
    ...(key === null ? {} : { key: await readPem(key, 'sslkey') }),
    ...(mode === 'require' && rootCertificate === null ? { rejectUnauthorized: false } : {}),
    ...(mode === 'verify-ca' || mode === 'require' ? { checkServerIdentity: () => undefined } : {}),
  };
}

async function readPem(file: string, parameter: string): Promise<string> {
  try {
    return await readFile(path.resolve(file), 'utf8');
  } catch (error) {
    throw new ConfigError(
      because({ id: 'named-file-unreadable', parameter, file, code: String((error as NodeJS.ErrnoException).code) }),
    );
  }
}

/** Connects once, outside the pool. A failure after connecting fails the next query, never the process. */
export async function connect(place: ServerPlace): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(await clientConfig(place));
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // A server that still waits for a password would keep this process for a minute.
    client.end().catch(() => {});
    throw error;
  }
  return client;
}

/** Connections of a pool, each ended where it cannot be made: as {@link connect}. */
export async function poolClient(): Promise<typeof Client> {
  const { default: pg } = await import('pg');
  return class extends pg.Client {
    override connect(): Promise<Client>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): unknown {
      if (!done) return super.connect();
      return super.connect((error: Error) => {
        if (error) this.end().catch(() => {});
        done(error);
      });
    }
  } as typeof Client;
}

/** Connects, lends the connection, and closes it whatever happens. */
export async function usingClient<T>(place: ServerPlace, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(place);
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Whose password is looked for: what the driver made of the address and the environment. */
interface Login {
  readonly host: string;
  readonly port: number;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
}

/**
 * The password of a login in PostgreSQL's own password file: `~/.pgpass`, or what PGPASSFILE names. Lines are
 * `host:port:database:user:password`; `*` fits everything, and a `\` takes away the meaning of what follows. The first that fits counts.
 *
 * @returns undefined where there is no such file, or nothing in it fits
 * @throws ConfigError when others may read the file
 */
function passwordFromFile(
  login: Login,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const file = env.PGPASSFILE || defaultFile(env);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new ConfigError(because({ id: 'password-file-open', file }));
  }
  // A socket's folder goes by the name of this machine.
  const host = login.host.startsWith('/') ? 'localhost' : login.host;
  const wanted = [host, String(login.port), login.database ?? '', login.user ?? ''];
  for (const line of textOf(file).split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    if (fields.length < 5 || !wanted.every((each, at) => fields[at]!.raw === '*' || fields[at]!.text === each))
      continue;
    return fields[4]!.text;
  }
  return undefined;
}

function defaultFile(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32') return path.join(env.APPDATA ?? homedir(), 'postgresql', 'pgpass.conf');
  return path.join(env.HOME || homedir(), '.pgpass');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(because({ id: 'password-file-unreadable', file, code: String(code) }), {
      cause: error,
    });
  }
}

function fieldsOf(line: string): { readonly raw: string; readonly text: string }[] {
  return [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, raw = '']) => ({
    raw,
    text: raw.replace(/\\(.)/g, '$1'),
  }));
}
