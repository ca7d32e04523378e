import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

let books: OwnBooks;
let desk: RunningDesk;

beforeEach(async () => {
  books = await deskBooks('[receipts]\npayers = ["Cedar Road"]');
  const bank = books.file('bank.csv', 'date,amount,currency,text,invoice\n2026-10-05,79.95,USD,Cedar Road,10001\n');
  await books.json(['import', 'receipts', bank]);
  await books.remit(['check']);
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(() => desk.stop());

it('after a decision by JSON the findings are those of the books as they are now', async () => {
  const amounts = async () =>
    (await desk.json<{ rows: { invoice_number: number; amount: string }[] }>('/mismatches')).rows
      .filter(({ invoice_number }) => invoice_number === 10001)
      .map(({ amount }) => amount);
  expect(await amounts()).toEqual(['17.05']);
  const made = await books.json<{ token: string }>([
    'serve',
    'token',
    '--role',
    'clerk',
    '--name',
    'ERP',
    '--by',
    'rana',
  ]);
  const settled = await desk.send('/api/v1/settlements', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${made.token}`,
      'content-type': 'application/json',
      'idempotency-key': 'k',
    },
    body: JSON.stringify({ invoices: ['10001'], as: 'other', amount: '7.05', currency: 'USD', note: 'fee' }),
  });
  expect([settled.status, JSON.parse(settled.text).settled]).toMatchObject([200, [{ open: '10.00' }]]);
  expect(await amounts()).toEqual(['10.00']);
});
