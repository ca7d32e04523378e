import { contractError } from '../api/decode.ts';

/** Texts that tables are looked up by, and the most bytes of one: no database indexes longer ones. */
const KEYS: ReadonlySet<string> = new Set(['order_id', 'reference_id', 'merchant_invoice']);
const MOST_BYTES = 2_000;

/**
 * Refuses a row with a text that not every database can keep as it is: with a NUL, with half a surrogate pair, or a key beyond bounds.
 *
 * @param place what comes before the field's name in the message, such as `orders[3].`
 * @throws ContractError that names the field
 */
export function requireKept<R extends object>(row: R, place = ''): R {
  for (const field in row) {
    const value: unknown = row[field];
    if (typeof value !== 'string') continue;
    const reason = whyNotKept(value, KEYS.has(field));
    if (reason !== null) throw contractError({ path: `${place}${field}`, reason });
  }
  return row;
}

/** Whether an order's id can be kept: what has none is told apart by its bytes. */
export function isKeptId(id: string): boolean {
  return whyNotKept(id, true) === null;
}

function whyNotKept(text: string, isKey: boolean): string | null {
  if (text.includes('\0')) return 'holds a NUL character, which is no text';
  if (!text.isWellFormed()) return 'holds half of a surrogate pair, which is no character';
  if (isKey && text.length > MOST_BYTES / 4 && Buffer.byteLength(text) > MOST_BYTES) {
    return `is longer than ${MOST_BYTES.toLocaleString('en')} bytes`;
  }
  return null;
}
