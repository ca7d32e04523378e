import type { FastifyInstance } from 'fastify';
import { ICON } from './pages/icon.ts';
import { SCRIPT } from './pages/script.ts';
import { STYLE } from './pages/style.ts';

/** Serves the one script, the one style sheet and the icon. */
export function serveAssets(app: FastifyInstance): void {
  app.get('/desk.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT));
  app.get('/desk.svg', (_, reply) => reply.type('image/svg+xml').send(ICON));
  app.get('/desk.css', (_, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
}
