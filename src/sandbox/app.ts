import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ReadCache } from './http/cache.ts';
import { newServer } from './http/server.ts';
import type { ResultShape } from './http/shapes.ts';
import { serveDocs } from './openapi/serve.ts';
import { servePages } from './pages/index.ts';
import { serveOperations } from './routes/serve.ts';
import type { Store } from './store/store.ts';

/** Where the API's paths start (spec, 'Versioning'). */
export const BASE_PATH = '/v1/external';

/** One answered request, for a log: ids and no more; never the key, a query (it may hold a phone number) or a body. */
export interface RequestEntry {
  id: string;
  merchant: number | null;
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  /** The failure behind a 500, which the caller is not told. */
  error?: unknown;
}

export interface AppOptions {
  store: Store;
  results: ResultShape;
  /** The address or name the service listens on; see `hostGuard`. */
  host?: string;
  now?: () => Date;
  /** Adds hooks to the API's routes that make them fail on demand; they run before the key is looked at. */
  faults?: (api: FastifyInstance) => void;
  log?: (entry: RequestEntry) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    merchant: number | null;
  }
}

/** The delivery company's service over an open store (spec, whole). The caller closes both, the app first. */
export async function buildApp({
  store,
  results,
  host,
  now = () => new Date(),
  faults,
  log,
}: AppOptions): Promise<FastifyInstance> {
  const app = await newServer({ host, hint: 'Paths end with a slash and are listed at /docs.' });
  app.decorateRequest('merchant', null);
  if (log) app.addHook('onResponse', async (request, reply) => log(entryOf(request, reply)));

  await serveDocs(app, results);
  servePages(app, store);
  await app.register(
    async (api) => {
      faults?.(api);
      serveOperations(api, { store, results, now, cache: new ReadCache(store) });
    },
    { prefix: BASE_PATH },
  );
  return app;
}

function entryOf(request: FastifyRequest, reply: FastifyReply): RequestEntry {
  return {
    id: request.id,
    merchant: request.merchant,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime),
    ...(request.failure ? { error: request.failure } : {}),
  };
}
