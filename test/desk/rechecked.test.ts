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

interface Listed {
  readonly id: string;
  readonly invoice_number: number;
  readonly status: string;
  readonly amount: string;
}

async function found(): Promise<Listed[]> {
  const { rows } = await desk.json<{ rows: Listed[] }>('/mismatches');
  return rows.filter(({ invoice_number, status }) => invoice_number === 10001 && status !== 'resolved');
}

const amounts = async () => (await found()).map(({ amount }) => amount);

const SETTLE = { invoices: ['10001'], as: 'other', amount: '7.05', currency: 'USD', note: 'fee' };

it('after a decision by JSON the findings are those of the books as they are now', async () => {
  expect(await amounts()).toEqual(['17.05']);
  const who = ['--role', 'clerk', '--name', 'ERP', '--by', 'rana'];
  const { token } = await books.json<{ token: string }>(['serve', 'token', ...who]);
  const settled = await desk.send('/api/v1/settlements', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
    body: JSON.stringify(SETTLE),
  });
  expect([settled.status, JSON.parse(settled.text)]).toMatchObject([200, { settled: [{ open: '10.00' }] }]);
  expect(JSON.parse(settled.text)).not.toHaveProperty('not_checked_again');
  expect(await amounts()).toEqual(['10.00']);
  const { undo } = JSON.parse(settled.text);
  expect((await desk.post(undo.address, undo.body)).status).toBe(200);
  expect(await amounts()).toEqual(['17.05']);
});

it('a decision holds though the books could not be checked again, and says so', async () => {
  await desk.stop();
  desk = await startDesk([], { cwd: books.folder, now: () => new Date('1970-01-01T00:10:00Z') });
  await desk.enter();
  const settled = await desk.post('/api/v1/settlements', SETTLE);
  expect([settled.status, JSON.parse(settled.text)]).toMatchObject([
    200,
    { settled: [{ open: '10.00' }], not_checked_again: 'the clock of this machine says 1970-01-01' },
  ]);
});

it('mismatch list says that something was decided since the last check', async () => {
  const SAYS = 'the books have changed since the last check: `remit check` brings this list up to date\n';
  const said = async (...argv: string[]) => (await books.remit(['mismatch', 'list', ...argv])).stderr;
  expect(await said()).toBe('');
  const [{ id }] = (await found()) as [Listed];
  await books.json(['mismatch', 'ack', id, '--note', 'asked', '--yes']);
  expect(await said()).toBe('');
  await books.json(['settle', '10001', '--as', 'other', '--amount', '7.05', '--note', 'fee']);
  expect(await amounts()).toEqual(['17.05']);
  expect([await said(), await said('--quiet')]).toEqual([SAYS, '']);
  await books.remit(['check']);
  expect([await said(), await amounts()]).toEqual(['', ['10.00']]);
});

it('what takes all off an invoice with its finding can be undone after the books are checked', async () => {
  const [{ id }] = (await found()) as [Listed];
  const open = async () => {
    const { rows } = await books.json<{ rows: { number: number; open: string }[] }>(['report', 'open-items']);
    return rows.filter(({ number }) => number === 10001).map((row) => row.open);
  };
  expect(await open()).toEqual(['17.05']);
  const resolved = await desk.post('/api/v1/mismatches/resolve', { ids: [id], note: 'agreed', settle: true });
  const { settled, undo } = JSON.parse(resolved.text);
  expect([resolved.status, settled, await amounts(), await open()]).toEqual([
    200,
    [expect.objectContaining({ open: '0.00' })],
    [],
    [],
  ]);
  const undone = await desk.post(undo.address, undo.body);
  expect([undone.status, await amounts(), await open()]).toEqual([200, ['17.05'], ['17.05']]);
  await books.json(['mismatch', 'resolve', id, '--settle', '--note', 'agreed']);
  await books.remit(['check']);
  const { settlements } = await books.json<{ settlements: { id: number; undone_at: string | null }[] }>([
    'settle',
    'list',
  ]);
  await books.json(['settle', 'undo', String(settlements.at(-1)!.id), '--reason', 'it was paid']);
  await books.remit(['check']);
  expect([await amounts(), await open()]).toEqual([['17.05'], ['17.05']]);
});
