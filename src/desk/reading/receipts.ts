import { matchBooks } from '../../app/match/index.ts';
import type { Look } from '../desk.ts';
import type { ReceiptsModel } from '../models.ts';
import { DeskTable } from '../table.ts';
import { readTable } from './read-table.ts';

/** So many of each list stand on a page. */
const MOST = 100;

/** The queue: receipts, the invoices that are open, and what would be matched by the rules. */
export async function readReceipts({ desk: { books }, path, query, all, whole }: Look): Promise<ReceiptsModel> {
  const table = await readTable({ books, report: 'receipts', path, query, all });
  const narrowed = new URLSearchParams([...query].filter(([name]) => ['text', 'currency'].includes(name)));
  const every = (report: string) => readTable({ books, report, path, query: narrowed, all: true });
  const left = withSome(await every('receipts'), 'left');
  const open = withSome(await every('invoices'), 'outstanding');
  const { report: matching } = await matchBooks(books, { periods: null, dryRun: true });
  const [suggested, matched] = [
    matching.matches.filter(({ id }) => id === null),
    // The latest first: one is undone soon after it was booked.
    matching.matches.filter(({ id }) => id !== null).reverse(),
  ];
  const more = (count: number) => (whole ? 0 : Math.max(0, count - MOST));
  const first = <T>(list: readonly T[]) => (whole ? list : list.slice(0, MOST));
  return {
    table,
    left: new DeskTable({ ...left.content(), rows: first(left.rows) }, left.generatedAt),
    open: new DeskTable({ ...open.content(), rows: first(open.rows) }, open.generatedAt),
    matching: {
      ...matching,
      matches: whole ? matching.matches : [...first(suggested), ...first(matched)],
      ambiguous: first(matching.ambiguous),
      ...(whole ? {} : { unmatched: { receipts: [], invoices: [], invoices_text: [] } }),
    },
    more: {
      left: more(left.rows.length),
      open: more(open.rows.length),
      suggested: more(suggested.length),
      matched: more(matched.length),
    },
  };
}

/** The rows of which an amount is not zero. Their totals are other rows' too. */
function withSome(table: DeskTable, name: string): DeskTable {
  const rows = table.rows.filter((row) => /[1-9]/.test(String(row[name] ?? '')));
  return new DeskTable({ ...table.content(), rows, totals: [] }, table.generatedAt);
}
