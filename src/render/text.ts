/** What is done to text from outside before it is shown or written: names, references and notes are never trusted. */

/** Every control character but tab, newline and carriage return, and the two code points that are no characters at all. */
const UNWRITABLE = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu;

/** Marks and overrides that change the direction of what follows, and so can make a line read as something else. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Arabic vowel marks and characters without width: optional for the reader, and terminals disagree on how wide they are. */
const WIDTHLESS = /[\u064B-\u065F\u0670\u200B\uFEFF]/g;

const CONTROL = /\p{Cc}/gu;

/** Removes the characters that a file for other programs must not hold; tabs and line breaks stay. */
export function withoutControls(text: string): string {
  return text.replace(UNWRITABLE, '');
}

/**
 * One line that a terminal shows as it stands: a line break or tab becomes a space, an escape or any other control
 * character a visible sign, so that no text can move the cursor, colour the screen or pretend to be another line.
 */
export function forTerminal(text: string): string {
  return text
    .replace(/[\t\r\n\u2028\u2029]+/g, ' ')
    .replace(CONTROL, (c) => (c < '\u0020' ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : '\uFFFD'))
    .replace(DIRECTION_MARKS, '')
    .replace(WIDTHLESS, '');
}

/** A text of at most so many characters, the last an ellipsis where it was cut; never cut through a character. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // No character takes more than two code units: a text of megabytes is not taken apart for its beginning.
  const characters = [...text.slice(0, 2 * most)];
  return characters.length <= most && text.length <= 2 * most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
