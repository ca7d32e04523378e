import { listApprovals } from '../app/approvals/list.ts';
import { listCloses } from '../app/desk/closes.ts';
import { listDecisions } from '../app/desk/decisions.ts';
import { searchBooks } from '../app/desk/search.ts';
import { listViews } from '../app/desk/views.ts';
import { listClaims } from '../app/disputes/list.ts';
import { listImports } from '../app/import/list.ts';
import { listReports } from '../app/report.ts';
import { listSettlements } from '../app/settle/list.ts';
import { showBooksClose, showBooksInvoice, showBooksOrder, showBooksReceipt, showBooksRun } from '../app/show/index.ts';
import type { Look } from './desk.ts';
import type { Models } from './models.ts';
import { readEvidence } from './reading/evidence.ts';
import { readHome, readMonth } from './reading/home.ts';
import { readMismatch, readMismatches } from './reading/mismatches.ts';
import { readTable } from './reading/read-table.ts';
import { readReceipts } from './reading/receipts.ts';

/** A page that is read: its path, what it is in a sentence, and its model. */
export interface ReadRoute<Name extends keyof Models> {
  readonly path: string;
  readonly title: string;
  /** Parameters of the address, beside `lang` and `format`. */
  readonly query?: readonly string[];
  /** Whether it takes long, so that it is read in a thread: whatever adds up, sorts or searches the rows of the books. */
  readonly isLong?: (query: URLSearchParams) => boolean;
  readonly read: (look: Look) => Promise<Models[Name]>;
}

/** The names of the pages that are read. */
export type PageName = Exclude<keyof Models, 'refusal'>;

const always = () => true;

const TABLE = ['limit', 'after', 'sort', 'text'];

const reportPage =
  (report: string) =>
  async ({ desk: { books }, path, query, all }: Look) => ({
    table: await readTable({ books, report, path, query, all }),
  });

/** Every page, by its name: its model is that of the same name in `Models`, and its component in `pages/` bears the name too. */
export const READ_ROUTES: { readonly [Name in PageName]: ReadRoute<Name> } = {
  home: { path: '/', title: 'Months by currency', query: ['currency', ...TABLE], read: readHome },
  month: { path: '/months/:month', title: 'The bridge of a month', query: ['first'], isLong: always, read: readMonth },
  mismatches: {
    path: '/mismatches',
    title: 'What does not agree',
    query: ['month', 'code', 'severity', 'status', 'invoice', 'order', 'currency', ...TABLE],
    isLong: always,
    read: readMismatches,
  },
  mismatch: { path: '/mismatches/:id', title: 'A mismatch and its history', read: readMismatch },
  invoice: {
    path: '/invoices/:number',
    title: 'All that is known of an invoice',
    read: ({ desk: { books }, parameters }) => showBooksInvoice(books, parameters.number ?? ''),
  },
  order: {
    path: '/orders/:id',
    title: 'All that is known of an order',
    read: ({ desk: { books }, parameters }) => showBooksOrder(books, parameters.id ?? ''),
  },
  rows: {
    path: '/rows',
    title: 'Every invoice row, by currency',
    query: ['month', 'invoice', 'order', 'status', 'code', 'currency', ...TABLE],
    isLong: (query) => ['sort', 'text', 'code'].some((name) => query.has(name)),
    read: reportPage('orders'),
  },
  receipts: {
    path: '/receipts',
    title: 'Receipts and the invoices that they pay',
    query: ['month', 'invoice', 'status', 'currency', ...TABLE],
    isLong: always,
    read: readReceipts,
  },
  receipt: {
    path: '/receipts/:id',
    title: 'All that is known of a receipt',
    read: ({ desk: { books }, parameters }) => showBooksReceipt(books, parameters.id ?? ''),
  },
  evidence: { path: '/evidence/:sha256', title: 'A document as received', query: ['field'], read: readEvidence },
  runs: { path: '/runs', title: 'Every sync and what it brought', query: TABLE, read: reportPage('runs') },
  run: {
    path: '/runs/:id',
    title: 'What a run brought',
    read: ({ desk: { books }, parameters }) => showBooksRun(books, parameters.id ?? ''),
  },
  imports: {
    path: '/imports',
    title: 'Files that were imported',
    read: async ({ desk: { books } }) => ({ imports: await listImports(books) }),
  },
  closes: {
    path: '/closes',
    title: 'Months that were closed',
    read: async ({ desk: { books } }) => ({ closes: await listCloses(books) }),
  },
  close: {
    path: '/closes/:month',
    title: 'The closes of a month, and what they froze',
    read: ({ desk: { books }, parameters }) => showBooksClose(books, parameters.month ?? ''),
  },
  settlements: {
    path: '/settlements',
    title: 'What was settled without a receipt',
    read: async ({ desk: { books } }) => ({ settlements: await listSettlements(books, null) }),
  },
  claims: { path: '/claims', title: 'What is claimed', read: ({ desk: { books } }) => listClaims(books, {}) },
  search: {
    path: '/search',
    title: 'Find an invoice, order, receipt, mismatch or amount',
    query: ['q'],
    isLong: always,
    read: async ({ desk: { books }, query }) => {
      const text = query.get('q') ?? '';
      return { query: text, found: await searchBooks(books, text) };
    },
  },
  decisions: {
    path: '/decisions',
    title: 'What was decided',
    query: ['limit', 'after'],
    isLong: always,
    read: readDecisions,
  },
  approvals: {
    path: '/approvals',
    title: 'Decisions that wait for a second person',
    read: async ({ desk: { books } }) => ({ approvals: await listApprovals(books) }),
  },
  views: {
    path: '/views',
    title: 'Filters with a name',
    read: async ({ desk: { books } }) => ({ views: await listViews(books) }),
  },
  reports: {
    path: '/reports',
    title: 'The reports that there are',
    read: async () => ({ reports: listReports() }),
  },
  report: {
    path: '/reports/:name',
    title: 'A report',
    query: ['month', 'invoice', 'order', 'status', 'code', 'currency', ...TABLE],
    isLong: always,
    read: (look) => reportPage(look.parameters.name ?? '')(look),
  },
};

/** Decisions of a page, where the address does not say how many. */
const DECISIONS = 100;

async function readDecisions({ desk: { books }, path, query }: Look): Promise<Models['decisions']> {
  const after = Number(query.get('after') ?? Number.POSITIVE_INFINITY);
  const limit = Math.min(1_000, Math.max(1, Number(query.get('limit') ?? DECISIONS) || DECISIONS));
  const all = (await listDecisions(books)).filter(({ id }) => id < after);
  const decisions = all.slice(0, limit);
  const last = decisions.at(-1);
  return { decisions, next: last && all.length > limit ? `${path}?limit=${limit}&after=${last.id}` : null };
}
