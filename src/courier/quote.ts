/** Characters that a terminal would obey or that reorder a line: controls, and the marks that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this pattern is for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text from outside as it may stand in a message: cut at `length`, on one line, with nothing that a terminal obeys. */
export function printable(text: string, length = 300): string {
  const cut = text.length > length ? `${text.slice(0, length)}…` : text;
  return cut.replaceAll(/\s+/g, ' ').replace(UNPRINTABLE, escaped);
}

/** A text in quotes, as JSON writes it, cut at 60 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).replace(UNPRINTABLE, escaped);
}

/** What a decoded JSON value is, for a message: `number 12.3`, `string "12"`, `null`, `array`. */
export function described(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return `string ${quoted(value)}`;
  return typeof value === 'object' ? 'object' : `${typeof value} ${String(value)}`;
}
