import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { isExecutable } from '../../base/executable.ts';
import { makeTemporaryFolder } from '../../base/files/temporary-folder.ts';
import { insideFile } from '../../base/program.ts';
import { pagePolicy } from '../http/headers.ts';
import type { ResultShape } from '../http/shapes.ts';
import { openApiDocument } from './document.ts';

/** The page loads its own files, the icons in its style sheet, and the API that it tries. */
const PAGE_POLICY = pagePolicy("script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'");

/** Serves the document at `/openapi.json` and a page to browse and try it at `/docs`. Neither needs a key. */
export async function serveDocs(app: FastifyInstance, results: ResultShape): Promise<void> {
  const document = openApiDocument(results);
  // biome-ignore lint/suspicious/noExplicitAny: the plugin's own type for a document knows OpenAPI 3.0 only
  await app.register(swagger, { mode: 'static', specification: { document: document as any } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    // Otherwise the page sends the document's address to a validator on the internet.
    uiConfig: { deepLinking: true, validatorUrl: null },
    ...(isExecutable && pageOutside(app)),
  });
  app.get('/openapi.json', async () => document);
}

/** The page serves files: an executable puts its own into a folder for as long as it serves them. */
function pageOutside(app: FastifyInstance) {
  const baseDir = makeTemporaryFolder();
  app.addHook('onClose', () => rmSync(baseDir, { recursive: true, force: true }));
  const files: Record<string, string> = JSON.parse(insideFile('docs-page.json').toString());
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(baseDir, name), text, 'base64');
  return { baseDir, logo: { type: 'image/svg+xml', content: Buffer.from(files['logo.svg']!, 'base64') } };
}
