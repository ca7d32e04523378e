import { RemitError } from '../../base/errors.ts';
import { requireSaneClock } from '../../base/period.ts';
import { quoted } from '../../base/text.ts';
import { type Config, describeKeySource } from '../../config/index.ts';
import { parseColumnMap } from '../../imports/maps/index.ts';
import { SOLE_COURIER } from '../../ledger/index.ts';
import { type Books, booksOf } from '../books.ts';
import { requireApiUrl, usingClient } from '../client.ts';
import { probeConnection } from './connection.ts';
import { bad, type Finding, good } from './finding.ts';
import { probeLedger, probePlace } from './ledger.ts';

export type { Finding };

/**
 * Looks at settings, key, connection, clock, disk and ledger.
 *
 * @param open reads the settings; what it throws is the first finding
 * @returns the findings, the most important first
 */
export async function examine(open: () => Promise<Books>): Promise<Finding[]> {
  let books: Books;
  try {
    books = await open();
  } catch (error) {
    return [fromError('settings', error)];
  }
  const { config } = books;
  const findings = [good('settings', config.file ?? 'from the environment; no remit.toml'), ...probeMaps(config)];
  const asked = askedOf(books);
  for (const { name, books: own } of asked) {
    const of = asked.length === 1 ? '' : `${name}: `;
    findings.push(...(await probeApi(own)).map((finding) => ({ ...finding, message: `${of}${finding.message}` })));
  }
  // Without an answer there is no other clock to compare this one with.
  if (findings.every(({ name }) => name !== 'clock'))
    findings.push(...(await attemptAll('clock', () => probeClock(books))));
  const place = await attemptAll('ledger', () => probePlace(books));
  findings.push(...place);
  // A place that could not be reached is reported once.
  if (place.every(({ name }) => name !== 'ledger'))
    findings.push(...(await attemptAll('ledger', () => probeLedger(books))));
  return findings;
}

/** The couriers of the settings whose invoices are fetched, each with its own settings. */
function askedOf(books: Books): { readonly name: string; readonly books: Books }[] {
  const { couriers = {}, hasSole } = books.config;
  const named = Object.entries(couriers).map(([name, own]) => ({
    name,
    config: { ...books.config, ...own },
  }));
  const sole = (hasSole ?? named.length === 0) ? [{ name: SOLE_COURIER, config: books.config }] : [];
  return [...sole, ...named]
    .filter(({ config }) => config.kind === 'api')
    .map((courier) => ({
      name: courier.name,
      books: booksOf(books, { ...courier, key: courier.name, isSet: true }),
    }));
}

/** Key, address, connection and account of one courier. */
async function probeApi(books: Books): Promise<Finding[]> {
  const { config } = books;
  const key = await attempt('key', () => probeKey(books, config));
  const address = await attempt('address', async () => good('address', requireApiUrl(config)));
  if (!address.ok) return [key, address];
  const connection = await probeConnection(requireApiUrl(config), books.now);
  const isReached = key.ok && connection.every(({ name, ok }) => ok || name === 'clock');
  return [key, address, ...connection, ...(isReached ? [await attempt('account', () => probeAccount(books))] : [])];
}

/** Maps that no import could use. */
function probeMaps({ maps }: Config): Finding[] {
  return Object.entries(maps).flatMap(([name, value]) => {
    const read = parseColumnMap(name, value);
    return 'map' in read
      ? []
      : [bad('map', read.faults.join('; '), 'Correct that map; docs/settings.md has an example.')];
  });
}

async function probeKey(books: Books, { keySource }: Config): Promise<Finding> {
  await books.key();
  return good('key', `from ${describeKeySource(keySource)}`);
}

async function probeAccount(books: Books): Promise<Finding> {
  const profile = await usingClient(books, (client) => client.profile(), { maxAttempts: 1 });
  return good('account', `the key is accepted, for ${quoted(profile.value.organisation_name)}`);
}

async function probeClock({ now }: Books): Promise<Finding[]> {
  requireSaneClock(now());
  return [];
}

async function attemptAll(name: string, probe: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await probe();
  } catch (error) {
    return [fromError(name, error)];
  }
}

async function attempt(name: string, probe: () => Promise<Finding>): Promise<Finding> {
  try {
    return await probe();
  } catch (error) {
    return fromError(name, error);
  }
}

function fromError(name: string, error: unknown): Finding {
  if (!(error instanceof RemitError)) throw error;
  return bad(name, error.message, error.hint);
}
