import { quoted } from '../text.ts';

/** What a decoded JSON value is, for a message: `number 12.3`, `string "12"`, `null`, `array`. */
export function described(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return `string ${quoted(value)}`;
  return typeof value === 'object' ? 'object' : `${typeof value} ${String(value)}`;
}
