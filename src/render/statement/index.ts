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
  const said = inLanguage(statement, language);
  const { month, closed, head } = said;
  const status = closed === null ? 'draft' : 'closed';
  const accent = accentOf(said.organisation.colour);
  const orders = await ordersSheet(said, statement.tables.orders, accent, language);
  const digest = new CellDigest();
  const workbook = {
    digest,
    language,
    title: language.say({ id: 'statement/title', month }),
    subject: said.merchant,
    date: new Date(said.asOf),
    print: printText(said, language),
    // The first and the last sheet need the sums and the digest of the others.
    sheets: [
      () => summarySheet(statement, said, statementTables(said, language, orders.sums), accent, language),
      await rollForwardSheet(said, accent, language),
      await invoicesSheet(said, accent, language),
      orders,
      await receiptsSheet(said, accent, language),
      await mismatchesSheet(said, accent, language),
      await ageingSheet(said, accent, language),
      await custodySheet(said, accent, language),
      await notInvoicedSheet(said, accent, language),
      await changesSheet(said, accent, language),
      await journalSheet(said, accent, language),
      () => aboutSheet(statement, accent, language, () => formatMark({ month, status, head, cells: digest.text() })),
    ],
  };
  return writeWorkbook(workbook);
}
