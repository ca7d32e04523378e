/**
 * A courier that only serves: every answer is a buffer made before the first request, so that what is measured is remit and
 * not the server. Run as a process of its own; prints its URL as one line of JSON.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [months = '2026-10', invoicesPerMonth = '200', rowsPerInvoice = '500', withOrders = 'no'] = process.argv.slice(2);
const INVOICES = Number(invoicesPerMonth);
const ROWS = Number(rowsPerInvoice);
const PAGE = 100;

const answers = new Map<string, Buffer>();
const answer = (path: string, body: unknown) => answers.set(path, Buffer.from(JSON.stringify(body)));

/** A deterministic spread of amounts: cents as integers, so that sums are exact without the code under test. */
const codCents = (index: number) => 500 + ((index * 7919) % 20_000);
const lbp = (index: number) => (index % 2 === 0 ? 50_000 * (1 + (index % 60)) : 0);
const money = (cents: number) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

function row(id: string, index: number) {
  return {
    order_id: id,
    reference_id: `SHOP-${String(index).padStart(7, '0')}`,
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    cod: [['USD', money(codCents(index))], ...(lbp(index) ? [['LBP', `${lbp(index)}.00`]] : [])],
    delivery_fee: [['USD', '3.50']],
  };
}

answer('/profile/', { organisation_name: 'Bench Store', brand: 'Bench', logo_url: '', primary_color: '#204060' });
const orders: unknown[] = [];
let serial = 0;
months.split(',').forEach((month, monthIndex) => {
  const list = [];
  for (let i = 0; i < INVOICES; i += 1) {
    const number = (monthIndex + 1) * 100_000 + i;
    const rows = [];
    let usd = 0;
    let pounds = 0;
    for (let position = 0; position < ROWS; position += 1) {
      serial += 1;
      const id = `ORD${String(serial).padStart(9, '0')}`;
      rows.push(row(id, serial));
      usd += codCents(serial);
      pounds += lbp(serial);
      if (withOrders === 'yes') {
        const stamp = (delivery_state: string, hour: number) => ({
          delivery_state,
          payment_state: 'UNPAID',
          timestamp: `${month}-0${1 + (position % 9)}T${String(hour).padStart(2, '0')}:00:00.000001+02:00`,
        });
        const states = [stamp('CREATED', 8), stamp('IN_TRANSIT', 10), stamp('DELIVERED', 14)];
        orders.push({ ...row(id, serial), merchant_invoice: number, statestamps: states });
      }
    }
    const header = {
      number,
      status: 'PAID',
      issued_at: `${month}-${String(1 + (i % 28)).padStart(2, '0')}T09:00:00.000000+02:00`,
      cod: [
        ['USD', money(usd)],
        ['LBP', `${pounds}.00`],
      ],
      delivery_fee: [['USD', money(350 * ROWS)]],
      net_due_to_merchant: [
        ['USD', money(usd - 350 * ROWS)],
        ['LBP', `${pounds}.00`],
      ],
    };
    list.push({ ...header, status_display: 'Paid', order_count: ROWS });
    answer(`/invoices/${number}/`, { ...header, orders: rows });
  }
  const [year, monthNumber] = month.split('-').map(Number);
  pages(
    list,
    (page) => `/invoices/?year=${year}&month=${monthNumber}&page_size=${PAGE}${page > 1 ? `&page=${page}` : ''}`,
  );
});
pages(orders, (page) => `/orders/?page_size=${PAGE}${page > 1 ? `&page=${page}` : ''}`);

function pages(items: unknown[], path: (page: number) => string): void {
  const count = Math.max(1, Math.ceil(items.length / PAGE));
  for (let page = 1; page <= count; page += 1) {
    answer(path(page), {
      count: items.length,
      next: page < count ? `/v1/external${path(page + 1)}` : null,
      previous: null,
      results: items.slice((page - 1) * PAGE, page * PAGE),
    });
  }
}

const missing = Buffer.from('{"error":"true","message":"Resource not found.","details":"Not found."}');
const server = createServer((request, response) => {
  const body = answers.get((request.url ?? '').replace('/v1/external', ''));
  const headers = { 'content-type': 'application/json', 'content-length': (body ?? missing).length };
  response.writeHead(body ? 200 : 404, headers).end(body ?? missing);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1/external/` })}\n`);
});
