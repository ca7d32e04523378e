import type { Statement } from '../../../reports/statement/index.ts';
import { Scratch } from '../../files/index.ts';
import { CellDigest, formatMark } from '../../workbook-mark.ts';
import { accentOf } from '../colour.ts';
import { writeDocument } from '../file.ts';
import { type Language, type LanguageCode, languageOf } from '../language/index.ts';
import type { Pieces } from '../output.ts';
import { writeWorkbook } from '../workbook/write.ts';
import { aboutSheet } from './about.ts';
import { inLanguage } from './in-language.ts';
import { summarySheet } from './summary.ts';
import {
  ageingSheet,
  changesSheet,
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
 * Writes a month's statement as a workbook, which appears whole or not at all. Adding a sheet is adding a file and a line.
 *
 * @throws FileError when the file is open elsewhere, its folder is missing or read-only, or the disk is full
 * @throws LedgerError when the rows do not come to the control total; nothing is written then
 */
export async function writeStatement(statement: Statement, file: string, language: LanguageCode = 'en'): Promise<void> {
  let scratch: Scratch | undefined;
  try {
    await writeDocument(file, (folder) => {
      scratch = new Scratch(folder);
      return statementWorkbook(statement, languageOf(language), scratch);
    });
  } finally {
    await scratch?.close();
  }
}

async function statementWorkbook(made: Statement, language: Language, scratch: Scratch): Promise<Pieces> {
  const statement = inLanguage(made, language);
  const { month, head } = statement;
  const accent = accentOf(statement.organisation.colour);
  const orders = await ordersSheet(statement, accent, language);
  const digest = new CellDigest();
  const workbook = {
    digest,
    language,
    title: language.say('Statement {month}', { month }),
    subject: statement.organisation.name,
    date: new Date(statement.asOf),
    sheets: [
      () => summarySheet(statement, statementTables(statement, language, orders.sums), accent, language),
      await rollForwardSheet(statement, accent, language),
      await invoicesSheet(statement, accent, language),
      orders,
      await receiptsSheet(statement, accent, language),
      await mismatchesSheet(statement, accent, language),
      await ageingSheet(statement, accent, language),
      await notInvoicedSheet(statement, accent, language),
      await changesSheet(statement, accent, language),
      await journalSheet(statement, accent, language),
      () => aboutSheet(statement, accent, language, () => formatMark({ month, head, cells: digest.text() })),
    ],
  };
  return writeWorkbook(workbook, scratch);
}
