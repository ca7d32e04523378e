import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import type { MerchantRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { logoPng } from './logo.ts';
import { TRACKING_POLICY, trackingPage } from './tracking.ts';

/** What the API's answers link to, open to everyone: merchants' logos and the pages that follow an order. */
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
