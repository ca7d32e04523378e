import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { ResultShape } from '../http/shapes.ts';
import { openApiDocument } from './document.ts';

/** Serves the document at `/openapi.json` and a page to browse and try it at `/docs`, both open to everyone. */
export async function serveDocs(app: FastifyInstance, results: ResultShape): Promise<void> {
  const document = openApiDocument(results);
  // biome-ignore lint/suspicious/noExplicitAny: the plugin's own type for a document knows OpenAPI 3.0 only
  await app.register(swagger, { mode: 'static', specification: { document: document as any } });
  await app.register(swaggerUi, { routePrefix: '/docs', uiConfig: { deepLinking: true } });
  app.get('/openapi.json', async () => document);
}
