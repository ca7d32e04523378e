import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Faults } from './faults/faults.ts';
import { addFaults } from './faults/hooks.ts';
import { newServer } from './http/server.ts';
import type { ResultShape } from './http/shapes.ts';
import { serveDocs } from './openapi/document.ts';
import { serveLinkedPages } from './routes/pages.ts';
import { serveOperations } from './routes/serve.ts';
import type { Store } from './store/store.ts';

/** The beginning of every path of the API (spec, 'Versioning'). */
export const BASE_PATH = '/v1/external';

/** One answered request, for the log: never its key, its query (which may have a phone number) or its body. */
export interface RequestEntry {
  id: string;
  merchant: number | null;
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  /** The failure behind a 500; the caller does not see it. */
  error?: unknown;
}

export interface AppOptions {
  store: Store;
  results: ResultShape;
  /** The address or name the service listens on; see `hostGuard`. */
  host?: string;
  now?: () => Date;
  /** Faults to simulate; see `parseFaults`. */
  faults?: Faults;
  log?: (entry: RequestEntry) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    merchant: number | null;
  }
}

/** Builds the delivery company's service (the whole spec) over an open store. The caller closes both, the app first. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, results, host, now = () => new Date(), faults, log } = options;
  const app = await newServer({ host, hint: 'Paths end with a slash and are listed at /docs.' });
  app.decorateRequest('merchant', null);
  if (log) app.addHook('onResponse', async (request, reply) => log(entryOf(request, reply)));

  await serveDocs(app, results);
  serveLinkedPages(app, store);
  await app.register(
    async (api) => {
      if (faults) addFaults(api, faults, now);
      serveOperations(api, { store, results, now });
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
