/** Marks without width that spreadsheets and banks put around Arabic text and amounts. */
const INVISIBLE = /[\u061C\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\u00AD]/g;
const SPACES = /[\t\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g;
const PLAIN = /^[ -~]*$/;
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g;

/** A figure as it is typed with ASCII: invisible marks go, all spaces, dashes and digits (Arabic-Indic ones too) become one kind. */
export function asciiFigure(text: string): string {
  // Nearly all figures are plain already, and files hold hundreds of thousands.
  if (PLAIN.test(text)) return text.trim();
  return text
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .replace(DASHES, '-')
    .replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim();
}

/** Cyrillic letters that look like Latin ones; an export plugin's older headers hold some. */
const LOOKALIKES: Record<string, string> = {
  А: 'A',
  В: 'B',
  Е: 'E',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  Х: 'X',
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
};

/** A column's header as it is compared: without marks, blanks, case, `_` for a space, or Cyrillic letters that look Latin. */
export function headerKey(header: string): string {
  return header
    .replace(INVISIBLE, '')
    .replace(/[А-Яа-я]/g, (letter) => LOOKALIKES[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Text from a file on one line: breaks and runs of blanks become one blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A text's lines, whichever ends they have: CRLF, LF and CR may be mixed, as they are where files were joined. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
