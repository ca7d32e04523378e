import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import cookie from '@fastify/cookie';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify';
import { type Books, usingBooks, zoneOf } from '../app/books.ts';
import { findToken } from '../app/desk/tokens.ts';
import { LedgerError } from '../base/errors.ts';
import { type ConfigSources, loadConfig } from '../config/index.ts';
import { deskError } from '../words/errors/desk.ts';
import { answerRefusal, type RefusalSurroundings } from './answer.ts';
import { FIELDS_LIMIT } from './deciding/body.ts';
import { Turns } from './deciding/once.ts';
import { Staged } from './deciding/staged.ts';
import type { Desk } from './desk.ts';
import { Door } from './door/door.ts';
import { type Address, isReading, requireHost, requireOwnPage, SAFE_HEADERS } from './door/guard.ts';
import type { Who } from './door/sessions.ts';
import { clearSocket, notAvailable, openSocket } from './door/socket.ts';
import { Team, type TeamOptions } from './door/team.ts';
import { personsContext } from './make-context.ts';
import { Refusal } from './refusal.ts';
import { isLook, serveAssets } from './serve-assets.ts';
import { serveDecisions } from './serve-decisions.ts';
import { serveDownloads } from './serve-downloads.ts';
import { servePages } from './serve-pages.ts';
import { serveSettings } from './serve-settings.ts';
import { serveSyncs } from './serve-syncs.ts';
import { type BeforeSync, Syncs } from './syncs/syncs.ts';
import { Thread } from './thread/thread.ts';
import { isWebhook, type Webhooks } from './webhooks.ts';

export const REQUEST_TIMEOUT_MS = 30_000;

export interface DeskOptions {
  readonly books: Books;
  /** Where the settings of the books are read from: the desk reads them again with requests, and its threads do. */
  readonly sources: ConfigSources;
  /** Who decides at this desk, unless a team does. */
  readonly user: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly readOnly: boolean;
  /** How a team gets in; null for one person on this machine. */
  readonly team: TeamOptions | null;
  /** Called with each failure that was not foreseen. */
  readonly onFailure: (error: unknown) => void;
  /** What takes the couriers' webhooks; null if nothing does. */
  readonly webhooks?: Webhooks | null;
  /** Starts what a sync needs, such as the demo's delivery company. */
  readonly beforeSync?: BeforeSync;
  /** The set-up that ran before: the desk goes on at its address, and whoever is signed in there stays so. */
  readonly setupListener?: SetupListener;
}

/** What listens during the set-up, before there are books. The desk takes over its door and its address. */
export interface SetupListener {
  readonly door: Door;
  readonly origin: string;
  /** Lets the desk answer all requests from now on. */
  readonly takeOver: (handler: (request: IncomingMessage, reply: ServerResponse) => void) => void;
}

export interface RunningDesk {
  /** Where people see the desk, with a slash at its end. */
  readonly url: string;
  /** The link that lets its first visitor in; null if a team's proxy says who comes. */
  readonly openUrl: string | null;
  /** Resolves when the link was used; never if there is none. */
  readonly entered: Promise<void>;
  /** Where it listens: an address of this machine, or a socket. */
  readonly listens: string;
  /** Begins a sync of everything. @returns its page */
  beginSync(): string;
  close(): Promise<void>;
}

/**
 * Runs the web desk until it is closed: on this machine alone, or behind a team's proxy.
 *
 * @throws UsageError when the port or the socket is not available
 */
