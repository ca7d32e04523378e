import { createHash } from 'node:crypto';
import { listApprovals } from '../app/approvals/list.ts';
import type { Books } from '../app/books.ts';
import { listCloses, readBooksState } from '../app/desk/books-state.ts';
import { listDecisions } from '../app/desk/decision-log.ts';
import { searchBooks } from '../app/desk/search.ts';
import { listViews } from '../app/desk/views.ts';
import { listClaims } from '../app/disputes/list.ts';
import { readBooksDocument, readBooksEvidence } from '../app/evidence/index.ts';
import { listImports } from '../app/import/undo.ts';
import { listReports } from '../app/report.ts';
import { listSettlements } from '../app/settle/list.ts';
import { showBooksClose, showBooksInvoice, showBooksOrder, showBooksReceipt, showBooksRun } from '../app/show/index.ts';
import { UsageError } from '../base/errors.ts';
import { fileText } from '../base/text.ts';
import { deskError } from '../words/errors/desk.ts';
import type { PageRequest } from './desk.ts';
import type { EvidenceModel, Models } from './models.ts';
import { requireSha256 } from './reading/address.ts';
import { readHome, readMonth } from './reading/home.ts';
import { readMismatch, readMismatchesPage } from './reading/mismatches.ts';
import { readDeskTable, readListPage } from './reading/read-table.ts';
import { readReceiptsPage } from './reading/receipts.ts';

/** A page that is read: its path, its parameters, and how its model is read. */
export interface ReadRoute<Name extends keyof Models> {
  readonly path: string;
  readonly title: string;
  /** Parameters of the address, besides `lang` and `format`. */
  readonly query?: readonly string[];
  /** Whether it adds up, sorts or searches the rows of the books: that takes long, so it is read in a thread. */
  readonly isLong?: (query: URLSearchParams) => boolean;
  /** Whether the checks are run for it, which takes longest: a second thread does that, so that no other page waits. */
  readonly isProof?: true;
  /** Whether something of it is still being computed, so that the browser asks for it again. */
  readonly isUnfinished?: (model: Models[Name]) => boolean;
  readonly read: (request: PageRequest) => Promise<Models[Name]>;
}

/** The pages of {@link READ_ROUTES}. The others have other routes, or take the place of one of these. */
export type PageName = Exclude<keyof Models, 'refusal' | 'deciding' | 'sync' | 'files' | 'map' | 'empty' | 'computing'>;

const always = () => true;

const TABLE_PARAMETERS = ['courier', 'limit', 'after', 'sort', 'text'];

const reportPage =
  (report: string) =>
  async ({ desk: { books }, path, query, everyRow }: PageRequest) => {
    // The dashboard shows one month: the last, if the address names none.
    const showsLast = report === 'dashboard' && !query.has('month');
    const last = showsLast ? (await readBooksState(books)).months.at(-1) : undefined;
    const periods = last ? [last.period] : null;
    return { table: await readDeskTable({ books, report, path, query, everyRow, periods }) };
  };

/**
 * Makes the function that reads a page of a list. In the model the list is the field `name`.
 *
 * @param keyOf names a row: the address of the next page says after which row it begins
 */
const listPage =
  <Name extends string, T extends object>(
    name: Name,
    list: (books: Books) => Promise<readonly T[]>,
    keyOf: (record: T) => string | number,
  ) =>
  async (request: PageRequest) => {
    const { shown, next } = readListPage(await list(request.desk.books), request, keyOf);
    const page: object = { [name]: shown, next };
    return page as Readonly<Record<Name, readonly T[]>> & { readonly next: string | null };
  };

