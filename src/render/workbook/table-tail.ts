import type { SheetTail } from './model.ts';
import { columnLetters } from './names.ts';
import { lettersOf } from './table-column.ts';
import type { TableSheet } from './table-model.ts';
import type { Stretch } from './table-stretches.ts';

/**
 * What a table's sheet has besides its rows: filter, lists to choose from, conditions.
 *
 * @param rows how many the table has of its own
 * @param stretches where its rows and those below them are
 */
export function tableTail(
  { columns, conditions = [], lists = {} }: TableSheet,
  rows: number,
  stretches: readonly Stretch[],
): SheetTail {
  const last = columnLetters(columns.length - 1);
  const autoFilter = `A1:${last}${rows + 1}`;
  if (stretches.length === 0) return { autoFilter };
  const ranges = (from: string, to = from) => stretches.map((each) => `${from}${each.first}:${to}${each.last}`);
  const firstRow = stretches[0]!.first;
  return {
    autoFilter,
    textNumbers: columns.flatMap(({ type }, i) =>
      type === 'id' || type === 'number' || type === 'text' ? ranges(columnLetters(i)) : [],
    ),
    lists: Object.entries(lists).flatMap(([name, words]) =>
      ranges(lettersOf(columns, name)).map((range) => ({ range, words })),
    ),
    conditions: conditions.map(({ column, formula, style }) => ({
      range: (column === undefined ? ranges('A', last) : ranges(lettersOf(columns, column))).join(' '),
      formula: formula.replace(/\{(\w+)\}/g, (_, name: string) => `$${lettersOf(columns, name)}${firstRow}`),
      style,
    })),
  };
}
