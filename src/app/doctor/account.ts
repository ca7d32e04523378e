import { AuthError, ConfigError, RemitError } from '../../base/errors.ts';
import { faultOf } from '../../config/settings.ts';
import { createClient } from '../../courier/index.ts';
import { because } from '../../words/errors/desk.ts';
import { apiAddressFault } from '../init.ts';

const TIMEOUT_MS = 10_000;

/**
 * Tries an API's address and key, before there are settings with them.
 *
 * @throws ConfigError for a bad address, or without a key; AuthError or ApiError by its answer; each names the field at fault
 */
export async function probeNewAccount(apiUrl: string, key: string | null): Promise<void> {
  const fault = faultOf('api_url', apiUrl);
  if (fault !== undefined) throw apiAddressFault(fault);
  if (key === null) throw new ConfigError('there is no API key', 'Copy it from the delivery company.').at('api_key');
  const client = createClient({
    baseUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`,
    apiKey: key,
    concurrency: 1,
    timeoutMs: TIMEOUT_MS,
    deadlineMs: TIMEOUT_MS,
    maxAttempts: 1,
    pageSize: 1,
    signal: new AbortController().signal,
    onWarning: () => {},
  });
  try {
    await client.profile();
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    const isKey = error instanceof AuthError;
    // The error's own hint names settings, which do not exist yet.
    error.sayOtherwise(because({ id: 'account-unanswered', why: error.explanation, isKey }));
    throw error.at(isKey ? 'api_key' : 'api_url');
  } finally {
    await client.close();
  }
}
