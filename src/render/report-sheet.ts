import { ENGLISH, type Language } from '../words/index.ts';
import type { Accent } from './colour.ts';
import type { SaidReport, SaidRow } from './in-words.ts';
import { tableSheet } from './workbook/table.ts';
import type { TableSheet } from './workbook/table-model.ts';

const NOT_IN_SHEET_NAMES = /[[\]:*?/\\']/g;

/** How many rows of a report are handed on at a time. */
const PAGE = 500;

/** A report as one sheet of a workbook, named after its title. */
export function reportSheet(
  report: SaidReport,
  accent: Accent,
  language: Language = ENGLISH,
  extras: Pick<TableSheet, 'frozenColumns' | 'conditions' | 'lists' | 'typed' | 'below'> &
    Partial<Pick<TableSheet, 'pages' | 'wordsOf'>> = {},
): ReturnType<typeof tableSheet> {
  return tableSheet({
    name: report.title.replace(NOT_IN_SHEET_NAMES, ' ').slice(0, 31),
    accent,
    language,
    columns: report.columns,
    pages: pagesOf(report.rows),
    totals: report.totals,
    notes: report.notes,
    ...extras,
  });
}

function pagesOf(rows: SaidReport['rows']): TableSheet['pages'] {
  return Symbol.asyncIterator in rows ? gathered(rows) : [[...rows]];
}

async function* gathered(rows: AsyncIterable<SaidRow>): AsyncGenerator<readonly SaidRow[]> {
  let page: SaidRow[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
