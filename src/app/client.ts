import { ConfigError } from '../base/errors.ts';
import { describePlace } from '../base/place.ts';
import { type Config, describeKeySource } from '../config/index.ts';
import type { Client } from '../courier/index.ts';
import { because } from '../words/errors/books.ts';
import type { Books } from './books.ts';

/** Where the API is. @throws ConfigError when it is not set */
export function requireApiUrl(config: Config): string {
  if (config.apiUrl !== null) return config.apiUrl;
  throw new ConfigError(because({ id: 'no-api-url' }));
}

/** What overrides the settings of a client. */
export interface ClientUse {
  readonly maxAttempts?: number;
  /** Receives what the caller should know though nothing failed; without it, such warnings are details. */
  readonly warn?: (sentence: string) => void;
}

/** Makes a client from the settings, lends it to `use`, and closes its connections whatever happens. @throws ConfigError */
export async function usingClient<T>(
  books: Books,
  use: (client: Client) => Promise<T>,
  options: ClientUse = {},
): Promise<T> {
  const client = await openClient(books, options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function openClient(books: Books, options: ClientUse): Promise<Client> {
  const { config } = books;
  const baseUrl = requireApiUrl(config);
  const apiKey = await books.key();
  const { createClient } = await import('../courier/index.ts');
  books.detail(
    `API ${baseUrl}, key from ${describeKeySource(config.keySource)}, ledger ${describePlace(config.ledger)}`,
  );
  return createClient({
    baseUrl,
    apiKey,
    concurrency: config.concurrency,
    timeoutMs: config.timeoutSeconds * 1_000,
    deadlineMs: config.deadlineSeconds * 1_000,
    maxAttempts: options.maxAttempts ?? config.maxAttempts,
    pageSize: config.pageSize,
    signal: books.signal,
    onWarning: options.warn ?? books.detail,
  });
}
