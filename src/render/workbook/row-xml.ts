import type { CellValue, Line, SheetCell } from './model.ts';
import { columnLetters } from './names.ts';
import type { StyleIds } from './style-ids.ts';
import { cellText, dayNumber } from './values.ts';
import { xmlEntities } from './xml.ts';

/**
 * A line as the sheet's XML. The library's row and cell objects would cost several times as much as everything else about a long table.
 *
 * @param number the row's number, from 1
 */
export function rowXml(number: number, { cells, height }: Line, styles: StyleIds): string {
  let xml = `<row r="${number}"${height === undefined ? '' : ` ht="${height}" customHeight="1"`}>`;
  // A number as text for each cell would cost more than the cell's own figure.
  const at = `${number}"`;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (!cell) continue;
    const { style, span = 1 } = cell;
    const look = style ? styles.attribute(style) : '';
    xml += `<c r="${columnLetters(index)}${at}${look}${content(cell.value)}`;
    // The cells that it covers bear its look too: the rule at its right end is theirs.
    for (const last = index + span - 1; index < last; ) {
      index += 1;
      xml += `<c r="${columnLetters(index)}${at}${look}/>`;
    }
  }
  return `${xml}</row>`;
}

/** What follows the row's number in a cell's XML: its look, and what it holds. */
export function cellTail({ value, style }: SheetCell, styles: StyleIds): string {
  return `"${style ? styles.attribute(style) : ''}${content(value)}`;
}

function content(value: CellValue): string {
  if (value === null || value === '') return '/>';
  if (typeof value === 'number') return `><v>${value}</v></c>`;
  if (typeof value === 'string') return ` t="str"><v>${xmlOf(value)}</v></c>`;
  if (value instanceof Date) return `><v>${dayNumber(value)}</v></c>`;
  const { formula, result } = value;
  return typeof result === 'number'
    ? `><f>${xmlEntities(formula)}</f><v>${result}</v></c>`
    : ` t="str"><f>${xmlEntities(formula)}</f><v>${xmlOf(result)}</v></c>`;
}

function xmlOf(text: string): string {
  return text.length < 1_000 && PRINTABLE_ASCII.test(text) ? text : xmlEntities(cellText(text));
}

/** Text that every cell and XML itself can hold as it is: one look at the common case instead of three at each. */
const PRINTABLE_ASCII = /^[ !#-%'-;=?-~]*$/;
