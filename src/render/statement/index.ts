import type { Statement } from '../../../reports/statement/model.ts';
import { CellDigest, formatMark } from '../../base/workbook-mark.ts';
import { type Language, type LanguageCode, languageOf } from '../../words/index.ts';
import { accentOf } from '../colour.ts';
import { type Pieces, writeDocument } from '../output.ts';
import { writeWorkbook } from '../workbook/write.ts';
import { aboutSheet } from './about.ts';
import { inLanguage, printText } from './in-language.ts';
import { summarySheet } from './summary.ts';
import {
  ageingSheet,
  changesSheet,
  custodySheet,
  invoicesSheet,
  journalSheet,
  mismatchesSheet,
  notInvoicedSheet,
  ordersSheet,
  receiptsSheet,
  rollForwardSheet,
  statementTables,
} from './tables.ts';

/**
 * Writes a month's statement as a workbook, which appears whole or not at all. A new sheet is a line of `sheets`, and a function in `tables.ts`.
 *
 * @throws FileError when the file is open elsewhere, its folder is missing or read-only, or the disk is full
 * @throws LedgerError when the rows do not come to the control total; nothing is written then
 */
export function writeStatement(statement: Statement, file: string, language: LanguageCode = 'en'): Promise<void> {
  return writeDocument(file, async () => statementWorkbook(statement, await languageOf(language)));
}

/**
 * Writes a month's statement as one HTML file that prints: the page that one signs, and the annex.
 *
 * @throws as {@link writeStatement} does
 */
export function writeStatementPage(statement: Statement, file: string, language: LanguageCode = 'en'): Promise<void> {
  return writeDocument(file, async () => {
    const { statementHtml } = await import('./html/index.tsx');
    return statementHtml(statement, await languageOf(language));
  });
}

async function statementWorkbook(made: Statement, language: Language): Promise<Pieces> {
  const statement = inLanguage(made, language);
  const { month, closed, head } = statement;
  const status = closed === null ? 'draft' : 'closed';
  const accent = accentOf(statement.organisation.colour);
  const orders = await ordersSheet(statement, made.tables.orders, accent, language);
  const digest = new CellDigest();
  const workbook = {
    digest,
    language,
    title: language.say({ id: 'statement/title', month }),
    subject: statement.merchant,
    date: new Date(statement.asOf),
    print: printText(statement, language),
    // The first and the last need what the others sum, and the digest of their cells.
    sheets: [
      () => summarySheet(made, statement, statementTables(statement, language, orders.sums), accent, language),
      await rollForwardSheet(statement, accent, language),
      await invoicesSheet(statement, accent, language),
      orders,
      await receiptsSheet(statement, accent, language),
      await mismatchesSheet(statement, accent, language),
      await ageingSheet(statement, accent, language),
      await custodySheet(statement, accent, language),
      await notInvoicedSheet(statement, accent, language),
      await changesSheet(statement, accent, language),
      await journalSheet(statement, accent, language),
      () => aboutSheet(made, accent, language, () => formatMark({ month, status, head, cells: digest.text() })),
    ],
  };
  return writeWorkbook(workbook);
}
