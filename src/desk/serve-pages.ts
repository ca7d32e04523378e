import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSeen } from '../app/desk/seen.ts';
import { API, sendFile, sendJson, sendJsonText, sendPage, shapeOf } from './answer.ts';
import type { Desk } from './desk.ts';
import { contextOf } from './make-context.ts';
import { jsonText, modelJson } from './model-files.ts';
import type { Models } from './models.ts';
import { openapiDocument } from './openapi.ts';
import { drawnQuery } from './reading/asked.ts';
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

/** Serves every page, as a page, as JSON and as a file; below /api/v1 too, where all of it is described. */
export function servePages(app: FastifyInstance, serving: Serving): void {
  for (const name of Object.keys(READ_ROUTES) as PageName[]) servePage(app, name, serving);
  const document = jsonText(openapiDocument());
  app.get(`${API}/openapi.json`, (_, reply) => sendJsonText(reply, Buffer.from(document)));
}

function servePage<Name extends PageName>(app: FastifyInstance, name: Name, serving: Serving): void {
  const { desk, readOnly } = serving;
  const route: ReadRoute<Name> = READ_ROUTES[name];
  const thread = route.isProof ? serving.prover : serving.thread;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '/', search = ''] = request.url.split('?');
    const shape = shapeOf(request);
    const query = shape === 'html' ? drawnQuery(search) : new URLSearchParams(search);
    // Before the model is read: what is decided meanwhile is a conflict, not something that was seen.
    const seen = await readSeen(desk.books);
    reply.header('remit-seen', seen.last);
    const isFile = shape === 'csv' || shape === 'xlsx';
    const whole = shape !== 'html';
    const look = { seen, path, parameters: parametersOf(request), all: isFile && !query.has('limit'), whole };
    const aside = { name, look: { ...look, search: `${query}` } };
    if (isFile) return sendFile(reply, name, shape, await thread.read('file', { ...aside, format: shape }));
    const isLong = route.isLong?.(query) ?? false;
    if (isLong && whole) return sendJsonText(reply, await thread.read('file', { ...aside, format: 'json' }));
    const model = isLong
      ? ((await thread.kept('page', aside, seen.last)) as Models[Name])
      : await route.read({ ...look, desk: { ...desk, books: ofCourier(desk.books, query.get('courier')) }, query });
    if (whole) return sendJson(reply, modelJson(model));
    return sendPage(reply, name, model, contextOf(request, desk, { readOnly, path, query, seen }));
  };
  app.get(route.path, handler);
  app.get(`${API}${route.path}`, handler);
}

function parametersOf({ params }: FastifyRequest): Readonly<Record<string, string>> {
  return { ...(params as Readonly<Record<string, string>>) };
}
