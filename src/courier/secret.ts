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

/** A shorter key could be part of any amount or id: the body is left as it is. */
const SHORTEST_IN_BODY = 8;
const STAR = 0x2a;

/**
 * A body without the key, wherever a server sends it back: plain, percent-encoded, or with escapes of JSON. Stars stand
 * for its bytes, one for each, so that JSON stays JSON and every other byte its place.
 *
 * @returns the body itself where the key is not in it, which nearly every time it is not
 */
export function maskBody(body: Buffer, apiKey: string): Buffer {
  if (apiKey.length < SHORTEST_IN_BODY) return body;
  let masked = body;
  const cover = (start: number, end: number) => {
    if (masked === body) masked = Buffer.from(body);
    masked.fill(STAR, start, end);
  };
  for (let at = body.indexOf(apiKey); at !== -1; at = body.indexOf(apiKey, at + apiKey.length)) {
    cover(at, at + apiKey.length);
  }
  if (mayHoldEscapes(body, apiKey)) {
    // In latin1 every byte is one character, so that places in the text are places in the body.
    for (const match of body.toString('latin1').matchAll(escapedForm(apiKey))) {
      cover(match.index, match.index + match[0].length);
    }
  }
  return masked;
}

/** Whether a body has an escape that could stand for a character of the key: those of other alphabets are none. */
function mayHoldEscapes(body: Buffer, apiKey: string): boolean {
  return body.includes('%') || body.includes('\\u00') || (/["\\/]/.test(apiKey) && body.includes('\\'));
}

/** The key with any of its characters escaped as JSON or an address may have them. */
function escapedForm(apiKey: string): RegExp {
  const forms = [...apiKey].map((character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
    const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    const inJson = /["\\/]/.test(character) ? `\\\\?${plain}` : plain;
    return `(?:${inJson}|\\\\u00${anyCase}|%${anyCase})`;
  });
  return new RegExp(forms.join(''), 'g');
}
