import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/base/sqlite.ts';
import { type Books, closeBooks, loadConfig } from '../../../src/programs/books.ts';
import { remit } from '../../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const MAIN = path.resolve('dist/bin/main.js');

/** Books of two couriers, each with a paid invoice of 8.00 USD that one bank file pays. */
async function booksOfTwo(): Promise<string> {
  const cwd = scratchFolder();
  const tables: string[] = [];
  for (const [at, name] of ['alpha', 'beta'].entries()) {
    const row = (id: string) => ({
      order_id: `${name}-${id}`,
      reference_id: `R-${name}-${id}`,
      cod: [['USD', '10.00']] as [string, string][],
      delivery_fee: [['USD', '2.00']] as [string, string][],
    });
    const courier = await startFakeCourier({
      invoices: [invoiceOf(10_001 + at, '2026-10-05T10:00:00+00:00', [row('A')])],
      organisation: name,
    });
    onTestFinished(() => courier.close());
    writeFileSync(path.join(cwd, `${name}.key`), KEY, { mode: 0o600 });
    tables.push(`[couriers.${name}]\napi_url = "${courier.url}"\napi_key_file = "${name}.key"\n`);
  }
  writeFileSync(path.join(cwd, 'remit.toml'), `time_zone = "UTC"\n${tables.join('')}`);
  const lines = ['2026-10-14,8.00,USD,payout 10001', '2026-10-15,8.00,USD,payout 10002'];
  writeFileSync(path.join(cwd, 'bank.csv'), `date,amount,currency,text\n${lines.join('\n')}\n`);
  for (const argv of [
    ['sync', '2026-10'],
    ['import', 'receipts', 'bank.csv'],
    ['check', '2026-10'],
  ]) {
    expect((await remit(argv, { cwd, now: NOW })).stderr).not.toContain('remit: ');
  }
  return cwd;
}

it('a program closes a month with what the checks find after the last match, of the first courier too', async () => {
  const cwd = await booksOfTwo();
  const db = openDatabase(path.join(cwd, 'ledger.db'), { readonly: true });
  onTestFinished(() => void db.close());
  const checksOfAlpha = () =>
    db.prepare("select id from evidence where kind = 'check' and courier = 'alpha'").all().length;
  const before = checksOfAlpha();
  let unmatched: string | undefined;
  // When the first courier's month was checked and the second's is not yet, somebody takes a match of the first back.
  const now = () => {
    if (unmatched === undefined && checksOfAlpha() > before) {
      const argv = [MAIN, 'match', 'remove', '1', '--reason', 'wrong', '--courier', 'alpha'];
      const { stderr, status } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8' });
      unmatched = `${status} ${stderr}`;
    }
    return NOW;
  };
  const config = await loadConfig({ env: {}, cwd });
  const books: Books = {
    config,
    now,
    signal: new AbortController().signal,
    key: async () => KEY,
    detail: () => {},
  };
  const closed = await closeBooks(books, { month: '2026-10', by: 'Rana', withOpen: 'known', first: true });
  expect(unmatched).toBe('0 ');
  if (!('couriers' in closed)) throw new Error('it was not closed');
  const reasons = closed.couriers.map(({ with_open }) => with_open?.reasons.map(({ code }) => code));
  // The invoice whose match is gone is compared with nothing that came in.
  expect(reasons).toEqual([['incomplete', 'not-checked'], ['not-checked']]);
});
