import { quoted } from './names.ts';
import type { Stretch } from './table-stretches.ts';

/** A column that is summed. */
export interface SumOf {
  readonly letters: string;
  /** What other columns' cells must be, or with `<>` must not. */
  readonly where: readonly { readonly letters: string; readonly sign: string; readonly text: string }[];
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

/** The same over the rows that no filter hides: SUBTOTAL knows them, and row by row it can be asked together with a condition. */
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
