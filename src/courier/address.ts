import { ConfigError, ContractError, UsageError } from '../base/errors.ts';
import { quoted } from '../base/text.ts';

/**
 * Parses the base URL: http or https, with nothing after its path; a missing slash at its end is added.
 *
 * @throws ConfigError that says what is wrong, without any credentials or query that the URL holds
 */
export function parseBaseUrl(text: string): URL {
  const hint = 'Set REMIT_API_URL (or api_url in remit.toml) to the address of the API; it ends in /v1/external/.';
  // A program without types may pass none.
  if (typeof text !== 'string') throw new ConfigError('there is no base URL', hint);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(
      `the base URL ${text.includes('@') ? '' : `${quoted(withoutQuery(text))} `}is not an http or https address`,
      hint,
    );
  }
  if (url.username !== '' || url.password !== '') {
    const what = `the base URL of ${url.host} holds a user name or password`;
    throw new ConfigError(what, `${hint} The key goes into REMIT_API_KEY.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new ConfigError(`the base URL of ${url.host} has something after its path (a ? or a #)`, hint);
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** An address for an error: what is behind a `?` may be secret. */
function withoutQuery(address: string): string {
  return address.replace(/\?.*/s, '?…');
}

export type Scalar = string | number | boolean;

/**
 * The address of an operation. Values are escaped, so that no id can change the path.
 *
 * @throws UsageError when a path parameter is missing, `.` or `..`
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
      const hint = `Give ${name} a value: it stands in ${path}.`;
      throw new UsageError(`${name} ${value === '' ? 'is missing' : `${quoted(value)} is no id`}`, hint);
    }
    return encodeURIComponent(value);
  });
  const url = new URL(filled, baseUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/**
 * Resolves the `next` of a page, which may be relative to the page's own address. It must be on the base URL's origin,
 * because the request carries the API key.
 *
 * @throws ContractError when it is no address, or leads elsewhere
 */
export function resolveNext(next: string, page: string, origin: string): string {
  const url = URL.canParse(next, page) ? new URL(next, page) : null;
  const isThere = url?.origin === origin;
  if (isThere && url.username === '' && url.password === '') {
    url.hash = '';
    return url.href;
  }
  const where = url === null ? quoted(withoutQuery(next)) : `${url.protocol}//${url.host}`;
  const what = isThere ? 'has a user name or password in its address' : `is said to be at ${where}, not at ${origin}`;
  throw new ContractError(
    `the next page of ${page} ${what}; it was not asked for, and the API key not sent there`,
    'Set the base URL to the address under which the service names its own pages, or ask the delivery company why its pages lead elsewhere.',
    { path: 'next' },
  );
}
