import type { Column, Report } from '../../reports/model.ts';
import { accentOf } from './colour.ts';
import { type LanguageCode, languageOf } from './language/index.ts';
import { reportSheet } from './report-sheet.ts';
import { reportIn } from './statement/in-language.ts';
import { writeWorkbook } from './workbook/write.ts';

/** A report as a workbook of one sheet. */
export async function reportWorkbook(
  made: Report,
  generatedAt: Date,
  code: LanguageCode = 'en',
): Promise<AsyncIterable<Uint8Array>> {
  const language = languageOf(code);
  const report = reportIn(made, language);
  return writeWorkbook({
    language,
    title: report.title,
    subject: report.period,
    date: generatedAt,
    sheets: [await reportSheet(report, accentOf(null), language, { frozenColumns: rowKeys(report.columns) })],
  });
}

/** So many columns stay in view, and on every printed page, at most. */
const MOST_KEYS = 4;

/** How many columns from the first one on say which row it is: up to the last key among them. */
function rowKeys(columns: readonly Column[]): number {
  const last = columns.slice(0, MOST_KEYS).findLastIndex(({ key }) => key === true);
  return Math.min(Math.max(0, last) + 1, columns.length - 1);
}
