import type { FastifyRequest } from 'fastify';
import { hashKey, merchantOfKeyHash } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { ReadCache } from './cache.ts';
import { ServiceError } from './errors.ts';

/** The header that carries a merchant's key (spec, 'Authentication'). */
export const KEY_HEADER = 'X-Api-Key';

/**
 * The merchant who sent a request.
 *
 * @throws ServiceError 401 when the key is missing, unknown or revoked; the last two look alike
 */
export function authenticate(request: FastifyRequest, store: Store, cache: ReadCache): number {
  const key = request.headers[KEY_HEADER.toLowerCase()];
  if (typeof key !== 'string' || key === '') throw new ServiceError(401, `${KEY_HEADER}: This header is required.`);
  const hash = hashKey(key);
  const merchant = cache.merchant(hash, () => merchantOfKeyHash(store, hash));
  if (merchant === undefined) throw new ServiceError(401, `${KEY_HEADER}: The key is unknown or was revoked.`);
  return merchant;
}
