import type { Column, Report } from '../../reports/model.ts';
import { type LanguageCode, languageOf } from '../words/index.ts';
import { accentOf } from './colour.ts';
import { inWords } from './in-words.ts';
import { reportSheet } from './report-sheet.ts';
import { writeWorkbook } from './workbook/write.ts';

/** A report as a workbook of one sheet. */
export async function reportWorkbook(
  made: Report,
  generatedAt: Date,
  code: LanguageCode = 'en',
): Promise<AsyncIterable<Uint8Array>> {
  const language = await languageOf(code);
  const report = inWords(made, language);
  return writeWorkbook({
    language,
    title: report.title,
    subject: report.period,
    date: generatedAt,
    sheets: [await reportSheet(report, accentOf(null), language, { frozenColumns: rowKeys(report.columns) })],
  });
}

/** The most columns that stay in view and are repeated on every printed page. */
const MOST_KEYS = 4;

/** How many leading columns identify a row: those up to the last key column. */
function rowKeys(columns: readonly Column[]): number {
  const last = columns.slice(0, MOST_KEYS).findLastIndex(({ key }) => key === true);
  return Math.min(Math.max(0, last) + 1, columns.length - 1);
}
