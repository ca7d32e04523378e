import { listApprovals } from '../app/approvals/list.ts';
import { readBooksState } from '../app/desk/books-state.ts';
import { listCloses } from '../app/desk/closes.ts';
import { listDecisions } from '../app/desk/decisions.ts';
import { searchBooks } from '../app/desk/search.ts';
import { listViews } from '../app/desk/views.ts';
import { listClaims } from '../app/disputes/list.ts';
import { listImports } from '../app/import/undo.ts';
import { listReports } from '../app/report.ts';
import { listSettlements } from '../app/settle/list.ts';
import { showBooksClose, showBooksInvoice, showBooksOrder, showBooksReceipt, showBooksRun } from '../app/show/index.ts';
import { UsageError } from '../base/errors.ts';
import { because } from '../words/errors/desk.ts';
import type { Look } from './desk.ts';
import type { Models } from './models.ts';
import { readEvidence } from './reading/evidence.ts';
import { readHome, readMonth } from './reading/home.ts';
import { readMismatch, readMismatches } from './reading/mismatches.ts';
import { readList } from './reading/read-list.ts';
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
  /** Whether the checks are run for it: it is read in a thread of its own, so that no other page waits a second for it. */
  readonly isProof?: true;
  /** Whether something of it is still being computed, so that it is asked for again. */
  readonly isUnfinished?: (model: Models[Name]) => boolean;
  readonly read: (look: Look) => Promise<Models[Name]>;
}

/** The names of the pages that are read. */
export type PageName = Exclude<keyof Models, 'refusal' | 'deciding' | 'sync' | 'files' | 'map' | 'empty' | 'computing'>;

const always = () => true;

/** The parameters of every table's address. */
const TABLE = ['courier', 'limit', 'after', 'sort', 'text'];

const reportPage =
  (report: string) =>
  async ({ desk: { books }, path, query, everyRow }: Look) => {
    // The dashboard shows one month: the last, where none is named.
    const showsLast = report === 'dashboard' && !query.has('month');
    const last = showsLast ? (await readBooksState(books)).months.at(-1) : undefined;
    const periods = last && { periods: [last.period] };
    return { table: await readTable({ books, report, path, query, everyRow, ...periods }) };
  };

/** Every page, by its name: its model is that of the same name in `Models`, and its component in `pages/` bears the name too. */
export const READ_ROUTES: { readonly [Name in PageName]: ReadRoute<Name> } = {
  home: {
    path: '/',
    title: 'Months by currency',
    query: ['currency', ...TABLE],
    isUnfinished: ({ unexplained }) => unexplained === null,
    read: readHome,
  },
  month: {
    path: '/months/:month',
    title: 'The bridge of a month',
    query: ['courier', 'first'],
    isLong: always,
    isProof: true,
    read: readMonth,
  },
  mismatches: {
    path: '/mismatches',
    title: 'What does not agree',
    query: ['month', 'code', 'severity', 'status', 'invoice', 'order', 'currency', ...TABLE],
    isLong: always,
    read: readMismatches,
  },
  mismatch: {
    path: '/mismatches/:id',
    title: 'A mismatch and its history',
    query: ['courier', 'month', 'code', 'severity', 'status', 'invoice', 'order', 'currency', 'text', 'sort'],
    isLong: always,
    read: readMismatch,
  },
  invoice: {
    path: '/invoices/:number',
    title: 'All that is known of an invoice',
    query: ['courier'],
    isLong: always,
    read: ({ desk: { books }, parameters }) => showBooksInvoice(books, parameters.number ?? ''),
  },
  order: {
    path: '/orders/:id',
    title: 'All that is known of an order',
    query: ['courier'],
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
    query: TABLE,
    read: async (look) => {
      const { shown, next } = readList(await listImports(look.desk.books), look, ({ id }) => id);
      return { imports: shown, next };
    },
  },
  closes: {
    path: '/closes',
    title: 'Months that were closed',
    query: TABLE,
    read: async (look) => {
      const { shown, next } = readList(await listCloses(look.desk.books), look, ({ id }) => id);
      return { closes: shown, next };
    },
  },
  close: {
    path: '/closes/:month',
    title: 'The closes of a month, and what they froze',
    read: ({ desk: { books }, parameters }) => showBooksClose(books, parameters.month ?? ''),
  },
  settlements: {
    path: '/settlements',
    title: 'What was settled without a receipt',
    query: TABLE,
    read: async (look) => {
      const { shown, next } = readList(
        await listSettlements(look.desk.books, null),
        look,
        ({ id, at, invoice_number }) => `${id} ${invoice_number} ${at}`,
      );
      return { settlements: shown, next };
    },
  },
  claims: {
    path: '/claims',
    title: 'What is claimed',
    query: TABLE,
    isLong: always,
    read: async (look) => {
      const listed = await listClaims(look.desk.books, {});
      const { shown, next } = readList(listed.claims, look, ({ mismatch }) => mismatch.id);
      return { ...listed, claims: shown, next };
    },
  },
  claim: {
    path: '/claims/:id',
    title: 'A claim as it was filed, and what came of it',
    isLong: always,
    read: async ({ desk: { books }, parameters }) => {
      // A claim is named by its row of evidence; its letter, below this path, by any of its mismatches.
      const evidenceId = Number(/^\d{1,12}$/.exec(parameters.id ?? '')?.[0] ?? 0);
      const claims = (await listClaims(books, {})).claims.filter(({ claim }) => claim.evidence_id === evidenceId);
      if (claims.length === 0) throw new UsageError(because({ id: 'no-claim', claim: evidenceId }));
      return { id: evidenceId, claims };
    },
  },
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
    query: TABLE,
    isLong: always,
    read: async (look) => {
      const { shown, next } = readList(await listDecisions(look.desk.books), look, ({ id }) => id);
      return { decisions: shown, next };
    },
  },
  approvals: {
    path: '/approvals',
    title: 'Decisions that wait for a second person',
    query: TABLE,
    read: async (look) => {
      const { shown, next } = readList(await listApprovals(look.desk.books), look, ({ id }) => id);
      return { approvals: shown, next };
    },
  },
  views: {
    path: '/views',
    title: 'Filters with a name',
    query: TABLE,
    read: async (look) => {
      const { shown, next } = readList(await listViews(look.desk.books), look, ({ name }) => name);
      return { views: shown, next };
    },
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
