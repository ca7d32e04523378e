import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { pagePolicy } from '../http/headers.ts';
import type { MerchantRow, StatestampRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { logoPng } from './logo.ts';

/** The pages and pictures that the API links to, without a key: tracking pages and merchants' logos. */
export function servePages(app: FastifyInstance, store: Store): void {
  app.get<{ Params: { merchant: string } }>('/brand/:merchant/logo.png', async (request, reply) => {
    const row = store.get<MerchantRow>('select * from merchant where id = ?', request.params.merchant);
    if (!row) throw notFound('Merchant');
    return reply.type('image/png').header('cache-control', 'max-age=3600').send(logoPng(row.primary_color));
  });
  for (const path of ['/track/:order/', '/dashboard/orders/:order/']) {
    app.get<{ Params: { order: string } }>(path, async (request, reply) => {
      const page = trackingPage(store, request.params.order);
      if (page === undefined) throw notFound('Order');
      return reply.type('text/html; charset=utf-8').header('content-security-policy', TRACKING_POLICY).send(page);
    });
  }
}

const STYLE = `
body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #1f2937 }
ol { padding-left: 1.2rem } time { color: #6b7280 }
`;

/** The policy of {@link trackingPage}: only its own style. */
const TRACKING_POLICY = pagePolicy(`style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`);

/**
 * The page behind an order's links: its states and their times. It shows neither customer nor money, since anyone with
 * the link may open it. Undefined if there is no such order.
 */
function trackingPage(store: Store, orderId: string): string | undefined {
  const stamps = store.all<StatestampRow>('select * from statestamp where order_id = ? order by position', orderId);
  if (stamps.length === 0) return undefined;
  const steps = stamps.map(
    ({ delivery_state, stamped_at }) =>
      `<li><b>${delivery_state.replaceAll('_', ' ')}</b> <time>${stamped_at.slice(0, 16).replace('T', ' ')} UTC</time></li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Order ${orderId}</title>
<style>${STYLE}</style>
<h1>Order ${orderId}</h1>
<ol>
${steps.join('\n')}
</ol>
</html>
`;
}
