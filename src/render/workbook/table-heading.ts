import type { Column, ColumnType } from '../../../reports/model.ts';
import type { Accent } from '../colour.ts';
import { isFigure } from '../figures.ts';
import type { Line, Style } from './model.ts';
import { headingLines, POINTS_A_LINE } from './table-column.ts';

const LOWEST = 30;

/** @param widths of the columns, in characters */
export function headingLine(columns: readonly Column[], widths: readonly number[], accent: Accent): Line {
  const head: Style = { bold: true, fill: accent.fill, colour: accent.text, wrap: true, vertical: 'middle' };
  const heads = {
    left: { ...head, align: 'left', indent: 1 },
    right: { ...head, align: 'right', indent: 1 },
    center: { ...head, align: 'center' },
  } as const;
  return {
    height: Math.max(LOWEST, headingLines(columns, widths) * POINTS_A_LINE + 3),
    cells: columns.map(({ title, type }) => ({ value: title, style: heads[alignOf(type)] })),
  };
}

/** Where a column's texts stand, and its heading over them. */
function alignOf(type: ColumnType): 'left' | 'right' | 'center' {
  if (isFigure(type)) return 'right';
  return type === 'date' || type === 'datetime' ? 'center' : 'left';
}