export async function startDesk(options: DeskOptions): Promise<RunningDesk> {
  const { sources, user, port, readOnly, team, onFailure, setupListener } = options;
  // Who starts a team's desk is none of the people at it.
  const booksAtStart = { ...options.books, readOnly, ...(team && { isNamed: false }) };
  await recordAtStart(booksAtStart);
  // `onRecord`: these settings count until a decision or a sync reads remit.toml again.
  const books: Books = { ...booksAtStart, isTeams: team !== null, onRecord: true };
  const door = setupListener?.door ?? new Door(user, books.now);
  const entrance = team ? new Team(team) : door;
  const thread = new Thread(books, sources);
  // The checks take longest: they have a thread to themselves, so that no other page waits for them.
  const proofThread = new Thread(books, sources);
  // The threads keep these results until something is added to the books (`last`), or to what figures depend on
  // (`figures`).
  const desk: Desk = {
    books,
    proof: (seen) => proofThread.readCached('proof', {}, seen.figures),
    readyToClose: (lacking, seen) => proofThread.readCached('readyToClose', { lacking }, seen.last),
    figures: (request, seen) => thread.readCached('figures', request, seen.figures),
  };
  // Set below, when the desk listens: the hooks read it with each request.
  let address: Address = { origin: '', host: '' };
  const app = newDeskServer({ onFailure, contextFor: (request) => personsContext(request, desk) });
  await app.register(cookie);
  const { webhooks = null } = options;
  if (webhooks !== null) serveWebhooks(app, webhooks);
  app.addHook('onRequest', async (request: FastifyRequest) => {
    requireHost(request, address);
    entrance.requireProxy(request);
    // The link that lets the first visitor in.
    if (team === null && request.url.split('?')[0] === '/open') return;
    // Style and icon are for anybody.
    if (isReading(request) && isLook(request)) return;
    const { authorization } = request.headers;
    // Read anew: whoever is taken off a list, or put under a limit, is so from the next request on.
    if (team !== null || !isReading(request)) request.settings = await loadConfig(sources);
    const roles = request.settings?.desk ?? books.config.desk;
    request.who = authorization === undefined ? entrance.who(request, roles) : await programOf(books, authorization);
    if (request.who === null) throw notLetIn();
    if (isReading(request)) return;
    if (request.who.kind === 'person') requireOwnPage(request, address);
    if (readOnly || request.who.role === 'reader') throw new Refusal(403, 'read-only', deskError({ id: 'reads-only' }));
  });
  if (team === null) serveDoor(app, door);
  serveAssets(app);
  const showPage = servePages(app, { desk, thread, proofThread });
  serveDownloads(app, books, proofThread);
  const staged = new Staged();
  const turns = new Turns();
  await serveDecisions(app, { desk, showPage, staged, turns });
  serveSettings(app, { desk, staged, turns, sources });
  const syncs = new Syncs(options.beforeSync ?? (async () => null));
  serveSyncs(app, { desk, sources, syncs });
  app.addHook('onClose', async () => {
    await Promise.all([thread.close(), proofThread.close(), syncs.close()]);
  });
  const listens = setupListener ? await goOnAt(setupListener, app) : await listen(app, team?.socket ?? port);
  address = team === null ? addressOf(listens) : addressOf(team.publicOrigin);
  door.cookie = `remit_desk_${new URL(address.origin).port}`;
  const openUrl = team === null ? `${address.origin}${door.path()}` : null;
  const beginSync = () => {
    const now = books.now().getTime();
    // No courier is named, so all are meant; without a period, the months that `remit sync` chooses.
    return `/syncs/${syncs.start({ sources, by: user, couriers: [], period: null, orders: true, now }).id}`;
  };
  return { url: `${address.origin}/`, openUrl, entered: door.entered, listens, beginSync, close: () => app.close() };
}

/** A webhook bears a signature instead of a cookie, so it is answered before the desk looks who sends a request. */
function serveWebhooks(app: FastifyInstance, webhooks: Webhooks): void {
  app.addHook('onRequest', async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    if (!isWebhook(raw)) return;
    reply.hijack();
    await webhooks.answer(raw, reply.raw);
  });
}

/**
 * Records the settings in the ledger, and makes the ledger of new books. A ledger out of reach may come back later: the
 * desk starts without it.
 *
 * @throws ConfigError if a month was closed in another time zone than the one that is set
 */
