import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { VNode } from 'preact';
import { documentOf } from '../render/html/page.tsx';
import type { DeskContext } from './context.ts';
import { isReading, SAFE_HEADERS } from './door/guard.ts';
import { deskLanguage, requestedLanguage } from './languages.ts';
import { escapedJson } from './model-files.ts';
import type { Models } from './models.ts';
import { ClaimPage, ClaimsPage } from './pages/claims.tsx';
import { DecidingPage } from './pages/deciding.tsx';
import { FilesPage } from './pages/files.tsx';
import { HomePage } from './pages/home.tsx';
import { ApprovalsPage, ClosesPage, DecisionsPage, ImportsPage, SettlementsPage, ViewsPage } from './pages/lists.tsx';
import { MapPage } from './pages/map.tsx';
import { MismatchPage } from './pages/mismatch.tsx';
import { MismatchesPage } from './pages/mismatches.tsx';
import { MonthPage } from './pages/month.tsx';
import { PlainPage } from './pages/parts/head.tsx';
import { inContext } from './pages/parts/shell.tsx';
import { ReceiptsPage } from './pages/receipts.tsx';
import { RefusalPage } from './pages/refusal.tsx';
import { ReportPage, ReportsPage, RowsPage, RunsPage } from './pages/reports.tsx';
import { SearchPage } from './pages/search.tsx';
import { ComputingPage, EmptyPage, SyncPage } from './pages/sync.tsx';
import { ClosePage, EvidencePage, InvoicePage, OrderPage, ReceiptPage, RunPage } from './pages/thing-pages.tsx';
import { refusalOf, saysNoMonthYet } from './refusal.ts';

/** How an answer is written. */
export type Shape = 'html' | 'json' | 'csv' | 'xlsx';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The content types of files, by the endings of their names. */
const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  bin: 'application/octet-stream',
} as const;

/** Every answer below this path is JSON, unless the address names another format. */
export const API = '/api/v1';

/** Serves a path, and the same path below {@link API}. */
export function serveAt(app: FastifyInstance, path: string, route: Omit<RouteOptions, 'url'>): void {
  for (const url of [path, `${API}${path}`]) app.route({ ...route, url });
}

/** The shape that a request's address names, else the one that it accepts. A browser gets HTML. */
export function shapeOf({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): Shape {
  const [path = '', query] = url.split('?');
  const format = new URLSearchParams(query).get('format');
  if (format === 'csv' || format === 'xlsx' || format === 'json') return format;
  if (path === API || path.startsWith(`${API}/`) || headers.authorization !== undefined) return 'json';
  const accept = headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('text/html') ? 'json' : 'html';
}

export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply.type(JSON_TYPE).send(escapedJson(value));
}

/** Sends JSON that is in bytes already, such as a thread's. */
export function sendJsonText(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  return reply.type(JSON_TYPE).send(bufferOf(bytes));
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Sends a page from its `<html>` element. */
export function sendHtml(reply: FastifyReply, page: VNode): FastifyReply {
  return reply.type(FILE_TYPES.html).send(documentOf(page));
}

/** Draws a page from its model: the whole `<html>` element. All else, such as the language, comes from `usePage`. */
type Page<Model> = (model: Model) => VNode;

const PAGES: { readonly [Name in keyof Models]: Page<Models[Name]> } = {
  home: HomePage,
  month: MonthPage,
  mismatches: MismatchesPage,
  mismatch: MismatchPage,
  invoice: InvoicePage,
  order: OrderPage,
  rows: RowsPage,
  receipts: ReceiptsPage,
  receipt: ReceiptPage,
  evidence: EvidencePage,
  runs: RunsPage,
  run: RunPage,
  imports: ImportsPage,
  closes: ClosesPage,
  close: ClosePage,
  settlements: SettlementsPage,
  claims: ClaimsPage,
  claim: ClaimPage,
  search: SearchPage,
  decisions: DecisionsPage,
  approvals: ApprovalsPage,
  views: ViewsPage,
  reports: ReportsPage,
  report: ReportPage,
  refusal: RefusalPage,
  deciding: DecidingPage,
  sync: SyncPage,
  files: FilesPage,
  map: MapPage,
  empty: EmptyPage,
  computing: ComputingPage,
};

export function sendPage<Name extends keyof Models>(
  reply: FastifyReply,
  name: Name,
  model: Models[Name],
  desk: DeskContext,
): FastifyReply {
  const page = inContext(desk, () => PAGES[name](model));
  return sendHtml(reply, page);
}

/** Sends a file to download. */
export function sendFile(
  reply: FastifyReply,
  name: string,
  ending: keyof typeof FILE_TYPES,
  bytes: Uint8Array,
): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${name}.${ending}"`)
    .type(FILE_TYPES[ending])
    .send(bufferOf(bytes));
}

/** What the answer to a failure needs from the desk. */
export interface RefusalSurroundings {
  /** Called with each failure that was not foreseen. */
  readonly onFailure: (error: unknown) => void;
  /** The context of a page, for a person who was let in; null for anybody else. */
  readonly contextFor: (request: FastifyRequest) => Promise<DeskContext | null>;
}

/** Answers a failure: as JSON to a program, as a page to a person. What was not foreseen is not explained to either. */
export async function answerRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { onFailure, contextFor }: RefusalSurroundings,
): Promise<FastifyReply> {
  const refusal = refusalOf(error, { isReading: isReading(request) });
  const { status } = refusal;
  if (status >= 500) onFailure(error);
  // Set here too: what Fastify refuses itself runs no hooks.
  reply.status(status).headers(SAFE_HEADERS);
  if (shapeOf(request) !== 'html') return sendJson(reply, { error: refusal });
  // Where the books themselves cannot be read, their page cannot be made either.
  const context = await contextFor(request).catch(() => null);
  // Nothing is wrong with books that only begin.
  if (context && saysNoMonthYet(refusal)) return sendPage(reply.status(200), 'empty', null, context);
  if (context) return sendPage(reply, 'refusal', refusal, context);
  const language = deskLanguage(requestedLanguage(request));
  const { message, hint } = language.explain(refusal.explanation);
  return sendHtml(reply, PlainPage({ language, title: String(status), text: `${message}\n\n${hint}` }));
}
