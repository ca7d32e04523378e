/** Marks without width that spreadsheets and banks put around Arabic text and amounts. */
const INVISIBLE = /[\u061C\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\u00AD]/g;
const SPACES = /[\t\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g;
const PLAIN = /^[ -~]*$/;
/** Arabic-Indic, Persian and full-width digits; the last four bits of each are its value. */
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g;

/** A figure in ASCII: without invisible marks; with plain blanks, hyphens and digits, also for Arabic-Indic ones. */
export function asciiFigure(text: string): string {
  // Nearly all of a file's hundreds of thousands of figures are plain already.
  if (PLAIN.test(text)) return text.trim();
  return text
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .replace(DASHES, '-')
    .replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim();
}

/** Cyrillic letters, and the Latin ones that they look like; an export plugin's older headers have some. */
const CYRILLIC = 'АВЕКМНОРСТХаеорсух';
const LATIN = 'ABEKMHOPCTXaeopcyx';

/** A header in the form that is compared: in lower case, with single blanks, Latin lookalikes, no invisible marks. */
export function headerKey(header: string): string {
  return header
    .replace(INVISIBLE, '')
    .replace(/[А-Яа-я]/g, (letter) => LATIN[CYRILLIC.indexOf(letter)] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Text from a file on one line: breaks and runs of blanks become one blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A text's lines. Their ends (CRLF, LF, CR) may be mixed, as in joined files. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

const FORMAT_MARKS = /\p{Cf}/gu;
/** Words of printable ASCII with single blanks between: only their case can change. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/;

/**
 * The form of a text in which two spellings of one thing are equal: compatibility forms are one (NFKC, so that
 * full-width digits and the joined letters of Arabic PDFs become plain ones), invisible marks are gone, white space of
 * any kind is one blank and none at the ends, and all is in lower case. For comparing alone: never shown or stored.
 */
export function plainText(text: string): string {
  if (PLAIN_WORDS.test(text)) return text.toLowerCase();
  return oneLine(text.normalize('NFKC').replace(FORMAT_MARKS, '')).toLowerCase();
}
