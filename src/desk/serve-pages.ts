import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSeen } from '../app/desk/seen.ts';
import { API, modelJson, sendFile, sendJson, sendPage, shapeOf } from './answer.ts';
import type { Desk } from './desk.ts';
import { contextOf } from './make-context.ts';
import { openapiDocument } from './openapi.ts';
import { type PageName, READ_ROUTES, type ReadRoute } from './routes.ts';

interface Serving {
  readonly readOnly: boolean;
}

/** Serves every page, as a page, as JSON and as a file; below /api/v1 too, where all of it is described. */
export function servePages(app: FastifyInstance, desk: Desk, { readOnly }: Serving): void {
  for (const name of Object.keys(READ_ROUTES) as PageName[]) servePage(app, name, desk, { readOnly });
  const document = openapiDocument();
  app.get(`${API}/openapi.json`, (_, reply) => sendJson(reply, document));
}

function servePage<Name extends PageName>(app: FastifyInstance, name: Name, desk: Desk, { readOnly }: Serving): void {
  const route: ReadRoute<Name> = READ_ROUTES[name];
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '/', search] = request.url.split('?');
    const query = new URLSearchParams(search);
    const shape = shapeOf(request);
    // Before the model is read: what is decided meanwhile is a conflict, not something that was seen.
    const { last: seen } = await readSeen(desk.books);
    reply.header('remit-seen', seen);
    const look = {
      desk,
      path,
      parameters: parametersOf(request),
      query,
      all: shape !== 'html' && shape !== 'json' && !query.has('limit'),
    };
    const model = await route.read(look);
    if (shape === 'json') return sendJson(reply, modelJson(model));
    if (shape !== 'html') return sendFile(reply, name, model, shape);
    return sendPage(reply, name, model, contextOf(request, desk, { readOnly, path, query, seen }));
  };
  app.get(route.path, handler);
  app.get(`${API}${route.path}`, handler);
}

function parametersOf({ params }: FastifyRequest): Readonly<Record<string, string>> {
  return params as Readonly<Record<string, string>>;
}
