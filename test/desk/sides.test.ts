import path from 'node:path';
import { expect, it } from 'vitest';
import { invoiceOf, type Pair, startFakeCourier } from '../helpers/courier.ts';
import { startDesk } from '../helpers/desk.ts';
import { ownBooks } from '../helpers/own-books.ts';
import { syncInto } from '../helpers/sync.ts';

const usd = (amount: string): Pair[] => [['USD', amount]];
const order = (id: string, cod: string) => ({
  order_id: id,
  reference_id: `ref-${id}`,
  cod: usd(cod),
  delivery_fee: usd('3.00'),
});

/**
 * Two invoices of one net, one of which the list says another COD than its detail, and one that is 7.00 short of its
 * rows.
 */
const INVOICES = [
  invoiceOf(10001, '2026-10-01T10:00:00+03:00', [order('A', '50.00')]),
  invoiceOf(10002, '2026-10-02T10:00:00+03:00', [order('B', '20.00'), order('C', '33.00')]),
  invoiceOf(10003, '2026-10-03T10:00:00+03:00', [order('D', '90.00')], { list: { cod: usd('91.00') } }),
  invoiceOf(10004, '2026-10-04T10:00:00+03:00', [order('E', '90.00')], {
    net_due_to_merchant: usd('80.00'),
    status: 'PENDING_PAYMENT',
  }),
];

it('marks where two documents of an invoice differ, and nothing where invoices stand side by side', async () => {
  const courier = await startFakeCourier({ invoices: INVOICES });
  const books = ownBooks('[receipts]\npayers = ["Cedar Road"]');
  await syncInto(path.join(books.folder, 'ledger.db'), courier).finally(() => courier.close());
  const bank = books.file('bank.csv', 'date,amount,currency,text,invoice\n2026-10-05,47.00,USD,Cedar Road,\n');
  await books.json(['import', 'receipts', bank]);
  await books.json([
    'import',
    'orders',
    books.file('book.csv', 'reference,ordered_on,currency,cod\nref-A,2026-09-28,USD,48.00\n'),
  ]);
  await books.json(['import', 'tariff', books.file('prices.csv', 'currency,fee\nUSD,2.50\n')]);
  await books.remit(['check']);
  const desk = await startDesk([], { cwd: books.folder });
  try {
    await desk.enter();
    const { rows } = await desk.json<{ rows: { id: string; code: string }[] }>('/mismatches');
    const sidesOf = async (code: string) => {
      const { id } = rows.find((row) => row.code === code)!;
      const { text } = await desk.send(`/mismatches/${id}`, { headers: { cookie: desk.cookie, accept: 'text/html' } });
      return /<table class="sides">.*?<\/table>/s.exec(text)![0];
    };
    const settleOf = async (code: string) => {
      const { id } = rows.find((row) => row.code === code)!;
      const { text } = await desk.send(`/mismatches/${id}`, { headers: { cookie: desk.cookie, accept: 'text/html' } });
      return /<button type="submit">(Settle [^<]*)</.exec(text)?.[1] ?? null;
    };
    // What the finding is about, and not all that is open of its invoice; nothing where it is about no amount.
    expect([await settleOf('invoice-net'), await settleOf('invoice-list-detail')]).toEqual(['Settle 7.00 USD', null]);
    const differing = (sides: string) => [...sides.matchAll(/<th scope="row">([^<]*)<span/g)].map(([, name]) => name);
    expect(differing(await sidesOf('invoice-list-detail'))).toEqual(['COD USD']);
    const ambiguous = await sidesOf('receipt-ambiguous');
    expect(ambiguous).toContain('invoice 10001</th><th scope="col">invoice 10002</th>');
    expect(differing(ambiguous)).toEqual([]);
    const headsOf = (sides: string) =>
      [...sides.matchAll(/<th scope="col">([^<]*)</g)].map(([, head]) => head).slice(1);
    const net = await sidesOf('invoice-net');
    expect(headsOf(net).at(-1)).toBe('its COD less what is kept back');
    expect(differing(net)).toEqual(['Net due USD']);
    const book = await sidesOf('book-cod-differs');
    expect(headsOf(book).at(-1)).toBe('your own order book');
    expect([differing(book), book.includes('<mark>48.00</mark>')]).toEqual([['COD USD'], true]);
    const fee = await sidesOf('fee-off-tariff');
    expect(headsOf(fee).at(-1)).toMatch(/^the rate card: .*prices\.csv:2$/);
    expect([differing(fee), fee.includes('<mark>2.50</mark>')]).toEqual([['Delivery fee USD'], true]);
  } finally {
    await desk.stop();
  }
});
