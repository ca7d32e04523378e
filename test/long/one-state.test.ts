import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Books } from '../../src/app/books.ts';
import { makeClosePack } from '../../src/app/close-pack/make.ts';
import { verifyPack } from '../../src/app/close-pack/verify.ts';
import { writeStatementRange } from '../../src/app/statement/range.ts';
import { loadConfig } from '../../src/config/index.ts';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, type Pair, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { readWorkbook } from '../helpers/workbook.ts';

/** What a command writes is of one state of the ledger, whatever another process does to it meanwhile. */

let courier: FakeCourier;
let cwd: string;
let books: Books;

beforeEach(async () => {
  courier ??= await startFakeCourier();
  const orders = [9, 10].map((month) => ({
    order_id: `A${month}`,
    reference_id: `R${month}`,
    cod: [['USD', '10.10']] as Pair[],
    delivery_fee: [['USD', '2.00']] as Pair[],
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    payment_state: 'PAID_TO_MERCHANT',
    merchant_invoice: month,
    statestamps: [],
  }));
  courier.world.invoices = orders.map((order) => {
    const month = order.merchant_invoice;
    return invoiceOf(month, `2024-${String(month).padStart(2, '0')}-05T10:00:00+00:00`, [order]);
  });
  courier.world.orders = orders;
  cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\n`);
  expect((await remit(['sync', '2024-09..2024-10', '--orders'], { cwd, env: { REMIT_API_KEY: KEY } })).code).toBe(0);
  books = {
    config: await loadConfig({ env: {}, cwd, flags: {} }),
    now: () => new Date(),
    signal: new AbortController().signal,
    key: async () => KEY,
    detail() {},
  };
});
afterAll(() => courier.close());

/** Closes a month in another process, and waits for it. */
function close(month: string, ...more: string[]): void {
  const main = path.resolve('dist/bin/main.js');
  const argv = ['close', month, '--by', 'rana', '--with-open', 'late', ...more];
  const { REMIT_HOME: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...argv], { cwd, env, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(month), expect.anything()]);
}

/** Whether a workbook says of itself that its month is closed. */
async function saysClosed(file: string): Promise<boolean> {
  const { sheets } = await readWorkbook(readFileSync(file));
  const cells = [...sheets.get('Summary')!.values()].map(({ value }) => String(value));
  const isDraft = cells.some((text) => text.startsWith('Draft: '));
  expect(cells.some((text) => text.startsWith('Closed '))).toBe(!isDraft);
  return !isDraft;
}

test('a close pack is a draft in all of its files, though the month is closed while it is made', async () => {
  let parts = 0;
  const pack = await makeClosePack(books, {
    month: '2024-10',
    out: null,
    by: 'rana',
    onPart: () => {
      parts += 1;
      if (parts === 3) close('2024-10', '--first');
    },
  });
  expect(pack.manifest.status).toBe('draft');
  expect(await saysClosed(path.join(pack.folder, '2024-10.xlsx'))).toBe(false);
  expect(await verifyPack(books, pack.folder)).toMatchObject({ ok: true, status: 'draft' });
  const { head } = JSON.parse(readFileSync(path.join(pack.folder, 'verify.json'), 'utf8'));
  expect(head).toBe(pack.manifest.chain_head);

  const later = await makeClosePack(books, { month: '2024-10', out: path.join(cwd, 'later'), by: 'rana' });
  expect(later.manifest.status).toBe('closed');
  expect(await saysClosed(path.join(later.folder, '2024-10.xlsx'))).toBe(true);
  expect(await verifyPack(books, later.folder)).toMatchObject({ ok: true, status: 'closed' });
});

test('a pack whose manifest says another status than its workbook is not sound', async () => {
  const { folder } = await makeClosePack(books, { month: '2024-10', out: null, by: 'rana' });
  // Without the ledger, which knows the manifest as it was.
  renameSync(path.join(cwd, 'ledger.db'), path.join(cwd, 'away.db'));
  expect(await verifyPack(books, folder)).toMatchObject({ ok: true, in_ledger: null });
  const manifest = path.join(folder, 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"status": "draft"', '"status": "closed"'));
  expect(await verifyPack(books, folder)).toMatchObject({
    ok: false,
    problems: [{ where: '2024-10.xlsx', what: 'it is of a draft, and the manifest says closed' }],
  });
});

test('statements of several months are of one state', async () => {
  close('2024-09', '--first');
  const range = await writeStatementRange(books, {
    from: '2024-09',
    to: '2024-10',
    onMonth: (month) => {
      if (month === '2024-10') close('2024-10');
    },
  });
  expect(range.written.map(({ month, status }) => [month, status])).toEqual([
    ['2024-09', 'closed'],
    ['2024-10', 'draft'],
  ]);
  expect(await saysClosed(range.written[1]!.files[0]!.file)).toBe(false);
});
