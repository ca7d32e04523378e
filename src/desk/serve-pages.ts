import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSeen } from '../app/desk/seen.ts';
import { API, sendFile, sendJson, sendJsonText, sendPage, shapeOf } from './answer.ts';
import type { Desk } from './desk.ts';
import { isReading } from './door/guard.ts';
import { contextOf, waitingContext } from './make-context.ts';
import { jsonText, modelJson } from './model-files.ts';
import type { Models } from './models.ts';
import { openapiDocument } from './openapi.ts';
import { drawnQuery } from './reading/asked.ts';
import { later } from './reading/late.ts';
import { ofCourier } from './reading/of-courier.ts';
import { type PageName, READ_ROUTES, type ReadRoute } from './routes.ts';
import type { Thread } from './thread/thread.ts';

interface Serving {
  readonly desk: Desk;
  readonly thread: Thread;
  /** The thread in which the checks are run. */
  readonly prover: Thread;
  readonly readOnly: boolean;
}

/** Sends the page of an address, to whoever sends a request; null where there is none. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply, address: string) => Promise<FastifyReply> | null;

/** Serves every page, as a page, as JSON and as a file; below /api/v1 too, where all of it is described. */
export function servePages(app: FastifyInstance, serving: Serving): ShowPage {
  const pages = (Object.keys(READ_ROUTES) as PageName[]).map((name) => {
    const { path } = READ_ROUTES[name];
    const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    return { pattern, handler: servePage(app, name, serving) };
  });
  const document = jsonText(openapiDocument());
  app.get(`${API}/openapi.json`, (_, reply) => sendJsonText(reply, Buffer.from(document)));
  return (request, reply, address) => {
    for (const { pattern, handler } of pages) {
      const found = pattern.exec(address.split('?')[0]!);
      if (!found || !isDecodable(address)) continue;
      const named = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]);
      return handler(request, reply, address, Object.fromEntries(named));
    }
    return null;
  };
}

/** How long a person waits for a page of large books before one that asks again takes its place. */
const PATIENCE_MS = 60;

/** What is read; null where that takes too long: it is read on. */
async function unlessLate<T>(reading: Promise<T>): Promise<T | null> {
  const model = await Promise.race([reading, later(PATIENCE_MS)]);
  if (model === null) reading.catch(() => {});
  return model;
}

function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

function servePage<Name extends PageName>(app: FastifyInstance, name: Name, serving: Serving) {
  const { desk, readOnly } = serving;
  const route: ReadRoute<Name> = READ_ROUTES[name];
  const thread = route.isProof ? serving.prover : serving.thread;
  const handler = async (
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    parameters: Readonly<Record<string, string>>,
  ) => {
    const [path = '/', search = ''] = address.split('?');
    const shape = shapeOf({ url: address, headers: request.headers });
    const query = shape === 'html' ? drawnQuery(search) : new URLSearchParams(search);
    // Before the model is read: what is decided meanwhile is a conflict, not something that was seen.
    const seen = await readSeen(desk.books);
    reply.header('remit-seen', seen.last);
    const isFile = shape === 'csv' || shape === 'xlsx';
    const whole = shape !== 'html';
    const look = { seen, path, parameters, all: isFile && !query.has('limit'), whole };
    const aside = { name, look: { ...look, search: `${query}` } };
    if (isFile) return sendFile(reply, name, shape, await thread.read('file', { ...aside, format: shape }));
    const isLong = route.isLong?.(query) ?? false;
    if (isLong && whole) return sendJsonText(reply, await thread.read('file', { ...aside, format: 'json' }));
    const reading = isLong
      ? (thread.kept('page', aside, seen.last) as Promise<Models[Name]>)
      : route.read({ ...look, desk: { ...desk, books: ofCourier(desk.books, query.get('courier')) }, query });
    if (whole) return sendJson(reply, modelJson(await reading));
    const where = { readOnly, path, query, seen };
    // What a refused form comes back on is not asked for again.
    const model = seen.isLarge && isReading(request) ? await unlessLate(reading) : await reading;
    if (model === null)
      return sendPage(reply.header('refresh', '1'), 'computing', null, waitingContext(request, desk, where));
    if (route.isUnfinished?.(model)) reply.header('refresh', '2');
    return sendPage(reply, name, model, contextOf(request, desk, where));
  };
  const asked = (request: FastifyRequest, reply: FastifyReply) =>
    handler(request, reply, request.url, { ...(request.params as Readonly<Record<string, string>>) });
  app.get(route.path, asked);
  app.get(`${API}${route.path}`, asked);
  return handler;
}
