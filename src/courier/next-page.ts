import { ContractError } from '../errors.ts';
import { quoted } from '../text.ts';

/**
 * Resolves the `next` of a page: it may be relative to the page's own address. It is followed only on the base URL's
 * own origin, because the request carries the API key.
 *
 * @throws ContractError when it is no address, or leads elsewhere
 */
export function resolveNext(next: string, page: string, origin: string): string {
  const url = URL.canParse(next, page) ? new URL(next, page) : null;
  if (url !== null && url.origin === origin && url.username === '' && url.password === '') {
    url.hash = '';
    return url.href;
  }
  const where = url === null ? quoted(next) : `${url.protocol}//${url.host}`;
  throw new ContractError(
    `the next page of ${page} is said to be at ${where}, not at ${origin}; it was not asked for, and the API key not sent there`,
    'Set the base URL to the address under which the service names its own pages, or ask the delivery company why its pages lead elsewhere.',
    { path: 'next' },
  );
}
