/**
 * The one cleaner of text from outside, wherever it reaches a terminal, a message or a file name. Names, references and
 * the words of a server are never trusted: they may hold escapes, marks that turn a line round, or fifty megabytes.
 * And the small forms of text that messages need: in quotes, in order, wrapped, as TOML or a word of a shell.
 */

/** What would begin another line, or jump to another column. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * Direction marks and overrides, the byte order mark, and characters without width: dropped, since nobody sees them.
 */
const UNSEEN = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Other control characters, halves of a character, code points that are no characters: a sign is shown for each. */
const UNREADABLE = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

/** Matches if there is something to clean; in most texts there is not. */
const SUSPECT =
  /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFFE\uFFFF\u{E0000}-\u{E007F}]/u;

/** What JSON does not escape, though a terminal obeys it or it turns a line round. */
const JSON_MARKS =
  /[\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFFE\uFFFF\u{E0000}-\u{E007F}]/gu;

/**
 * Text from outside as one line that a terminal shows as it is: a line break or tab becomes a space, another control
 * character a sign (`␛`, `�`), and marks that nobody sees go. Idempotent.
 *
 * @param max greatest length in characters; what is cut ends in `…`. `Infinity` cuts nothing
 */
export function cleanText(text: string, max = 300): string {
  const head = beginningOf(text, max);
  return shortened(SUSPECT.test(head) ? cleaned(head) : head, max, head.length < text.length);
}

/**
 * Text of several lines, some of it from outside: its own line breaks and indents stay, each line is cleaned.
 *
 * @param max greatest length of a line
 */
export function cleanLines(text: string, max = Number.POSITIVE_INFINITY): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[^ \t].*/s, (words) => cleanText(words, max)))
    .join('\n');
}

/** {@link UNREADABLE} without tabs and line breaks, which a file may have. */
const UNWRITABLE = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

/**
 * Text from outside for a file that other programs read, at full length: tabs and line breaks stay; what a terminal or
 * a program would obey, what nobody sees and what is no character is dropped.
 */
export function fileText(text: string): string {
  return SUSPECT.test(text) ? text.replace(UNWRITABLE, '').replace(UNSEEN, '') : text;
}

/** A part of a sentence that keeps a direction of its own, such as an amount within Arabic. */
const ISOLATED = /[\u2066-\u2068]([^\u2066-\u2069]*)\u2069/g;

/**
 * {@link fileText} for a sentence that remit made, in which amounts, days and names are between marks that keep them
 * from being turned round: such pairs stay. They affect only the text between them, so a pair from outside does no
 * harm.
 */
export function sentenceText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  let cleanest = '';
  let at = 0;
  for (const { 0: whole, 1: inner = '', index } of text.matchAll(ISOLATED)) {
    cleanest += `${fileText(text.slice(at, index))}${whole[0]}${fileText(inner)}\u2069`;
    at = index + whole.length;
  }
  return cleanest + fileText(text.slice(at));
}

function cleaned(text: string): string {
  // What is unseen goes last: two halves around it would become a character.
  return text.replace(BREAKS, ' ').replace(UNREADABLE, sign).replace(UNSEEN, '');
}

function sign(character: string): string {
  if (character < '\u0020') return String.fromCharCode(0x2400 + character.charCodeAt(0));
  return character === '\u007F' ? '\u2421' : '\uFFFD';
}

/**
 * Text from outside in quotes, as JSON writes it, for a message: control characters are escaped.
 *
 * @param max greatest number of characters between the quotes; what is cut ends in `…`
 */
export function quoted(text: string, max = 60): string {
  const head = beginningOf(text, max);
  return escapeMarks(JSON.stringify(shortened(head, max, head.length < text.length)));
}

/** JSON text with its marks for terminals and directions written as escapes: it means the same to a reader of JSON. */
export function escapeMarks(json: string): string {
  return json.replace(JSON_MARKS, escaped);
}

/** A character above U+FFFF takes two escapes, one for each of its halves. */
function escaped(character: string): string {
  const escapes = character.split('').map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escapes.join('');
}

/** Enough code units for `max` characters, so that a text of megabytes is not cleaned for its beginning. */
function beginningOf(text: string, max: number): string {
  return text.length > 2 * max + 2 ? text.slice(0, 2 * max + 2) : text;
}

/** At most `max` characters, never cut through one. @param isCut whether the text itself goes on */
function shortened(text: string, max: number, isCut: boolean): string {
  if (!isCut && text.length <= max) return text;
  const characters = [...text];
  return isCut || characters.length > max ? `${characters.slice(0, Math.max(0, max - 1)).join('')}…` : text;
}

/** Orders texts by their code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** {@link compareText}, with null last. */
export function compareNullLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareText(a, b);
}

/** Breaks a text between words so that each line, with its indent, fits a width; without a width it stays one line. */
export function wrapText(text: string, indent: string, width: number | undefined): string[] {
  if (width === undefined) return [indent + text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}

/** A TOML basic string: JSON's escapes are TOML's too, once DEL and what changes direction are escaped. */
export function tomlText(value: string): string {
  return JSON.stringify(value).replace(/[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g, escaped);
}

/** A key of TOML: in quotes if it has other characters than a bare key may have. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlText(key);
}

/**
 * A path or name as one word of a command that a person may copy: in quotes if a shell would take it apart; off
 * Windows in single ones if it would obey something between double ones, too.
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32';
  if (/^[\w@%+=:,./-]+$/.test(isWindows ? text.replaceAll('\\', '/') : text)) return text;
  const isObeyed = !isWindows && /["$`\\!]/.test(text);
  return isObeyed ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

/** The value of a JSON text; undefined for a text that is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
