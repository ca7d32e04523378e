import { matchBooks } from '../../app/match/index.ts';
import type { Look } from '../desk.ts';
import type { ReceiptsModel } from '../models.ts';
import { DeskTable } from '../table.ts';
import { readTable } from './read-table.ts';

/** The queue: receipts, the invoices that are open, and what would be matched by the rules. */
export async function readReceipts({ desk: { books }, path, query, all }: Look): Promise<ReceiptsModel> {
  const table = await readTable({ books, report: 'receipts', path, query, all });
  const invoices = await readTable({ books, report: 'invoices', path, query: new URLSearchParams(), all: true });
  const rows = invoices.rows.filter(({ outstanding }) => !/^-?0(\.0+)?$/.test(String(outstanding ?? '0')));
  const { report: matching } = await matchBooks(books, { periods: null, dryRun: true });
  return { table, open: new DeskTable({ ...invoices.content(), rows, totals: [] }, invoices.generatedAt), matching };
}
