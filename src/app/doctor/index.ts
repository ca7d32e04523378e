import { RemitError } from '../../base/errors.ts';
import { requireSaneClock } from '../../base/period.ts';
import { quoted } from '../../base/text.ts';
import type { Config } from '../../config/index.ts';
import { describeKeySource } from '../../config/key.ts';
import { LOOPBACK, openConnections, type Received, send } from '../../courier/transport.ts';
import { parseColumnMap } from '../../imports/maps/parse-map.ts';
import { type Examined, examinePlace, SOLE_COURIER } from '../../ledger/index.ts';
import { type Books, booksOf } from '../books.ts';
import { requireApiUrl, usingClient } from '../client.ts';
import { bad, good, probeLedger } from './ledger.ts';

const TIMEOUT_MS = 10_000;
/** The difference between this clock and the API's up to which certificates and rechecks work. */
const MAX_SKEW_SECONDS = 300;

/** Asks the API once, without the key: can it be reached, is the line encrypted, and do the clocks agree? */
async function probeConnection(apiUrl: string, now: () => Date): Promise<Examined[]> {
  const url = new URL(apiUrl);
  const connections = openConnections(url, 1);
  const request = { method: 'GET', url: new URL('profile/', url).href, headers: {}, body: null } as const;
  const startedAt = performance.now();
  try {
    const answer = await send(connections, request, { timeoutMs: TIMEOUT_MS, stop: new AbortController().signal });
    const took = Math.round(performance.now() - startedAt);
    return [good('connection', `${url.host} answered in ${took} ms`), encryption(url), clock(answer, now())];
  } catch (error) {
    const { code = 'UNKNOWN' } = error as { code?: string };
    const remedy = /CERT|TLS|SSL|SIGNED|VERIFY|HOSTNAME/.test(code)
      ? 'The certificate is not trusted: check the clock of this machine; for a company certificate set NODE_EXTRA_CA_CERTS to its file.'
      : 'Check the network connection, the proxy settings and the address (`api_url` in remit.toml, or REMIT_API_URL).';
    return [bad('connection', `${url.host} gave no answer (${code})`, remedy)];
  } finally {
    await connections.destroy();
  }
}

function encryption(url: URL): Examined {
  if (url.protocol === 'https:') return good('encryption', `the certificate of ${url.host} is trusted`);
  if (LOOPBACK.test(url.hostname)) return good('encryption', 'none needed: the API runs on this machine');
  return bad('encryption', `the key travels to ${url.host} unencrypted`, 'Use an address that begins with https://.');
}

function clock({ headers }: Received, now: Date): Examined {
  const apiTime = new Date(String(headers.date));
  if (Number.isNaN(apiTime.getTime())) return good('clock', 'not compared: the API does not tell the time');
  const seconds = Math.round((now.getTime() - apiTime.getTime()) / 1_000);
  const apart = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the API's`;
  if (Math.abs(seconds) <= MAX_SKEW_SECONDS) return good('clock', apart);
  return bad('clock', apart, 'Set the clock of this machine: `this-month` and overdue days are computed from it.');
}

export type { Examined };

/**
 * Examines settings, key, connection, clock, disk and ledger.
 *
 * @param openBooks reads the settings; what it throws is the only line
 * @returns the lines, in the order in which the probes ran
 */
export async function examine(openBooks: () => Promise<Books>): Promise<Examined[]> {
  let books: Books;
  try {
    books = await openBooks();
  } catch (error) {
    return [fromError('settings', error)];
  }
  const { config } = books;
  const lines = [good('settings', config.file ?? 'from the environment; no remit.toml'), ...probeMaps(config)];
  const fetched = couriersFetched(books);
  for (const { name, books: courierBooks } of fetched) {
    const prefix = fetched.length === 1 ? '' : `${name}: `;
    lines.push(...(await probeApi(courierBooks)).map((line) => ({ ...line, message: `${prefix}${line.message}` })));
  }
  // Without an answer there is no other clock to compare this one with.
  if (lines.every(({ name }) => name !== 'clock')) lines.push(...(await attempt('clock', () => probeClock(books))));
  const place = await attempt('ledger', () => examinePlace(config.ledger));
  lines.push(...place);
  // A place that could not be reached was reported already.
  if (place.every(({ name }) => name !== 'ledger')) lines.push(...(await attempt('ledger', () => probeLedger(books))));
  return lines;
}

/** The couriers of the settings whose invoices are fetched, each with its own settings. */
function couriersFetched(books: Books): { readonly name: string; readonly books: Books }[] {
  const { couriers, hasSole } = books.config;
  const withTables = Object.entries(couriers).map(([name, table]) => ({ name, config: { ...books.config, ...table } }));
  const sole = hasSole ? [{ name: SOLE_COURIER, config: books.config }] : [];
  return [...sole, ...withTables]
    .filter(({ config }) => config.kind === 'api')
    .map(({ name, config }) => ({ name, books: booksOf(books, { key: name, name, config, isSet: true }) }));
}

/** Examines the key, address, connection and account of one courier. */
async function probeApi(books: Books): Promise<Examined[]> {
  const { config } = books;
  const lines = await attempt('key', async () => {
    await books.key();
    return [good('key', `from ${describeKeySource(config.keySource)}`)];
  });
  const address = await attempt('address', async () => [good('address', requireApiUrl(config))]);
  if (!address[0]!.ok) return [...lines, ...address];
  const connection = await probeConnection(requireApiUrl(config), books.now);
  const isReached = lines[0]!.ok && connection.every(({ name, ok }) => ok || name === 'clock');
  lines.push(...address, ...connection);
  return isReached ? [...lines, ...(await attempt('account', () => probeAccount(books)))] : lines;
}

/** Reports the maps in the settings that no import could use. */
function probeMaps({ maps }: Config): Examined[] {
  return Object.entries(maps).flatMap(([name, value]) => {
    const read = parseColumnMap(name, value);
    return 'map' in read
      ? []
      : [bad('map', read.faults.join('; '), 'Correct that map; docs/settings.md has an example.')];
  });
}

async function probeAccount(books: Books): Promise<Examined[]> {
  const profile = await usingClient(books, (client) => client.profile(), { maxAttempts: 1 });
  return [good('account', `the key is accepted, for ${quoted(profile.value.organisation_name)}`)];
}

async function probeClock({ now }: Books): Promise<Examined[]> {
  requireSaneClock(now());
  return [];
}

async function attempt(name: string, probe: () => Promise<Examined[]>): Promise<Examined[]> {
  try {
    return await probe();
  } catch (error) {
    return [fromError(name, error)];
  }
}

function fromError(name: string, error: unknown): Examined {
  if (!(error instanceof RemitError)) throw error;
  return bad(name, error.message, error.hint);
}
