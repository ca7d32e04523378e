import { FileError } from '../../errors.ts';

/** Excel's limits for one sheet. */
export const MAX_ROWS = 1_048_576;
const MAX_NAME = 31;
const FORBIDDEN = /[[\]:*?/\\']/;

/**
 * Checks the names of a workbook's sheets: 1 to 31 characters, none of `[ ] : * ? / \ '`, no two alike but for case, and
 * not `History`, which Excel keeps for itself.
 */
export function assertSheetNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (name === '' || name.length > MAX_NAME || FORBIDDEN.test(name) || key === 'history' || seen.has(key)) {
      throw new FileError(
        `${JSON.stringify(name)} cannot be the name of a sheet`,
        'Report this: it is a fault of remit.',
      );
    }
    seen.add(key);
  }
}

const letters: string[] = [];

/** A column's letters: 0 is `A`, 26 is `AA`. */
export function columnLetters(index: number): string {
  letters[index] ??= spelled(index);
  return letters[index];
}

function spelled(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** A range on a sheet, rows counted from 1, as formulas of other sheets write it: `'Not invoiced'!$A$2:$A$9`. */
export function absoluteRange(sheet: string, column: number, firstRow: number, lastRow: number): string {
  const letters = columnLetters(column);
  return `'${sheet}'!$${letters}$${firstRow}:$${letters}$${lastRow}`;
}

/** A text inside a formula, quoted. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
