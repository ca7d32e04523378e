/** What a terminal would obey, or what turns the direction of a line: C1 controls, line separators, direction marks. */
const MARKS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROLS = /[\u0000-\u001f]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON text whose marks are written as escapes, which JSON reads back as the same. */
export function escapeMarks(json: string): string {
  return json.replace(MARKS, escaped);
}

/** Text from outside as it may stand in a message: cut at `length`, on one line, with nothing that a terminal obeys. */
export function printable(text: string, length = 300): string {
  return escapeMarks(cut(text, length).replaceAll(/\s+/g, ' ').replace(CONTROLS, escaped));
}

/** A text in quotes, as JSON writes it, cut at 60 characters. */
export function quoted(text: string): string {
  return escapeMarks(JSON.stringify(cut(text, 60)));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** What a decoded JSON value is, for a message: `number 12.3`, `string "12"`, `null`, `array`. */
export function described(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return `string ${quoted(value)}`;
  return typeof value === 'object' ? 'object' : `${typeof value} ${String(value)}`;
}
