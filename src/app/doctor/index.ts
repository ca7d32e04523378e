import { type Config, describeKeySource } from '../../config.ts';
import { RemitError } from '../../errors.ts';
import type { Books } from '../books.ts';
import { requireApiUrl, usingClient } from '../client.ts';
import { probeConnection } from './connection.ts';
import { bad, type Finding, good } from './finding.ts';
import { probeLedger, probePlace } from './machine.ts';

export type { Finding };

/**
 * Looks at settings, key, connection, clock, disk and ledger.
 *
 * @param open reads the settings; what it throws is the first finding
 * @returns a finding each, in the order in which they matter
 */
export async function examine(open: () => Promise<Books>): Promise<Finding[]> {
  let books: Books;
  try {
    books = await open();
  } catch (error) {
    return [fromError('settings', error)];
  }
  const { config } = books;
  const findings = [good('settings', config.file ?? 'from the environment; no remit.toml')];
  const key = await attempt('key', () => probeKey(books, config));
  findings.push(key);
  const address = await attempt('address', async () => good('address', requireApiUrl(config)));
  findings.push(address);
  if (address.ok) {
    const connection = await probeConnection(requireApiUrl(config), books.now);
    findings.push(...connection);
    if (key.ok && connection.every(({ name, ok }) => ok || name === 'clock')) {
      findings.push(await attempt('account', () => probeAccount(books)));
    }
  }
  const place = await attemptAll('ledger', () => probePlace(books));
  findings.push(...place);
  // What could not be reached is told once.
  if (place.every(({ name }) => name !== 'ledger'))
    findings.push(...(await attemptAll('ledger', () => probeLedger(books))));
  return findings;
}

async function probeKey(books: Books, { keySource }: Config): Promise<Finding> {
  await books.key();
  return good('key', `from ${describeKeySource(keySource)}`);
}

async function probeAccount(books: Books): Promise<Finding> {
  const profile = await usingClient(books, (client) => client.profile(), { maxAttempts: 1 });
  return good('account', `the key is accepted, for ${JSON.stringify(profile.value.organisation_name)}`);
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
