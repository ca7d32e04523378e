import { type Config, describeKeySource } from '../config.ts';
import type { Client } from '../courier/index.ts';
import { ConfigError } from '../errors.ts';
import type { Session } from './session.ts';

/** Where the API is. @throws ConfigError when it is not set */
export function requireApiUrl(config: Config): string {
  if (config.apiUrl !== null) return config.apiUrl;
  throw new ConfigError(
    'the address of the API is not set',
    'Set `api_url` in remit.toml or REMIT_API_URL; it ends in /v1/external/. Without an account, try `remit demo`.',
  );
}

/** Makes a client from the settings. Close it. @throws ConfigError when the address or the key is missing */
export async function openClient(
  session: Session,
  config: Config,
  options: { maxAttempts?: number } = {},
): Promise<Client> {
  const baseUrl = requireApiUrl(config);
  const apiKey = await session.key(config);
  const { createClient } = await import('../courier/index.ts');
  session.detail(`API ${baseUrl}, key from ${describeKeySource(config.keySource)}, ledger ${config.ledger}`);
  return createClient({
    baseUrl,
    apiKey,
    concurrency: config.concurrency,
    timeoutMs: config.timeoutSeconds * 1_000,
    deadlineMs: config.deadlineSeconds * 1_000,
    maxAttempts: options.maxAttempts ?? config.maxAttempts,
    pageSize: config.pageSize,
    signal: session.io.signal,
  });
}

/** Makes a client from the settings, lends it to `use`, and closes its connections whatever happens. */
export async function usingClient<T>(
  session: Session,
  config: Config,
  use: (client: Client) => Promise<T>,
  options: { maxAttempts?: number } = {},
): Promise<T> {
  const client = await openClient(session, config, options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
