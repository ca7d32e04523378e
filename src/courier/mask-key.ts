import { RemitError } from '../base/errors.ts';

export const MASKED_KEY = '********';
/** Shorter parts of a key give nothing away, and could be part of any word. */
const SHORTEST_PART = 6;

/** Masks the key in an error's message and stack: a server may have sent it back in a message or value. */
export function withoutKey<E>(error: E, apiKey: string): E {
  if (error instanceof RemitError) {
    error.message = maskKey(error.message, apiKey);
    // The stack and the explanation hold copies of the message.
    error.stack = maskKey(error.stack ?? '', apiKey);
    const explanation = maskTexts(error.explanation, apiKey);
    Object.assign(error, { hint: maskKey(error.hint, apiKey), explanation });
  }
  return error;
}

/** Masks the key in every text of a value, however deep. */
function maskTexts(value: unknown, apiKey: string): unknown {
  if (typeof value === 'string') return maskKey(value, apiKey);
  if (Array.isArray(value)) return value.map((each) => maskTexts(each, apiKey));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskTexts(each, apiKey)]));
}

/** Masks the key in a text: plain, escaped, or cut off by the `…` of a shortened text. */
export function maskKey(text: string, apiKey: string): string {
  if (apiKey.length < SHORTEST_PART) return text;
  let masked = text;
  for (const form of new Set([apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)])) {
    masked = masked.replaceAll(form, MASKED_KEY);
    for (let length = form.length - 1; length >= SHORTEST_PART; length--) {
      masked = masked.replaceAll(`${form.slice(0, length)}…`, `${MASKED_KEY}…`);
    }
  }
  return masked;
}

/** A shorter key could be part of any amount or id, so bodies are left unmasked. */
const SHORTEST_IN_BODY = 8;
const STAR = 0x2a;

/**
 * Masks the key in a body: plain, percent-encoded or with JSON escapes. Each of its bytes becomes an asterisk, so that
 * JSON stays JSON and all other bytes stay in place.
 *
 * @returns the same body if the key is not in it
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
    // In latin1 every byte is one character, so an index in the text is one in the body.
    for (const match of body.toString('latin1').matchAll(escapedForm(apiKey))) {
      cover(match.index, match.index + match[0].length);
    }
  }
  return masked;
}

/** Whether a body has an escape that could be a character of the key, which is ASCII. */
function mayHoldEscapes(body: Buffer, apiKey: string): boolean {
  return body.includes('%') || body.includes('\\u00') || (/["\\/]/.test(apiKey) && body.includes('\\'));
}

/** Matches the key with any of its characters escaped as in JSON or in an address. */
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
