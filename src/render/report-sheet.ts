import type { Column, Report } from '../../reports/model.ts';
import { type Language, type LanguageCode, languageOf } from '../words/index.ts';
import { type Accent, accentOf } from './colour.ts';
import { inWords, type SaidReport } from './in-words.ts';
import { inBatches } from './output.ts';
import type { TableSheet } from './workbook/table-model.ts';
import { tableSheet } from './workbook/table-sheet.ts';
import { writeWorkbook } from './workbook/write.ts';

/** A report as a workbook of one sheet. */
export async function reportWorkbook(
  report: Report,
  generatedAt: Date,
  code: LanguageCode = 'en',
): Promise<AsyncIterable<Uint8Array>> {
  const language = await languageOf(code);
  const worded = inWords(report, language);
  return writeWorkbook({
    language,
    title: worded.title,
    subject: worded.period,
    date: generatedAt,
    sheets: [await reportSheet(worded, accentOf(null), language, { frozenColumns: keyColumns(worded.columns) })],
  });
}

/** The most columns that stay in view and are repeated on every printed page. */
const MOST_KEYS = 4;

/** How many leading columns identify a row: those up to the last key column. */
function keyColumns(columns: readonly Column[]): number {
  const last = columns.slice(0, MOST_KEYS).findLastIndex(({ key }) => key === true);
  return Math.min(Math.max(0, last) + 1, columns.length - 1);
}

const NOT_IN_SHEET_NAMES = /[[\]:*?/\\']/g;

/** A report's rows are handed on in pages of this many. */
const ROWS_A_PAGE = 500;

/** What a report's sheet has besides its rows. */
export type SheetExtras = Pick<TableSheet, 'frozenColumns' | 'conditions' | 'lists' | 'typed' | 'below'> &
  Partial<Pick<TableSheet, 'pages' | 'wordsOf'>>;

/** A report as one sheet of a workbook, named after its title. */
export function reportSheet(
  report: SaidReport,
  accent: Accent,
  language: Language,
  extras: SheetExtras,
): ReturnType<typeof tableSheet> {
  const { rows } = report;
  return tableSheet({
    name: report.title.replace(NOT_IN_SHEET_NAMES, ' ').slice(0, 31),
    accent,
    language,
    columns: report.columns,
    pages: Symbol.asyncIterator in rows ? inBatches(rows, ROWS_A_PAGE) : [[...rows]],
    totals: report.totals,
    notes: report.notes,
    ...extras,
  });
}
