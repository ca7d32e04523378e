import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { Client, ClientConfig, CustomTypesConfig } from 'pg';
import { ConfigError, LedgerAwayError } from '../../../base/errors.ts';
import { describePlace, type Encryption, type ServerPlace } from '../../../base/place.ts';
import { ledgerError } from '../../../words/errors/ledger.ts';
import { passwordFromFile } from './password-file.ts';

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

/** Parses values to what SQLite returns: whole numbers and booleans to numbers, bytes to a Buffer, others to text. */
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

/** @throws RangeError for an integer that a JavaScript number cannot hold exactly */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is beyond the integers that can be read exactly`);
}

/** Whether a host, or a socket's folder, is on this machine, so that no traffic crosses a network. */
export function isThisMachine(host: string): boolean {
  return host.startsWith('/') || LOOPBACK.test(host);
}

/** TLS as the address asks for it (`sslmode`). */
async function tlsOf(encryption: Encryption, host: string): Promise<TlsOptions | false> {
  const { mode, rootCertificate, certificate, key } = encryption;
  const isSocket = host.startsWith('/');
  const needsNone = mode === null && isThisMachine(host);
  if (isSocket || mode === 'disable' || needsNone) return false;
  const takesAnyCertificate = mode === 'require' && rootCertificate === null;
  const takesAnyName = mode === 'require' || mode === 'verify-ca';
  return {
    ...(rootCertificate === null ? {} : { ca: await readPem(rootCertificate, 'sslrootcert') }),
    ...(certificate === null ? {} : { cert: await readPem(certificate, 'sslcert') }),
    ...(key === null ? {} : { key: await readPem(key, 'sslkey') }),
    ...(takesAnyCertificate ? { rejectUnauthorized: false } : {}),
    ...(takesAnyName ? { checkServerIdentity: () => undefined } : {}),
  };
}

async function readPem(file: string, parameter: string): Promise<string> {
  try {
    return await readFile(path.resolve(file), 'utf8');
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw new ConfigError(ledgerError({ id: 'named-file-unreadable', parameter, file, code }));
  }
}

/** If a statement has no answer for so long, another connection asks whether the server is still there. */
const ASK_AFTER_MS = 10_000;
/** After so long a statement is given up, although the server answers others: its connection is closed. */
const LONGEST_MS = 3_600_000;
/** How often in a row that connection may be `queued` (see {@link stateOf}), in five minutes, before it is given up. */
const MOST_QUEUED = 12;

/** The driver's client, but it does not wait for ever: it closes its connection once the server answers nobody. */
export async function patientClient(): Promise<typeof Client> {
  const { default: pg } = await import('pg');
  class PatientClient extends pg.Client {
    readonly #config: ClientConfig;

    constructor(config: ClientConfig) {
      // The pool sets no limit for waiting for a free connection; for the server there must be one.
      super(withMore(config, { connectionTimeoutMillis: config.connectionTimeoutMillis || CONNECT_MS }));
      this.#config = config;
      // A failure after connecting fails the next query, never the process.
      this.on('error', () => {});
    }

    // `never` fits the results of all forms in which the driver's method may be called.
    override connect(done?: unknown): never {
      const endIfFailed = (error: Error | null) => {
        // Otherwise a server that still waits for a password would keep this process alive for a minute.
        if (error) this.end().catch(() => {});
      };
      if (typeof done === 'function') {
        return super.connect((error: Error) => {
          endIfFailed(error);
          done(error);
        }) as never;
      }
      return super.connect().catch((error) => {
        endIfFailed(error);
        throw error;
      }) as never;
    }

    override query(...asked: unknown[]): never {
      const answer = (super.query as (...asked: unknown[]) => unknown)(...asked);
      // A batch and a stream of rows have a promise in `ended`; the pool passes a callback, and neither is there.
      const ended = answer instanceof Promise ? answer : (answer as { ended?: Promise<unknown> } | undefined)?.ended;
      if (ended) this.#watch(ended);
      return answer as never;
    }

    #watch(answer: Promise<unknown>): void {
      const until = Date.now() + LONGEST_MS;
      let queuedInARow = 0;
      const ask = async () => {
        const state = Date.now() < until ? await stateOf(this.#config) : 'gone';
        queuedInARow = state === 'queued' ? queuedInARow + 1 : 0;
        if (state !== 'gone' && queuedInARow < MOST_QUEUED) timer = setTimeout(ask, ASK_AFTER_MS).unref();
        else this.#line.destroy(Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' }));
      };
      let timer = setTimeout(ask, ASK_AFTER_MS).unref();
      const stop = () => clearTimeout(timer);
      answer.then(stop, stop);
    }

    get #line(): Socket {
      return (this as unknown as { connection: { stream: Socket } }).connection.stream;
    }
  }
  return PatientClient as unknown as typeof Client;
}

/** The settings, some replaced by `more`. Not a copy: the pool hides the password from copying. */
function withMore(config: ClientConfig, more: ClientConfig): ClientConfig {
  return Object.assign(Object.create(config), more);
}

/**
 * Whether a server answers on a new connection. `queued`: it accepts the connection and does not answer in time, as a
 * proxy that has no connection to its server.
 */
async function stateOf(config: ClientConfig): Promise<'there' | 'queued' | 'gone'> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(withMore(config, { query_timeout: CONNECT_MS }));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return 'there';
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (message === 'Query read timeout') return 'queued';
    // A server that gives a reason for refusing the connection is there.
    return /^(?:53|28)/.test(String(code)) ? 'there' : 'gone';
  } finally {
    client.end().catch(() => {});
  }
}

const MOST_PATIENCE_MS = 60_000;

/** Calls `connect` again for up to a minute, while the server has no connection left or is only starting. */
export async function untilTaken<T>(connect: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + MOST_PATIENCE_MS; ; ) {
    try {
      return await connect();
    } catch (error) {
      const isFullOrStarting = /^(?:53300|57P03)$/.test(String((error as { code?: unknown }).code));
      if (!isFullOrStarting || Date.now() > until) throw error;
      await sleep(200 + Math.random() * 600);
    }
  }
}

/** Connects outside the pool; of several hosts to the one that takes writes. @throws LedgerAwayError if none does */
export async function connect(place: ServerPlace, who: 'writer' | 'any' = 'writer'): Promise<Client> {
  const config = await clientConfig(await findHost(place, who));
  return untilTaken(() => connectOnce(config));
}

async function connectOnce(config: ClientConfig): Promise<Client> {
  const PatientClient = await patientClient();
  const client = new PatientClient(config);
  await client.connect();
  return client;
}

/** If one of several hosts does not answer within so long, the next is asked. */
const NEXT_HOST_MS = 5_000;

/** Until when a host to which connecting failed is asked after the others: not every connection is to wait for it. */
const askedLastUntil = new Map<string, number>();
const LEFT_ALONE_MS = 30_000;

/**
 * Connects to the place's hosts in turn, and gives the place with only the host that takes writes.
 *
 * @param who `any`: a host that takes no writes (a standby) will do, if none takes them
 * @throws LedgerAwayError if no host takes writes; the driver's error if none answers
 */
export async function findHost(place: ServerPlace, who: 'writer' | 'any'): Promise<ServerPlace> {
  if (place.others.length === 0) return place;
  let standby: ServerPlace | null = null;
  let failure: unknown = null;
  const isAskedLast = ({ host, port }: Pick<ServerPlace, 'host' | 'port'>) =>
    (askedLastUntil.get(`${host}:${port}`) ?? 0) > Date.now();
  const all = [place, ...place.others].sort((a, b) => Number(isAskedLast(a)) - Number(isAskedLast(b)));
  for (const { host, port } of all) {
    const candidate = { ...place, host, port, others: [] };
    // Better the standby than to wait for a host that failed just now.
    if (standby !== null && who === 'any' && isAskedLast(candidate)) break;
    try {
      const client = await connectOnce({ ...(await clientConfig(candidate)), connectionTimeoutMillis: NEXT_HOST_MS });
      const answer = client.query('select pg_is_in_recovery() as standby');
      const { rows } = await answer.finally(() => void client.end().catch(() => {}));
      const isStandby = rows[0].standby === 1;
      askedLastUntil.delete(`${host}:${port}`);
      if (!isStandby) return candidate;
      standby ??= candidate;
    } catch (error) {
      failure ??= error;
      askedLastUntil.set(`${host}:${port}`, Date.now() + LEFT_ALONE_MS);
    }
  }
  if (standby === null && failure !== null) throw failure;
  if (standby !== null && who === 'any') return standby;
  throw new LedgerAwayError(ledgerError({ id: 'no-writer', ledger: describePlace(place) }));
}

/** Lends a new connection, and closes it whatever happens. */
export async function usingConnection<T>(
  place: ServerPlace,
  who: 'writer' | 'any',
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connect(place, who);
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A name as SQL quotes it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
