import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSeen } from '../app/desk/books-state.ts';
import { API, sendFile, sendJson, sendJsonText, sendPage, serveAt, shapeOf } from './answer.ts';
import type { Desk } from './desk.ts';
import { isReading } from './door/guard.ts';
import { contextOf, type PageView, waitingContext } from './make-context.ts';
import { escapedJson, modelJson } from './model-files.ts';
import type { Models } from './models.ts';
import { openapiDocument } from './openapi.ts';
import { booksOfCourier, drawnQuery } from './reading/address.ts';
import { LatestReadings } from './reading/latest.ts';
import { type PageName, READ_ROUTES, type ReadRoute } from './routes.ts';
import type { Thread } from './thread/thread.ts';

interface Serving {
  readonly desk: Desk;
  /** The thread in which pages are read that take long. */
  readonly thread: Thread;
  /** The thread in which the checks are run. */
  readonly proofThread: Thread;
}

/** Answers a request with the page of an address; null if that is no page. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply, address: string) => Promise<FastifyReply> | null;

/** Serves every page as HTML, as JSON and as a file, at its path and below /api/v1, which `openapi.json` describes. */
export function servePages(app: FastifyInstance, serving: Serving): ShowPage {
  const latest = new LatestReadings();
  // A request that does more than read may have decided something: no page shows again what was read before.
  app.addHook('onSend', async (request) => {
    if (!isReading(request)) latest.decided();
  });
  const pages = (Object.keys(READ_ROUTES) as PageName[]).map((name) => {
    const { path } = READ_ROUTES[name];
    // `/orders/:id` → `^/orders/(?<id>[^/]+)$`
    const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    return { pattern, handler: servePage(app, name, { ...serving, latest }) };
  });
  const document = escapedJson(openapiDocument());
  app.get(`${API}/openapi.json`, (_, reply) => sendJsonText(reply, Buffer.from(document)));
  return (request, reply, address) => {
    for (const { pattern, handler } of pages) {
      const match = pattern.exec(address.split('?')[0]!);
      if (!match || !isDecodable(address)) continue;
      const parameters = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]);
      return handler(request, reply, address, Object.fromEntries(parameters));
    }
    return null;
  };
}

function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

function servePage<Name extends PageName>(
  app: FastifyInstance,
  name: Name,
  serving: Serving & { readonly latest: LatestReadings },
) {
  const { desk, latest } = serving;
  const route: ReadRoute<Name> = READ_ROUTES[name];
  const thread = route.isProof ? serving.proofThread : serving.thread;
  const isFinished = (model: Models[Name]) => !route.isUnfinished?.(model);
  /** Draws the page. Of large books it draws what was read lately, or a page that asks again until all is read. */
  const draw = async (
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    { start, ...view }: PageView & { readonly start: () => Promise<Models[Name]> },
  ) => {
    const { seen } = view;
    // A refused form's page is the answer to a POST: the browser could not ask for it again, so it is waited for.
    const mayAskAgain = seen.isLarge && isReading(request);
    const reading = mayAskAgain
      ? await latest.read(address, seen, { start, isFinished })
      : { model: await start(), seen };
    // Nothing was read in time: a page that only waits asks for this one again, in a second.
    if (reading === null) {
      return sendPage(reply.header('refresh', '1'), 'computing', null, waitingContext(request, desk, view));
    }
    // An earlier reading may be shown, which saw less of the books.
    reply.header('remit-seen', reading.seen.last);
    if (!isFinished(reading.model)) reply.header('refresh', '2');
    return sendPage(reply, name, reading.model, contextOf(request, desk, { ...view, seen: reading.seen }));
  };
  /** Answers with the page of `address`: the request's, or that of a refused form, which is shown again. */
  const handler = async (
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    parameters: Readonly<Record<string, string>>,
  ) => {
    const [path = '/', search = ''] = address.split('?');
    const shape = shapeOf({ url: address, headers: request.headers });
    const query = shape === 'html' ? drawnQuery(search) : new URLSearchParams(search);
    // Read before the model: what is decided meanwhile is a conflict, not something that was seen.
    const seen = await readSeen(desk.books);
    // A program sends this number back as `seen`, with its decision.
    reply.header('remit-seen', seen.last);
    const isFile = shape === 'csv' || shape === 'xlsx';
    const isLong = route.isLong?.(query) ?? false;
    const wholeLists = shape !== 'html';
    const pageRequest = { seen, path, parameters, everyRow: isFile && !query.has('limit'), wholeLists };
    const forThread = { name, request: { ...pageRequest, search: `${query}` } };
    const start = (): Promise<Models[Name]> => {
      if (isLong) return thread.readCached('page', forThread, seen.last) as Promise<Models[Name]>;
      const books = booksOfCourier(desk.books, query.get('courier'));
      return route.read({ ...pageRequest, desk: { ...desk, books }, query });
    };
    if (shape === 'html') return draw(request, reply, address, { path, query, seen, start });
    if (isFile) return sendFile(reply, name, shape, await thread.read('file', { ...forThread, format: shape }));
    if (isLong) return sendJsonText(reply, await thread.read('file', { ...forThread, format: 'json' }));
    return sendJson(reply, modelJson(await start()));
  };
  const answer = (request: FastifyRequest, reply: FastifyReply) =>
    handler(request, reply, request.url, { ...(request.params as Readonly<Record<string, string>>) });
  serveAt(app, route.path, { method: 'GET', handler: answer });
  return handler;
}
