import { RemitError } from '../errors.ts';

/** What stands where the key would. */
export const MASKED_KEY = '********';
/** Shorter texts tell nothing of a key, and could be part of any word. */
const SHORTEST_PART = 6;

/** Takes the key out of an error's words: a server may have sent it back in a message or a value. */
export function withoutKey<E>(error: E, apiKey: string): E {
  if (error instanceof RemitError) {
    error.message = maskKey(error.message, apiKey);
    // The stack repeats the message as it was when the stack was first read.
    error.stack = maskKey(error.stack ?? '', apiKey);
  }
  return error;
}

/** Stars for the key: plain, escaped, and cut by the `…` that ends a shortened text. */
export function maskKey(text: string, apiKey: string): string {
  let masked = text;
  if (apiKey.length < SHORTEST_PART) return masked;
  for (const form of new Set([apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)])) {
    masked = masked.replaceAll(form, MASKED_KEY);
    for (let length = form.length - 1; length >= SHORTEST_PART; length--) {
      masked = masked.replaceAll(`${form.slice(0, length)}…`, `${MASKED_KEY}…`);
    }
  }
  return masked;
}
