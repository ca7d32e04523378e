import type { Report } from '../../reports/model.ts';
import { accentOf } from './colour.ts';
import { reportSheet } from './report-sheet.ts';
import { writeWorkbook } from './workbook/write.ts';

/** A report as a workbook of one sheet. */
export async function reportWorkbook(report: Report, generatedAt: Date): Promise<AsyncIterable<Uint8Array>> {
  return writeWorkbook({
    title: report.title,
    subject: report.period,
    date: generatedAt,
    sheets: [await reportSheet(report, accentOf(null))],
  });
}
