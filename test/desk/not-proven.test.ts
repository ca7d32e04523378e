import path from 'node:path';
import { expect, it } from 'vitest';
import type { Books } from '../../src/app/books.ts';
import { readSeen } from '../../src/app/desk/books-state.ts';
import { placeOf } from '../../src/base/place.ts';
import { loadConfig } from '../../src/config/index.ts';
import type { Desk } from '../../src/desk/desk.ts';
import { readHome } from '../../src/desk/reading/home.ts';
import { READS } from '../../src/desk/thread/reads.ts';
import { withLedgerAt } from '../helpers/ledger.ts';
import { ownBooks } from '../helpers/own-books.ts';

it('no month is ready to be closed on the first page where the checks fail', async () => {
  const at = new Date('2026-11-10T09:00:00Z');
  const { folder, json } = ownBooks('time_zone = "UTC"', at);
  const invoices = ['2026-09', '2026-10'].map((period, at) => ({
    number: at + 1,
    period,
    rows: [{ order_id: `O${at}` }],
  }));
  await withLedgerAt(placeOf(path.join(folder, 'ledger.db')), { invoices }, async () => {});
  await json(['close', '2026-09', '--first', '--by', 'Rana', '--with-open', 'a test']);
  await json(['check', '2026-10']);

  const books: Books = {
    config: await loadConfig({ env: {}, cwd: folder }),
    now: () => at,
    signal: new AbortController().signal,
    key: () => Promise.reject(new Error('no key')),
    detail: () => {},
  };
  const seen = await readSeen(books);
  const stateWith = async (proof: Desk['proof']) => {
    const desk: Desk = {
      books,
      proof,
      readyToClose: (lacking) => READS.readyToClose(books, { lacking }),
      figures: (request) => READS.figures(books, request),
    };
    const request = { desk, seen, path: '/', parameters: {}, query: new URLSearchParams(), everyRow: false };
    const { months } = await readHome({ ...request, wholeLists: false });
    return months.find(({ period }) => period === '2026-10')?.state;
  };
  expect(await stateWith(() => READS.proof(books, {}))).toBe('ready');
  expect(await stateWith(() => Promise.reject(new Error('a check failed')))).toBe('open');
});
