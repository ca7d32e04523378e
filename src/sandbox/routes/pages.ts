import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { pagePolicy } from '../http/host.ts';
import type { MerchantRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

const SIZE = 128;
const WHITE = [255, 255, 255];

/**
 * A merchant's logo as PNG: a tile in the brand colour with a white parcel on it.
 *
 * @param color a hex colour such as `#0F766E`
 */
function logoPng(color: string): Buffer {
  const brand = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) || 0);
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3));
  for (let y = 0, at = 0; y < SIZE; y++) {
    rows[at++] = 0; // a row's filter: none
    for (let x = 0; x < SIZE; x++) {
      for (const channel of isParcel(x, y) ? WHITE : brand) rows[at++] = channel;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits a channel, RGB, default methods, not interlaced
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A box with a seam under its lid and a strip of tape across it. */
function isParcel(x: number, y: number): boolean {
  const inBox = x >= 32 && x < 96 && y >= 36 && y < 96;
  const seam = y >= 54 && y < 58;
  const tape = x >= 60 && x < 68 && y < 54;
  return inBox && !seam && !tape;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** The pages and pictures that the API links to, without a key: tracking pages and merchants' logos. */
export function serveLinkedPages(app: FastifyInstance, store: Store): void {
  app.get<{ Params: { merchant: string } }>('/brand/:merchant/logo.png', async (request, reply) => {
    const row = store.get<MerchantRow>('select * from merchant where id = ?', request.params.merchant);
    if (!row) throw notFound('Merchant');
    return reply.type('image/png').header('cache-control', 'max-age=3600').send(logoPng(row.primary_color));
  });
  for (const path of ['/track/:order/', '/dashboard/orders/:order/']) {
    app.get<{ Params: { order: string } }>(path, async (request, reply) => {
      const page = trackingPage(store, request.params.order);
      return reply.type('text/html; charset=utf-8').header('content-security-policy', TRACKING_POLICY).send(page);
    });
  }
}

const STYLE = `
body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #1f2937 }
ol { padding-left: 1.2rem } time { color: #6b7280 }
`;

/** The policy of {@link trackingPage}: nothing but the style in it. */
const TRACKING_POLICY = pagePolicy(`style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`);

/**
 * The page behind an order's links: its states and their times. It shows neither customer nor money, since anyone with
 * the link may open it.
 *
 * @throws ServiceError 404 if there is no such order
 */
function trackingPage(store: Store, orderId: string): string {
  const sql = 'select delivery_state, stamped_at from statestamp where order_id = ? order by position';
  const stamps = store.all<{ delivery_state: string; stamped_at: string }>(sql, orderId);
  if (stamps.length === 0) throw notFound('Order');
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
