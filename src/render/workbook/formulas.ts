/** Cells and ranges by their addresses, and the formulas that add them up. */

const letters: string[] = [];

/** A column's letters: 0 is `A`, 26 is `AA`. */
export function columnLetters(index: number): string {
  letters[index] ??= spelled(index);
  return letters[index];
}

function spelled(index: number): string {
  const before = Math.floor(index / 26);
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** A stretch of rows, numbered from 1, inclusive; empty where `last` is before `first`. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Where the rows of a table are on its sheet: its own, and those below the totals. Empty stretches are left out. */
export function stretchesOf(rows: number, totals: number, below: number): readonly Stretch[] {
  const everyRow = { first: 2, last: rows + 1 };
  const first = everyRow.last + (totals > 0 ? 1 + totals : 0) + 3;
  return [everyRow, { first, last: first + below - 1 }].filter(({ first, last }) => first <= last);
}

/** A range on a sheet as formulas of other sheets write it: `'Not invoiced'!$A$2:$A$9`. */
export function absoluteRange(sheet: string, column: number, { first, last }: Stretch): string {
  const letters = columnLetters(column);
  return `'${sheet}'!$${letters}$${first}:$${letters}$${last}`;
}

/** A text inside a formula, quoted. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export interface SumOf {
  readonly letters: string;
  /** Conditions on other columns: equal to a text, or with `<>` different from it. */
  readonly where: readonly { readonly letters: string; readonly sign: '=' | '<>'; readonly text: string }[];
}

/** The formula of a sum over all rows of a stretch. */
export function sumOfAll(stretch: Stretch, { letters, where }: SumOf): string {
  const values = rangeOf(letters, stretch);
  if (where.length === 0) return `SUM(${values})`;
  const conditions = where.map(
    ({ letters: at, sign, text }) => `${rangeOf(at, stretch)},${quoted(sign === '=' ? text : sign + text)}`,
  );
  return `SUMIFS(${[values, ...conditions].join(',')})`;
}

/** The same over the rows that no filter hides. Only SUBTOTAL knows those; applied row by row, it combines with conditions. */
export function sumOfShown(stretch: Stretch, { letters, where }: SumOf): string {
  const values = rangeOf(letters, stretch);
  if (where.length === 0) return `SUBTOTAL(109,${values})`;
  const top = `${letters}$${stretch.first}`;
  const conditions = where.map((each) => `--(${rangeOf(each.letters, stretch)}${each.sign}${quoted(each.text)})`);
  return `SUMPRODUCT(SUBTOTAL(109,OFFSET(${top},ROW(${values})-${stretch.first},0)),${conditions.join(',')})`;
}

function rangeOf(letters: string, { first, last }: Stretch): string {
  return `${letters}$${first}:${letters}$${last}`;
}
