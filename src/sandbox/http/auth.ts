import type { FastifyRequest } from 'fastify';
import { hashKey, merchantOfKeyHash } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { ServiceError } from './errors.ts';

/** The header that carries a merchant's key (spec, 'Authentication'). */
export const KEY_HEADER = 'X-Api-Key';

/**
 * The merchant whose key a request carries.
 *
 * @throws ServiceError 401 when the key is missing, unknown or revoked; the answer does not tell the last two apart
 */
export function authenticate(request: FastifyRequest, store: Store): number {
  const key = request.headers[KEY_HEADER.toLowerCase()];
  if (typeof key !== 'string' || key === '') throw new ServiceError(401, `${KEY_HEADER}: This header is required.`);
  const merchant = merchantOfKeyHash(store, hashKey(key));
  if (merchant === undefined) throw new ServiceError(401, `${KEY_HEADER}: The key is unknown or was revoked.`);
  return merchant;
}