/** Every page by its name, under which `Models` has its model and `PAGES` its component. */
export const READ_ROUTES: { readonly [Name in PageName]: ReadRoute<Name> } = {
  home: {
    path: '/',
    title: 'Months by currency',
    query: ['currency', ...TABLE_PARAMETERS],
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
    query: ['month', 'code', 'severity', 'status', 'invoice', 'order', 'currency', ...TABLE_PARAMETERS],
    isLong: always,
    read: readMismatchesPage,
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
    query: ['month', 'invoice', 'order', 'status', 'code', 'currency', ...TABLE_PARAMETERS],
    isLong: (query) => ['sort', 'text', 'code'].some((name) => query.has(name)),
    read: reportPage('orders'),
  },
  receipts: {
    path: '/receipts',
    title: 'Receipts and the invoices that they pay',
    query: ['month', 'invoice', 'status', 'currency', ...TABLE_PARAMETERS],
    isLong: always,
    read: readReceiptsPage,
  },
  receipt: {
    path: '/receipts/:id',
    title: 'All that is known of a receipt',
    read: ({ desk: { books }, parameters }) => showBooksReceipt(books, parameters.id ?? ''),
  },
  evidence: { path: '/evidence/:sha256', title: 'A document as received', query: ['field'], read: readEvidencePage },
  runs: { path: '/runs', title: 'Every sync and what it brought', query: TABLE_PARAMETERS, read: reportPage('runs') },
  run: {
    path: '/runs/:id',
    title: 'What a run brought',
    read: ({ desk: { books }, parameters }) => showBooksRun(books, parameters.id ?? ''),
  },
  imports: {
    path: '/imports',
    title: 'Files that were imported',
    query: TABLE_PARAMETERS,
    read: listPage('imports', listImports, ({ id }) => id),
  },
  closes: {
    path: '/closes',
    title: 'Months that were closed',
    query: TABLE_PARAMETERS,
    read: listPage('closes', listCloses, ({ id }) => id),
  },
  close: {
    path: '/closes/:month',
    title: 'The closes of a month, and what they froze',
    read: ({ desk: { books }, parameters }) => showBooksClose(books, parameters.month ?? ''),
  },
  settlements: {
    path: '/settlements',
    title: 'What was settled without a receipt',
    query: TABLE_PARAMETERS,
    read: listPage(
      'settlements',
      (books) => listSettlements(books, null),
      // A match has a row for each of its invoices.
      ({ id, at, invoice_number }) => `${id} ${invoice_number} ${at}`,
    ),
  },
  claims: {
    path: '/claims',
    title: 'What is claimed',
    query: TABLE_PARAMETERS,
    isLong: always,
    read: async (request) => {
      const listed = await listClaims(request.desk.books, {});
      const { shown, next } = readListPage(listed.claims, request, ({ mismatch }) => mismatch.id);
      return { ...listed, claims: shown, next };
    },
  },
  claim: {
    path: '/claims/:id',
    title: 'A claim as it was filed, and what came of it',
    isLong: always,
    read: async ({ desk: { books }, parameters }) => {
      // The id is that of the claim's evidence. The path of its letter, `/claims/:id/letter`, has a mismatch's instead.
      const evidenceId = Number(/^\d{1,12}$/.exec(parameters.id ?? '')?.[0] ?? 0);
      const claims = (await listClaims(books, {})).claims.filter(({ claim }) => claim.evidence_id === evidenceId);
      if (claims.length === 0) throw new UsageError(deskError({ id: 'no-claim', claim: evidenceId }));
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
    query: TABLE_PARAMETERS,
    isLong: always,
    read: listPage('decisions', listDecisions, ({ id }) => id),
  },
  approvals: {
    path: '/approvals',
    title: 'Decisions that wait for a second person',
    query: TABLE_PARAMETERS,
    read: listPage('approvals', listApprovals, ({ id }) => id),
  },
  views: {
    path: '/views',
    title: 'Filters with a name',
    query: TABLE_PARAMETERS,
    read: listPage('views', listViews, ({ name }) => name),
  },
  reports: {
    path: '/reports',
    title: 'The reports that there are',
    read: async () => ({ reports: listReports() }),
  },
  report: {
    path: '/reports/:name',
    title: 'A report',
    query: ['month', 'invoice', 'order', 'status', 'code', 'currency', ...TABLE_PARAMETERS],
    isLong: always,
    read: (request) => reportPage(request.parameters.name ?? '')(request),
  },
};

const MOST_CHARACTERS = 200_000;

/** A document as received, with its SHA-256 computed again. It is from outside, so it is always shown as text. */
async function readEvidencePage({ desk: { books }, parameters, query }: PageRequest): Promise<EvidenceModel> {
  const sha256 = requireSha256(parameters.sha256);
  const bytes = await readBooksDocument(books, sha256);
  const { documents } = await readBooksEvidence(books, sha256);
  const text = textOf(bytes);
  return {
    sha256,
    computed: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    text: text === null ? null : fileText(text.slice(0, MOST_CHARACTERS)),
    is_cut: text !== null && text.length > MOST_CHARACTERS,
    field: query.get('field') || null,
    documents,
  };
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
