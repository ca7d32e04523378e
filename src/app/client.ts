import { ConfigError } from '../base/errors.ts';
import { describePlace } from '../base/place.ts';
import type { Config } from '../config/index.ts';
import { describeKeySource } from '../config/key.ts';
import type { Client } from '../courier/index.ts';
import { ledgerExists, SOLE_COURIER } from '../ledger/index.ts';
import { type Lend, Meter } from '../sync/budget.ts';
import { booksError } from '../words/errors/books.ts';
import { type Books, usingBooks } from './books.ts';

/** Where the API is. @throws ConfigError when it is not set */
export function requireApiUrl(config: Config): string {
  if (config.apiUrl !== null) return config.apiUrl;
  throw new ConfigError(booksError({ id: 'no-api-url' }));
}

export interface ClientUse {
  readonly maxAttempts?: number;
  /** Receives what the caller should know though nothing failed; without it, such warnings are details. */
  readonly warn?: (sentence: string) => void;
  /** Counts the requests; without it they are counted in the ledger of the books, where there is one. */
  readonly meter?: Meter | undefined;
}

/** Counts a courier's requests against its monthly budget; undefined where it has none. @param lend lends its ledger */
export function meterOf({ config, now }: Pick<Books, 'config' | 'now'>, lend: Lend): Meter | undefined {
  const { requestsPerMonth, budgetDay } = config;
  return requestsPerMonth === null ? undefined : new Meter({ requestsPerMonth, budgetDay }, now, lend);
}

/**
 * A meter for requests that are sent while the ledger is not open for writing: it opens the ledger itself. Undefined
 * where there is no budget, or no ledger in which it could count.
 */
export async function meterApart(books: Books): Promise<Meter | undefined> {
  if (books.readOnly || books.config.requestsPerMonth === null || !(await ledgerExists(books.config.ledger))) return;
  const { courier, couriers, hasSole } = books.config;
  // Where other couriers have tables, the settings at the top of remit.toml are the sole courier's.
  const isSole = courier === null && hasSole && Object.keys(couriers).length > 0;
  const courierBooks = isSole ? { ...books, config: { ...books.config, courier: SOLE_COURIER } } : books;
  return meterOf(books, (use) => usingBooks(courierBooks, { newSettings: 'unchecked' }, use));
}

/**
 * Makes a client from the settings, lends it to `use`, and closes its connections whatever happens.
 *
 * @throws ConfigError
 */
export async function usingClient<T>(
  books: Books,
  use: (client: Client) => Promise<T>,
  options: ClientUse = {},
): Promise<T> {
  const { config } = books;
  const meter = options.meter ?? (await meterApart(books));
  const baseUrl = requireApiUrl(config);
  const apiKey = await books.key();
  const { createClient } = await import('../courier/index.ts');
  books.detail(
    `API ${baseUrl}, key from ${describeKeySource(config.keySource)}, ledger ${describePlace(config.ledger)}`,
  );
  const client = createClient({
    baseUrl,
    apiKey,
    concurrency: config.concurrency,
    timeoutMs: config.timeoutSeconds * 1_000,
    deadlineMs: config.deadlineSeconds * 1_000,
    maxAttempts: options.maxAttempts ?? config.maxAttempts,
    pageSize: config.pageSize,
    requestsPerMinute: config.requestsPerMinute,
    admit: meter && (() => meter.admit()),
    signal: books.signal,
    onWarning: options.warn ?? books.detail,
  });
  try {
    return await use(client);
  } finally {
    await client.close();
    await meter?.settle();
  }
}
