import type { Report } from '../../reports/model.ts';
import type { Accent } from './colour.ts';
import type { Sheet } from './workbook/model.ts';
import type { TableColumn } from './workbook/table-column.ts';
import { type TableSheet, tableSheet } from './workbook/table-sheet.ts';

/** Numbers that are names: an invoice's number is never summed, and stays text in every workbook. */
const ID_COLUMN = /(?:^|_)number$/;
/** Sentences: wide, and on several lines. */
const WIDE: Readonly<Record<string, number>> = { message: 60, note: 28 };
const NOT_IN_SHEET_NAMES = /[[\]:*?/\\']/g;

/** A report's columns as a sheet has them. */
function sheetColumns(report: Report): TableColumn[] {
  return report.columns.map(({ name, title, type }): TableColumn => {
    const kind = type === 'integer' && ID_COLUMN.test(name) ? 'id' : type;
    const width = WIDE[name];
    return width === undefined ? { name, title, kind } : { name, title, kind, width, wrap: true };
  });
}

/** A report as one sheet of a workbook, named after its title. */
export function reportSheet(
  report: Report,
  accent: Accent,
  extras: Pick<TableSheet, 'frozenColumns' | 'conditions' | 'lists'> = {},
): Promise<Sheet> {
  return tableSheet({
    name: report.title.replace(NOT_IN_SHEET_NAMES, ' ').slice(0, 31),
    accent,
    columns: sheetColumns(report),
    rows: report.rows,
    totals: report.totals,
    notes: report.notes,
    ...extras,
  });
}
