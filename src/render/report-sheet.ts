import { ENGLISH, type Language } from '../words/index.ts';
import type { Accent } from './colour.ts';
import type { SaidReport } from './in-words.ts';
import { tableSheet } from './workbook/table.ts';
import type { TableSheet } from './workbook/table-model.ts';

const NOT_IN_SHEET_NAMES = /[[\]:*?/\\']/g;

/** A report as one sheet of a workbook, named after its title. */
export function reportSheet(
  report: SaidReport,
  accent: Accent,
  language: Language = ENGLISH,
  extras: Pick<TableSheet, 'frozenColumns' | 'conditions' | 'lists' | 'typed' | 'below'> = {},
): ReturnType<typeof tableSheet> {
  return tableSheet({
    name: report.title.replace(NOT_IN_SHEET_NAMES, ' ').slice(0, 31),
    accent,
    language,
    columns: report.columns,
    rows: report.rows,
    totals: report.totals,
    notes: report.notes,
    ...extras,
  });
}
