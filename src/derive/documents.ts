import { contractError, tooDeep } from '../api/decode.ts';
import { MAX_LEVELS, type ParsedJson, parseJson } from '../api/json.ts';
import { ContractError } from '../base/errors.ts';
import { parseInstant } from '../base/instant.ts';

/** Parses a body as JSON. @throws ContractError if it is not JSON, or has too many values */
export function readJson(body: Buffer): ParsedJson {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const hint = 'The answer is kept; send the delivery company this message.';
    throw new ContractError('it is not JSON that can be parsed', hint, { body, cause: error });
  }
}

/** Parses a document, or one item of a list. @throws ContractError if it is not JSON, or nested too deep */
export function readDocument(body: Buffer, place = ''): unknown {
  const { value, levels } = readJson(body);
  if (levels > MAX_LEVELS) throw contractError(tooDeep(place));
  return value;
}

/** What was read from a document, or the fault for which it cannot be read. */
export type Readable<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ContractError };

/** @throws ContractError for a document that was refused when it was received: a replay refuses it too */
export function refuseFaulty({ fault }: { readonly fault: string | null }): void {
  if (fault !== null) throw new ContractError(fault, 'The answer is kept; send the delivery company this message.');
}

/** Calls `read`, and returns a ContractError as a fault. Any other error is thrown. */
export async function ifReadable<T>(read: () => T | Promise<T>): Promise<Readable<T>> {
  try {
    return { ok: true, value: await read() };
  } catch (fault) {
    if (!(fault instanceof ContractError)) throw fault;
    return { ok: false, fault };
  }
}

/** Calls `read`, and puts the place of a row, such as `results[3]`, before the message of a ContractError. */
export function withPath<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new ContractError(`${place}.${error.message}`, error.hint, { path: `${place}.${error.path}`, cause: error });
  }
}

/** Fields that are in a key or an index of a table. */
const INDEXED: ReadonlySet<string> = new Set(['order_id', 'reference_id', 'merchant_invoice']);
/** The longest text that every database can index. */
const MAX_INDEXED_BYTES = 2_000;

/**
 * Refuses a text that not every database can store unchanged: a NUL, half of a surrogate pair, or too many bytes.
 *
 * @param place what comes before the field's name in the message, such as `orders[3].`
 * @throws ContractError that names the field
 */
export function requireStorable<R extends object>(row: R, place = ''): R {
  for (const field in row) {
    const value: unknown = row[field];
    if (typeof value !== 'string') continue;
    const reason = whyNotStorable(value, INDEXED.has(field));
    if (reason !== null) throw contractError({ path: `${place}${field}`, reason });
  }
  return row;
}

/** Whether a text can be an order's id in every database. */
export function isStorableId(id: string): boolean {
  return whyNotStorable(id, true) === null;
}

function whyNotStorable(text: string, isIndexed: boolean): string | null {
  if (text.includes('\0')) return 'holds a NUL character, which is no text';
  if (!text.isWellFormed()) return 'holds half of a surrogate pair, which is no character';
  // A UTF-16 unit has at most three bytes in UTF-8: a short text need not be counted.
  if (isIndexed && text.length > MAX_INDEXED_BYTES / 3 && Buffer.byteLength(text) > MAX_INDEXED_BYTES) {
    return `is longer than ${MAX_INDEXED_BYTES.toLocaleString('en')} bytes`;
  }
  return null;
}

/** @throws ContractError that names the field */
export function requireInstant(text: string, path: string): Date {
  const instant = parseInstant(text);
  if (instant) return instant;
  throw new ContractError(
    `${path}: ${JSON.stringify(text.slice(0, 60))} is not a date and time`,
    'A date-time is written as ISO 8601 with an offset, such as 2026-10-31T09:00:00+02:00.',
    { path },
  );
}
