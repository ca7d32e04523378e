import { ConfigError, UsageError } from '../errors.ts';
import { quoted } from '../text.ts';

/**
 * Reads the base URL: http or https, nothing but a path after the host; a missing slash at its end is added.
 *
 * @throws ConfigError naming what is wrong with it; never the credentials that it may hold
 */
export function parseBaseUrl(text: string): URL {
  const hint = 'Set REMIT_API_URL (or api_url in remit.toml) to the address of the API; it ends in /v1/external/.';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(
      `the base URL ${text.includes('@') ? '' : `${quoted(text)} `}is not an http or https address`,
      hint,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(
      `the base URL of ${url.host} holds a user name or password`,
      `${hint} The key goes into REMIT_API_KEY.`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new ConfigError(`the base URL of ${url.host} has something after its path (a ? or a #)`, hint);
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

export type Scalar = string | number | boolean;

/**
 * The address of an operation. Values are escaped, so that an id can never lead to another path.
 *
 * @throws UsageError when a path parameter is missing or cannot stand in a path
 */
export function operationUrl(
  baseUrl: URL,
  path: string,
  params: Readonly<Record<string, Scalar>> = {},
  query: Readonly<Record<string, Scalar | undefined>> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    if (/^\.{0,2}$/.test(value)) {
      throw new UsageError(
        `${name} ${value === '' ? 'is missing' : `${quoted(value)} is no id`}`,
        `Give ${name} a value: it stands in ${path}.`,
      );
    }
    return encodeURIComponent(value);
  });
  const url = new URL(filled, baseUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}
