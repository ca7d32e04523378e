import { matchBooks } from '../../app/match/index.ts';
import type { Look } from '../desk.ts';
import { DeskTable } from '../desk-table.ts';
import type { ReceiptsModel } from '../models.ts';
import { readTable } from './read-table.ts';

/** So many of each list stand on a page. */
const MOST = 100;

/** The queue: receipts, the invoices that are open, and what would be matched by the rules. */
export async function readReceipts({
  desk: { books },
  path,
  query,
  everyRow,
  wholeLists,
}: Look): Promise<ReceiptsModel> {
  const table = await readTable({ books, report: 'receipts', path, query, everyRow });
  const narrowed = new URLSearchParams([...query].filter(([name]) => ['text', 'currency'].includes(name)));
  const everyRowOf = (report: string) => readTable({ books, report, path, query: narrowed, everyRow: true });
  const left = notZero(await everyRowOf('receipts'), 'left');
  const open = notZero(await everyRowOf('invoices'), 'outstanding');
  const { report: matching } = await matchBooks(books, { periods: null, dryRun: true });
  const suggested = matching.matches.filter(({ id }) => id === null);
  // The latest first: one is undone soon after it was booked.
  const matched = matching.matches.filter(({ id }) => id !== null).reverse();
  const more = ({ length }: readonly unknown[]) => (wholeLists ? 0 : Math.max(0, length - MOST));
  const first = <T>(list: readonly T[]) => (wholeLists ? list : list.slice(0, MOST));
  return {
    table,
    left: new DeskTable({ ...left.content(), rows: first(left.rows) }, left.generatedAt),
    open: new DeskTable({ ...open.content(), rows: first(open.rows) }, open.generatedAt),
    matching: {
      ...matching,
      matches: wholeLists ? matching.matches : [...first(suggested), ...first(matched)],
      ambiguous: first(matching.ambiguous),
      ...(wholeLists ? {} : { unmatched: { receipts: [], invoices: [], invoices_text: [] } }),
    },
    more: {
      left: more(left.rows),
      open: more(open.rows),
      suggested: more(suggested),
      matched: more(matched),
    },
  };
}

/** The rows in which an amount is not zero, without totals, which are of other rows too. */
function notZero(table: DeskTable, name: string): DeskTable {
  const rows = table.rows.filter((row) => /[1-9]/.test(String(row[name] ?? '')));
  return new DeskTable({ ...table.content(), rows, totals: [] }, table.generatedAt);
}
