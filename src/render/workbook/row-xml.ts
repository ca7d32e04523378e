import type { CellValue, Line, Style } from './model.ts';
import { columnLetters } from './names.ts';
import { cellText, dayNumber } from './values.ts';
import { xmlEntities } from './xml.ts';

/** A line of plain cells: no formula, no name, no cell over several columns, no page break after it. */
export function isPlain({ cells, pageBreak }: Line): boolean {
  return !pageBreak && cells.every((cell) => !cell || (!cell.span && !cell.name && !isFormula(cell.value)));
}

/**
 * A plain line as the sheet's XML. Long tables are nearly all such lines, and the library's row and cell objects cost several
 * times as much as everything else about them.
 *
 * @param number the row's number, from 1
 * @param styleId gives a style's number in the workbook
 */
export function rowXml(number: number, { cells, height }: Line, styleId: (style: Style) => number): string {
  let xml = `<row r="${number}"${height === undefined ? '' : ` ht="${height}" customHeight="1"`}>`;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (!cell) continue;
    const at = `<c r="${columnLetters(index)}${number}"${cell.style ? ` s="${styleId(cell.style)}"` : ''}`;
    xml += at + content(cell.value);
  }
  return `${xml}</row>`;
}

function content(value: CellValue): string {
  if (value === null || value === '') return '/>';
  if (typeof value === 'number') return `><v>${value}</v></c>`;
  if (value instanceof Date) return `><v>${dayNumber(value)}</v></c>`;
  const text = String(value);
  const isSafe = text.length < 1_000 && PRINTABLE_ASCII.test(text);
  return ` t="str"><v>${isSafe ? text : xmlEntities(cellText(text))}</v></c>`;
}

/** Text that every cell and XML itself can hold as it is: one look at the common case instead of three at each. */
const PRINTABLE_ASCII = /^[ !#-%'-;=?-~]*$/;

function isFormula(value: CellValue): boolean {
  return value !== null && typeof value === 'object' && !(value instanceof Date);
}
