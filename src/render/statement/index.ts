import type { Statement } from '../../../reports/statement/model.ts';
import { CellDigest, formatMark } from '../../base/workbook-mark.ts';
import { type Language, type LanguageCode, languageOf } from '../../words/index.ts';
import { accentOf } from '../colour.ts';
import { type Pieces, writeDocument } from '../output.ts';
import { reportSheet } from '../report-sheet.ts';
import { writeWorkbook } from '../workbook/write.ts';
import { aboutSheet } from './about.ts';
import { inLanguage, printText, SHEETS } from './in-language.ts';
import { summarySheet } from './summary.ts';
import { sheetExtras, statementTables } from './tables.ts';

/**
 * Writes a month's statement as a workbook, which appears whole or not at all.
 *
 * @throws FileError when the file is open elsewhere, its folder is missing or read-only, or the disk is full
 * @throws LedgerError when the sum of the rows differs from the control total; nothing is written then
 */
export function writeStatement(statement: Statement, file: string, language: LanguageCode = 'en'): Promise<void> {
  return writeDocument(file, async () => statementWorkbook(statement, await languageOf(language)));
}

/**
 * Writes a month's statement as one HTML file to print: the page that people sign, and the annex.
 *
 * @throws as {@link writeStatement} does
 */
export function writeStatementPage(statement: Statement, file: string, language: LanguageCode = 'en'): Promise<void> {
  return writeDocument(file, async () => {
    const { statementHtml } = await import('./html/index.tsx');
    return statementHtml(statement, await languageOf(language));
  });
}

async function statementWorkbook(statement: Statement, language: Language): Promise<Pieces> {
  const worded = inLanguage(statement, language);
  const { month, closed, head, tables } = worded;
  const status = closed === null ? 'draft' : 'closed';
  const accent = accentOf(worded.organisation.colour);
  const extras = sheetExtras(worded, statement.tables.orders, language);
  const sheet = (name: (typeof SHEETS)[number]) => reportSheet(tables[name], accent, language, extras[name]);
  const orders = await sheet('orders');
  const digest = new CellDigest();
  const workbook = {
    digest,
    language,
    title: language.say({ id: 'statement/title', month }),
    subject: worded.merchant,
    date: new Date(worded.asOf),
    print: printText(worded, language),
    // The first and the last sheet need the sums and the digest of the others.
    sheets: [
      () => summarySheet(statement, worded, statementTables(worded, language, orders.sums), accent, language),
      ...(await Promise.all(SHEETS.map((name) => (name === 'orders' ? orders : sheet(name))))),
      () => aboutSheet(statement, accent, language, () => formatMark({ month, status, head, cells: digest.text() })),
    ],
  };
  return writeWorkbook(workbook);
}
