import { type MatchReport, runMatching } from '../../app/match/report-matches.ts';
import type { PageRequest } from '../desk.ts';
import type { DeskTable } from '../desk-table.ts';
import { readDeskTable } from './read-table.ts';

const MOST_ENTRIES = 100;

/** The model of the matching page: receipts with money left, open invoices, and what the rules would match. */
export async function readReceiptsPage({ desk: { books }, path, query, everyRow, wholeLists }: PageRequest) {
  const table = await readDeskTable({ books, report: 'receipts', path, query, everyRow });
  const narrowed = new URLSearchParams([...query].filter(([name]) => ['text', 'currency'].includes(name)));
  const everyRowOf = (report: string) => readDeskTable({ books, report, path, query: narrowed, everyRow: true });
  const receiptsLeft = rowsWithAmount(await everyRowOf('receipts'), 'left');
  const openInvoices = rowsWithAmount(await everyRowOf('invoices'), 'outstanding');
  const { report: matching } = await runMatching(books, { periods: null, dryRun: true });
  const suggested = matching.matches.filter(({ id }) => id === null);
  // The latest first: a match that is undone was mostly booked a moment ago.
  const matched = matching.matches.filter(({ id }) => id !== null).reverse();
  const leftOutOf = ({ length }: readonly unknown[]) => (wholeLists ? 0 : Math.max(0, length - MOST_ENTRIES));
  const shownOf = <T>(list: readonly T[]) => (wholeLists ? list : list.slice(0, MOST_ENTRIES));
  const shownMatching: MatchReport = {
    ...matching,
    // A match without an id is suggested, not booked.
    matches: wholeLists ? matching.matches : [...shownOf(suggested), ...shownOf(matched)],
    ambiguous: shownOf(matching.ambiguous),
    ...(wholeLists ? {} : { unmatched: { receipts: [], invoices: [], invoices_text: [] } }),
  };
  return {
    table,
    left: { ...receiptsLeft, rows: shownOf(receiptsLeft.rows) },
    open: { ...openInvoices, rows: shownOf(openInvoices.rows) },
    matching: shownMatching,
    /** How many entries of each list are left out. */
    more: {
      left: leftOutOf(receiptsLeft.rows),
      open: leftOutOf(openInvoices.rows),
      suggested: leftOutOf(suggested),
      matched: leftOutOf(matched),
      ambiguous: leftOutOf(matching.ambiguous),
    },
  };
}

/** The rows whose amount in a column is not zero; without the totals, which sum up the other rows too. */
function rowsWithAmount(table: DeskTable, column: string): DeskTable {
  const rows = table.rows.filter((row) => /[1-9]/.test(String(row[column] ?? '')));
  return { ...table, rows, totals: [] };
}
