import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoiceOf, type Pair, startFakeCourier } from '../helpers/courier.ts';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import { ownBooks } from '../helpers/own-books.ts';
import { syncInto } from '../helpers/sync.ts';

let desk: RunningDesk;

beforeEach(async () => {
  const books = await deskBooks('[receipts]\npayers = ["Cedar Road"]');
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
});

const SETTLE = {
  invoices: '10001',
  as: 'rounding',
  amount: '1.75',
  currency: 'USD',
  note: 'a word',
  back: '/settlements',
};
const settled = (change: object) => desk.submit('/settlements?preview=1', { ...SETTLE, ...change });

describe('a form that a person filled in', () => {
  it.each(['abc', '1,75', '1,750', '1.000,00', '12,34,567.00', '4,000.1,000'])(
    'says what an amount is: %s',
    async (amount) => {
      const { status, text } = await settled({ amount });
      expect(status).toBe(400);
      expect(text).toContain('id="why-amount">this is no amount. Write an amount such as 1.75.<');
      expect(text).not.toMatch(/openapi|\[0-9\]/);
      const arabic = await desk.submit('/settlements?preview=1', { ...SETTLE, amount, back: '/settlements?lang=ar' });
      expect(arabic.text).toMatch(/id="why-amount">هذا ليس مبلغًا/);
    },
  );

  it('takes an amount as the desk prints it; a program writes no commas', async () => {
    const { status, text } = await settled({ amount: ' 4,000,000.00 ' });
    // It is an amount, and more than is open.
    expect([status, text]).toEqual([422, expect.stringContaining('4,000,000.00')]);
    const half = await settled({ amount: '0,047.50', as: 'write-off' });
    expect([half.status, half.text]).toEqual([200, expect.stringContaining('Settle 47.50 USD')]);
    const body = { invoices: [10001], as: 'rounding', amount: '4,000,000.00', note: 'a word' };
    expect((await desk.post('/settlements', body)).status).toBe(400);
  });

  it('says how long a note may be', async () => {
    const { status, text } = await settled({ note: 'x'.repeat(4_001) });
    expect(status).toBe(400);
    expect(text).toContain('id="why-note">this is longer than 4000 characters. Write less.<');
  });

  it('has no kind of settlement until one is chosen', async () => {
    const page = await desk.send('/invoices/10001', { headers: { cookie: desk.cookie } });
    expect(page.text).toMatch(/<select name="as" required><option value(?:="")? selected>/);
    const { status, text } = await settled({ as: '' });
    expect([status, text]).toEqual([400, expect.stringContaining('id="why-as">this is empty. Fill it in.<')]);
  });

  it('comes back with the receipt and the invoices that were chosen', async () => {
    const csv =
      'date,amount,currency,text,invoice\n2026-10-28,90.00,USD,Cedar Road COD,\n2026-10-29,12.00,USD,Cedar Road COD,\n';
    expect((await desk.upload('/imports', { 'cash.csv': csv }, { kind: 'receipts' })).status).toBe(303);
    const fields = {
      receipt: '2',
      invoices: ['10001', '10002'],
      difference: '',
      part: '',
      note: 'a word',
      back: '/receipts',
    };
    const { status, text } = await desk.submit('/matches?preview=1', fields);
    expect(status).toBe(422);
    const ticked = [...text.matchAll(/<input type="(?:radio|checkbox)"[^>]*>/g)]
      .map(([box]) => box)
      .filter((box) => / checked/.test(box));
    expect(ticked.map((box) => /name="(\w+)" value="(\w+)"/.exec(box)?.slice(1).join(' '))).toEqual([
      'receipt 2',
      'invoices 10001',
      'invoices 10002',
    ]);
    for (const [sent, says] of [
      [{ ...fields, receipt: '' }, 'no receipt is chosen. Choose the receipt that you match.'],
      [{ ...fields, invoices: [] }, 'no invoice is chosen. Choose at least one invoice.'],
    ] as const) {
      const refused = await desk.submit('/matches?preview=1', sent);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(says)]);
    }
  });

  it('comes back in the form of its currency alone', async () => {
    const cod: Pair[] = [
      ['USD', '100.00'],
      ['LBP', '900000'],
    ];
    const rows = [{ order_id: 'A', cod, delivery_fee: [] }];
    const courier = await startFakeCourier({
      invoices: [invoiceOf(10001, '2026-10-01T10:00:00+03:00', rows, { status: 'PENDING_PAYMENT' })],
    });
    const books = ownBooks();
    await syncInto(path.join(books.folder, 'ledger.db'), courier).finally(() => courier.close());
    await desk.stop();
    desk = await startDesk([], { cwd: books.folder });
    await desk.enter();
    const { status, text } = await settled({ amount: '250.00', back: '/invoices/10001' });
    expect(status).toBe(422);
    const amounts = [...text.matchAll(/<input[^>]* name="amount"[^>]*>/g)].map(([field]) => field);
    expect(amounts.map((field) => /value="([^"]*)"/.exec(field)![1])).toEqual(['900000.00', '250.00']);
    expect(amounts.map((field) => field.includes('aria-invalid'))).toEqual([false, true]);
  });

  it('says how many files may be sent at once', async () => {
    const files = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}.csv`, 'x']));
    const { status, text } = await desk.upload('/imports?preview=1', files);
    expect([status, text]).toEqual([413, expect.stringContaining('these are more than 10 files')]);
  });
});
