import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that nobody guesses: 32 random bytes. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether two secrets are the same, in a time that tells nothing about either. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
