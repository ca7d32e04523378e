import type { Statement } from '../../../reports/statement/index.ts';
import { CellDigest, formatMark } from '../../workbook-mark.ts';
import { accentOf } from '../colour.ts';
import { writeDocument } from '../file.ts';
import type { Pieces } from '../output.ts';
import { writeWorkbook } from '../workbook/write.ts';
import { aboutSheet } from './about.ts';
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
export async function writeStatement(statement: Statement, file: string): Promise<void> {
  await writeDocument(file, () => statementWorkbook(statement));
}

async function statementWorkbook(statement: Statement): Promise<Pieces> {
  const { month, head } = statement;
  const accent = accentOf(statement.organisation.colour);
  const tables = statementTables(statement);
  const digest = new CellDigest();
  return writeWorkbook({
    digest,
    title: `Statement ${statement.month}`,
    subject: statement.organisation.name,
    date: new Date(statement.asOf),
    sheets: [
      summarySheet(statement, tables, accent),
      await rollForwardSheet(statement, accent),
      await invoicesSheet(statement, accent),
      await ordersSheet(statement, accent),
      await receiptsSheet(statement, accent),
      await mismatchesSheet(statement, accent),
      await ageingSheet(statement, accent),
      await notInvoicedSheet(statement, accent),
      await changesSheet(statement, accent),
      await journalSheet(statement, accent),
      aboutSheet(statement, accent, () => formatMark({ month, head, cells: digest.text() })),
    ],
  });
}
