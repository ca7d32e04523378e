import path from 'node:path';
import type { Explanation } from '../../base/errors.ts';
import { workbooksError } from '../../words/errors/workbooks.ts';
import type { Format } from '../maps/column-map.ts';
import { camt } from './camt.ts';
import { placeOfFirst } from './encoding.ts';
import { FileFault } from './fault.ts';
import { mt940 } from './mt940.ts';
import { ofx } from './ofx.ts';
import { qif } from './qif.ts';
import type { StatementFormat } from './receipts-file.ts';
import { zipDirectory } from './zip.ts';

/** The formats of bank statements, in the order in which they are tried. */
export const STATEMENT_FORMATS: readonly StatementFormat[] = [ofx, camt, mt940, qif];

/** The beginning of a file by which its format is recognised. */
const HEAD_BYTES = 64 * 1024;
const TITLES = ['CSV', 'XLSX', 'PDF', ...STATEMENT_FORMATS.map(({ title }) => title)];
/** The first bytes of files that people send though no format is like them, with the reason that they are told. */
const REFUSED: readonly [starts: readonly number[], why: Explanation][] = [
  [[0x1f, 0x8b], workbooksError({ id: 'packed', by: 'gzip' })],
  [[0x52, 0x61, 0x72, 0x21], workbooksError({ id: 'packed', by: 'RAR' })],
  [[0x37, 0x7a, 0xbc, 0xaf], workbooksError({ id: 'packed', by: '7z' })],
  [[0x89, 0x50, 0x4e, 0x47], workbooksError({ id: 'picture', kind: 'PNG', formats: TITLES })],
  [[0xff, 0xd8, 0xff], workbooksError({ id: 'picture', kind: 'JPEG', formats: TITLES })],
];

/**
 * Recognises a file's format: by its content, then by its name.
 *
 * @param fileName only its ending counts, and only if the content does not decide
 * @param formatOfMap the format that the user's map names: `csv` counts in place of the ending
 * @throws FileFault for a file that is empty, unknown, or known and not read, with what to do instead
 */
export function recognise(bytes: Uint8Array, fileName: string, formatOfMap?: Format): Format {
  if (bytes.length === 0) throw new FileFault(workbooksError({ id: 'empty' }));
  if (isPdf(bytes)) return 'pdf';
  for (const [starts, why] of REFUSED) if (startsWith(bytes, starts)) throw new FileFault(why);
  // `PK` alone also begins a header such as `PKR amount`.
  if ([0x03, 0x05, 0x07].some((third) => startsWith(bytes, [0x50, 0x4b, third]))) return formatInZip(bytes);
  // The container of .xls, and of a workbook with a password; and workbooks of Excel 4 to 95 without one.
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw oldOffice(bytes);
  if (startsWith(bytes, [0x09, 0x08, 0x10, 0x00]) || startsWith(bytes, [0x09, 0x04, 0x06, 0x00]))
    throw oldOffice(bytes);
  const head = headText(bytes);
  if (head.trim() === '') throw new FileFault(workbooksError({ id: 'empty' }));
  const ending = formatOfMap === 'csv' ? '.csv' : path.extname(fileName).toLowerCase();
  return byText(head) ?? byEnding(ending, head);
}

export function isPdf(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x25, 0x50, 0x44, 0x46]);
}

function startsWith(bytes: Uint8Array, starts: readonly number[]): boolean {
  return starts.every((byte, i) => bytes[i] === byte);
}

function formatInZip(bytes: Uint8Array): Format {
  const names = [...zipDirectory(bytes).keys()].map((name) => name.toLowerCase());
  if (names.includes('xl/workbook.xml')) return 'xlsx';
  if (names.includes('xl/workbook.bin')) throw new FileFault(workbooksError({ id: 'xlsb' }));
  throw new FileFault(workbooksError({ id: names.includes('content.xml') ? 'open-document' : 'zip' }));
}

function oldOffice(bytes: Uint8Array): FileFault {
  const isLocked = Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return new FileFault(workbooksError({ id: isLocked ? 'workbook-locked' : 'old-excel' }));
}

/**
 * The text of the file's beginning. It is UTF-16 if it begins with the byte order mark or has a NUL: the second byte of
 * a plain character in little-endian, the first in big-endian. Any other file is read a character per byte.
 */
function headText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  const nul = head.indexOf(0);
  if (startsWith(head, [0xff, 0xfe]) || (nul !== -1 && nul % 2 === 1)) return new TextDecoder('utf-16le').decode(head);
  if (startsWith(head, [0xfe, 0xff]) || nul !== -1) return new TextDecoder('utf-16be').decode(head);
  const text = Buffer.from(head).toString('latin1');
  // UTF-8's byte order mark, read as three characters.
  return text.replace(/^\u00EF\u00BB\u00BF/, '');
}

/** @throws FileFault for HTML, JSON and XML of other formats */
function byText(head: string): Format | null {
  const start = head.trimStart().slice(0, 2000);
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype\s+)?html\b/i.test(start)) {
    throw new FileFault(workbooksError({ id: 'web-page' }));
  }
  for (const format of STATEMENT_FORMATS) {
    const name = format.recognise(head.trimStart());
    if (name !== null) return name;
  }
  if (start.startsWith('<')) throw otherXml(head);
  if (/^[{[]\s*["{[\]}]/.test(start)) throw new FileFault(workbooksError({ id: 'json', formats: TITLES }));
  return null;
}

function otherXml(head: string): FileFault {
  const message = /urn:iso:std:iso:20022:tech:xsd:(\w+\.\d{3})/.exec(head)?.[1];
  if (message !== undefined) return new FileFault(workbooksError({ id: 'other-message', message }));
  if (/schemas-microsoft-com:office:spreadsheet/.test(head)) return new FileFault(workbooksError({ id: 'excel-2003' }));
  return new FileFault(workbooksError({ id: 'unknown-xml', formats: TITLES }));
}

const CSV_ENDINGS = new Set(['.csv', '.tsv', '.tab', '.txt']);
/** The formats that other endings promise: a file with such an ending whose content is not recognised is damaged. */
const PROMISED_BY_ENDING = new Map<string, string>([
  ['.xlsx', 'a workbook'],
  ['.xlsm', 'a workbook'],
  ['.pdf', 'PDF'],
  ['.xml', 'XML'],
  ...STATEMENT_FORMATS.flatMap(({ title, endings }) => endings.map((ending): [string, string] => [ending, title])),
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const NO_TEXT = /[\u0001-\u0008\u000E-\u001A\u001C-\u001F]/;

/** @throws FileFault for a file that is no text, or whose ending promises a format that its content is not */
function byEnding(ending: string, head: string): Format {
  const promised = PROMISED_BY_ENDING.get(ending);
  if (promised !== undefined) throw new FileFault(workbooksError({ id: 'name-says', format: promised }));
  if (NO_TEXT.test(head))
    throw new FileFault(workbooksError({ id: 'no-text', formats: TITLES }), placeOfFirst(head, NO_TEXT));
  const firstLine = head.trimStart().split(/[\r\n]/)[0] ?? '';
  if (CSV_ENDINGS.has(ending) || /[,;\t|]/.test(firstLine)) return 'csv';
  throw new FileFault(workbooksError({ id: 'unknown-kind', begins: firstLine, formats: TITLES }));
}
