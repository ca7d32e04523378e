import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SCRIPT } from './pages/script.ts';
import { DESK_STYLE } from './pages/style.ts';

/** In the browser's tab: two columns that agree but for one line. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="16" height="16" rx="3" fill="#0b57a4"/>
<path d="M3 5h4M3 8h4M3 11h4M9 5h4M9 11h4" stroke="#fff" stroke-width="1.5"/>
<path d="M9 8h2" stroke="#ffc766" stroke-width="1.5"/>
</svg>
`;

/** Style and icon are served to anybody, for the page that lets nobody in: nothing of the books is in them. */
export function isLook({ url }: Pick<FastifyRequest, 'url'>): boolean {
  return url === '/desk.css' || url === '/desk.svg';
}

export function serveAssets(app: FastifyInstance): void {
  app.get('/desk.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT));
  app.get('/desk.svg', (_, reply) => reply.type('image/svg+xml').send(ICON));
  app.get('/desk.css', (_, reply) => reply.type('text/css; charset=utf-8').send(DESK_STYLE));
}