async function recordAtStart(books: Books): Promise<void> {
  try {
    // Records nothing if it may only read, but says where remit.toml differs from what is on record.
    if (books.readOnly) await zoneOf(books, 'record');
    else await usingBooks(books, { create: true, allCouriers: true }, async () => {});
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
  }
}

/** The program whose token is in an `Authorization` header, the only place for one; null for an unknown token. */
async function programOf(books: Books, authorization: string): Promise<Who | null> {
  const [, secret] = /^Bearer ([\w-]{1,200})$/i.exec(authorization) ?? [];
  const token = secret === undefined ? null : await findToken(books, secret);
  return token && { kind: 'program', user: token.name, role: token.role };
}

export function addressOf(origin: string): Address {
  return { origin, host: new URL(origin).host };
}

export function serveDoor(app: FastifyInstance, door: Door): void {
  const handler = (request: FastifyRequest, reply: FastifyReply) => door.open(request, reply);
  app.route({ method: 'GET', url: '/open', exposeHeadRoute: false, handler });
  // A program that previews links must not use this one up.
  app.head('/open', (_, reply) => reply.send());
}

/** @param serverFactory makes the server, if a desk is to take it over later */
export function newDeskServer(
  surroundings: RefusalSurroundings,
  serverFactory?: FastifyServerFactory,
): FastifyInstance {
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerRefusal(error, request, reply, surroundings);
  const app = Fastify({
    bodyLimit: FIELDS_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    // A request without a host is refused by the desk itself, with its headers.
    ...(serverFactory ? { serverFactory } : { http: { requireHostHeader: false } }),
    clientErrorHandler: refuseUnread,
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error: FastifyError, request, reply) =>
      void refuse(error, request as FastifyRequest, reply as FastifyReply),
  });
  app.decorateRequest('who', null);
  app.decorateRequest('settings', null);
  app.decorateRequest('fault', null);
  app.server.on('checkExpectation', refuseExpectation);
  app.addHook('onRequest', async (_, reply) => void reply.headers(SAFE_HEADERS));
  app.setErrorHandler(refuse);
  app.setNotFoundHandler(() => {
    throw new Refusal(404, 'no-page', deskError({ id: 'no-page' }));
  });
  return app;
}

/** By the error of Node's HTTP parser; 400 for any other. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** Refuses bytes that are no HTTP request, too many or too slow, with the same headers as any answer, and hangs up. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status = STATUSES[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ error: notUnderstood() });
  const headers = { ...SAFE_HEADERS, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'connection: close', '', ''].join('\r\n');
  if (socket.writable) socket.write(head + body);
  socket.destroySoon();
}

/** Refuses a request whose `Expect` header is not `100-continue`. */
function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { ...SAFE_HEADERS, 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: notUnderstood() }));
}

function notUnderstood(): Refusal {
  return new Refusal(
    400,
    'request',
    deskError({ id: 'not-understood', why: 'this is no request that the desk takes' }),
  );
}

export function notLetIn(): Refusal {
  return new Refusal(401, 'session', deskError({ id: 'not-let-in' }));
}

/** Answers at the address where the set-up listened. @returns its origin */
async function goOnAt({ origin, takeOver }: SetupListener, app: FastifyInstance): Promise<string> {
  await app.ready();
  takeOver((request, reply) => app.routing(request, reply));
  return origin;
}

const HOST = '127.0.0.1';

/** Listens on a port of this machine, or on a socket. @returns its origin, or the socket's path */
export async function listen(app: FastifyInstance, portOrSocket: number | string): Promise<string> {
  try {
    if (typeof portOrSocket === 'string') {
      await clearSocket(portOrSocket);
      await app.listen({ path: portOrSocket });
      openSocket(portOrSocket);
      return portOrSocket;
    }
    await app.listen({ port: portOrSocket, host: HOST });
    return `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
  } catch (error) {
    await app.close();
    throw notAvailable(error, portOrSocket);
  }
}
