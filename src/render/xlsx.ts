import type { Report } from '../../reports/model.ts';
import { accentOf } from './colour.ts';
import { type TableColumn, tableSheet } from './workbook/table-sheet.ts';
import { writeWorkbook } from './workbook/write.ts';

/** Numbers that are names: an invoice's number is never summed, and stays text in every workbook. */
const ID_COLUMN = /(?:^|_)number$/;
const NOT_IN_SHEET_NAMES = /[[\]:*?/\\']/g;

/** A report as a workbook of one sheet. */
export async function reportWorkbook(report: Report, generatedAt: Date): Promise<AsyncIterable<Uint8Array>> {
  const columns = report.columns.map(({ name, title, type }): TableColumn => {
    const kind = type === 'integer' && ID_COLUMN.test(name) ? 'id' : type;
    return name === 'message' || name === 'note' ? { name, title, kind, width: 70, wrap: true } : { name, title, kind };
  });
  const sheet = await tableSheet({
    name: report.title.replace(NOT_IN_SHEET_NAMES, ' ').slice(0, 31),
    accent: accentOf(null),
    columns,
    rows: report.rows,
    totals: report.totals,
    notes: report.notes,
  });
  return writeWorkbook({
    title: report.title,
    subject: report.period,
    date: generatedAt,
    sheets: [sheet],
  });
}
