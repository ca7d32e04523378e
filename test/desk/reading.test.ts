import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

interface Table {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly next: string | null;
}

let books: OwnBooks;
let desk: RunningDesk;

beforeEach(async () => {
  books = await deskBooks();
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
});

const get = (address: string, headers: Record<string, string> = {}) =>
  desk.send(address, { headers: { cookie: desk.cookie, ...headers } });

describe('what is read at the desk', () => {
  it('a table leaves out a column that holds nothing, but never by a part of its rows', async () => {
    const whole = await get('/reports/totals');
    expect(whole.text).toContain('Left out, because they hold nothing');
    const part = await get('/reports/totals?limit=1');
    expect(part.text).toContain('rel="next"');
    expect(part.text).not.toContain('Left out');
    const next = (await desk.json<Table>('/reports/totals?limit=1')).next!;
    expect((await get(next)).text).not.toContain('Left out');
  });

  it.each([
    ['/closes', 'No month is closed yet.'],
    ['/views', 'No view is saved yet.'],
  ])('%s says what fills it as long as it is empty', async (address, hint) => {
    expect((await get(address)).text).toContain(hint);
  });

  it('an import says how many rows of orders it brought', async () => {
    const orders =
      'reference,ordered_on,status,currency,cod\nR-1,2026-10-01,handed_over,USD,5.00\nR-2,2026-10-01,handed_over,USD,6.00\n';
    const { text } = await desk.upload('/imports', { 'book.csv': orders }, { kind: 'orders' }, 'application/json');
    expect(JSON.parse(text).said).toBe('Imported 2 lines.');
  });

  it('imports are sorted by accounts that are longer than any amount', async () => {
    const accounts = ['99999999999999999999', '1000000000000000000000', '7'];
    for (const account of accounts) {
      const bank = `date,amount,currency,text\n2026-10-06,${account.length}.00,USD,x\n`;
      await desk.upload('/imports', { [`${account}.csv`]: bank }, { kind: 'receipts', account }, 'application/json');
    }
    const { imports } = await desk.json<{ imports: { account: string | null }[] }>('/imports?sort=account');
    const sorted = imports.flatMap(({ account }) => (accounts.includes(account ?? '') ? [account] : []));
    expect(sorted).toEqual(['7', '99999999999999999999', '1000000000000000000000']);
  });

  it.each([
    ['/', ['report', 'totals']],
    ['/mismatches', ['report', 'mismatches']],
    ['/receipts', ['report', 'receipts']],
    ['/runs', ['report', 'runs']],
    ['/rows', ['report', 'orders']],
    ['/reports/ageing?month=2026-10', ['report', 'ageing', '2026-10']],
    ['/invoices/10001', ['show', 'invoice', '10001']],
    ['/orders/A', ['show', 'order', 'A']],
    ['/imports', ['import', 'list']],
    ['/settlements', ['settle', 'list']],
    ['/approvals', ['approvals', 'list']],
  ])('%s is the JSON of its command, below /api/v1 too', async (address, argv) => {
    const printed = await books.json<object>(argv);
    expect(await desk.json(address)).toMatchObject(printed);
    const { text } = await get(`/api/v1${address}`);
    expect(JSON.parse(text)).toMatchObject(printed);
  });

  it('shows the bridge of a month as the check prints it, and a mismatch as show does', async () => {
    const { stdout } = await books.remit(['check', '2026-10', '--json']);
    const { bridge, mismatches } = JSON.parse(stdout) as { bridge: object[]; mismatches: { id: string }[] };
    expect(bridge.length).toBeGreaterThan(0);
    const month = await desk.json<{ groups: { ids: string[] }[] }>('/months/2026-10');
    expect(month).toMatchObject({ bridge, mismatches, header_from_rows: [{ currency: 'USD', steps: [] }] });
    // A cause opens its findings and no others.
    const { text } = await get('/months/2026-10');
    const causes = [...text.matchAll(/<th scope="row" class="wide"><a href="([^"]*)"/g)];
    expect(causes.length).toBe(month.groups.length);
    for (const [at, [, address]] of causes.entries()) {
      const list = await desk.json<{ rows: { id: string }[] }>(address!.replaceAll('&amp;', '&'));
      expect(list.rows.map(({ id: own }) => own).sort()).toEqual([...month.groups[at]!.ids].sort());
    }
    // What shows one month shows the last, where none is named.
    expect(await desk.json('/reports/dashboard')).toMatchObject({ report: 'dashboard', period: '2026-11' });
    const { id } = mismatches[0]!;
    expect(await desk.json(`/mismatches/${id}`)).toMatchObject(await books.json<object>(['mismatch', 'show', id]));
  });

  it('counts, groups and adds up what a filter lets through, and nothing else', async () => {
    interface Found {
      readonly rows: readonly { readonly effect: string | null; readonly currency: string; readonly status: string }[];
      readonly totals: readonly { readonly currency: string; readonly effect: string }[];
      readonly groups: readonly { readonly count: number; readonly ids: readonly string[] }[];
      readonly count: number;
    }
    const [{ id }] = (await desk.json<{ rows: [{ id: string }] }>('/mismatches')).rows;
    await desk.post('/mismatches/resolve', { ids: [id], note: 'credited' });
    for (const filter of [
      '',
      'text=10001',
      'text=nowhere',
      'severity=warning',
      'severity=error',
      'text=10002&status=open',
    ]) {
      const { rows, totals, groups, count } = await desk.json<Found>(`/mismatches?${filter}`);
      const open = rows.filter(({ status }) => status !== 'resolved');
      expect([filter, count]).toEqual([filter, rows.length]);
      expect([filter, groups.reduce((sum, group) => sum + group.count, 0)]).toEqual([filter, open.length]);
      for (const currency of ['USD', 'LBP']) {
        const cents = (text: string | null | undefined) => Math.round(Number(text ?? 0) * 100);
        const sum = open.filter((row) => row.currency === currency).reduce((all, row) => all + cents(row.effect), 0);
        expect([filter, currency, cents(totals.find((row) => row.currency === currency)?.effect)]).toEqual([
          filter,
          currency,
          sum,
        ]);
      }
    }
  });

  it('knows the place of a mismatch in the list from which it was opened', async () => {
    const { rows } = await desk.json<{ rows: { id: string }[] }>('/mismatches?status=open');
    expect(rows.length).toBeGreaterThan(1);
    const [first, second] = rows as [{ id: string }, { id: string }];
    const among = async (address: string) => (await desk.json<{ among: object | null }>(address)).among;
    const count = rows.length;
    expect(await among(`/mismatches/${first.id}?status=open`)).toMatchObject({
      ...{ place: 1, count, previous: null },
      next: { id: second.id },
    });
    expect(await among(`/mismatches/${second.id}?status=open`)).toMatchObject({ place: 2, previous: { id: first.id } });
    expect(await among(`/mismatches/${first.id}`)).toBeNull();
    expect(await among(`/mismatches/${first.id}?status=resolved`)).toBeNull();
  });

  it('pages by key, sorts, narrows and writes files of what is shown', async () => {
    const { rows: all } = await desk.json<Table>('/rows');
    const paged: Table['rows'][number][] = [];
    for (let next: string | null = '/rows?limit=1'; next !== null; ) {
      const page: Table = await desk.json<Table>(next);
      expect(page.rows).toHaveLength(1);
      paged.push(...page.rows);
      next = page.next;
    }
    expect(paged).toEqual(all);
    const sorted = (await desk.json<Table>('/rows?sort=-cod')).rows.map(({ cod }) => cod);
    expect(sorted).toEqual(['100.00', '33.00', '20.00']);
    expect((await desk.json<Table>('/rows?invoice=10002')).rows).toHaveLength(2);
    expect((await desk.json<Table>('/rows?text=img')).rows).toMatchObject([{ order_id: 'C<img src=x>' }]);
    const csv = await get('/rows?format=csv&sort=cod');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="rows.csv"');
    expect(csv.text.split('\r\n')[1]).toContain('10002,B,');
    expect((await get('/rows?format=xlsx')).text.startsWith('PK')).toBe(true);
    for (const wrong of ['/rows?limit=0', '/rows?limit=1001', '/rows?limit=x', '/rows?sort=nothing']) {
      expect({ wrong, status: (await get(wrong)).status }).toEqual({ wrong, status: 400 });
    }
    expect((await get('/rows?after=zz')).status).toBe(404);
  });

  it('gives the bridge of a month, and each list, as a file that is what its name says', async () => {
    const csv = await get('/months/2026-10?format=csv');
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('courier,period,currency,line,count,amount');
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/,2026-10,USD,courier,,144\.00$/),
      ...['ours,,', 'unexplained,,', 'resolved,,0.00'].map((line) => expect.stringContaining(`,2026-10,USD,${line}`)),
      expect.stringMatching(/,2026-10,USD,short,,/),
    ]);
    for (const address of ['/', '/months/2026-10', '/mismatches', '/imports', '/decisions', '/views', '/orders/A']) {
      const file = await get(`${address}?format=xlsx`);
      expect([address, file.status, file.text.slice(0, 2)]).toEqual([address, 200, 'PK']);
    }
  });

  it('answers ids and paths that somebody tampered with by 400 or 404, and with nothing of the inside', async () => {
    for (const address of [
      '/invoices/10001%20or%201=1',
      '/invoices/-1',
      '/invoices/1e3',
      '/orders/%27%3B%20drop%20table%20evidence%3B--',
      '/orders/..%2f..%2fetc%2fpasswd',
      '/evidence/..%2f..%2fledger.db',
      `/evidence/${'0'.repeat(64)}`,
      `/evidence/${'0'.repeat(64)}/download`,
      '/evidence/remit.toml/download',
      '/months/2026-13',
      '/months/..%2fx',
      '/months/2026-10%00/statement',
      '/mismatches/%25',
      '/mismatches/__proto__',
      '/reports/constructor',
      '/ledger.db',
      '/desk.js/../../remit.toml',
      '/%2e%2e/remit.toml',
      '/.//evil.test/x',
      '/%zz',
    ]) {
      const { status, text } = await get(address);
      expect([400, 404], address).toContain(status);
      expect(text, address).not.toMatch(/\bat .*\.(ts|js):|SQLITE|node_modules|api_url/);
    }
    await books.verify();
  });

  it('escapes what is from outside, and never shows a document as what it says it is', async () => {
    const page = await get('/rows', { accept: 'text/html' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).not.toContain('<img src=x>');
    expect(page.text).toContain('C&lt;img src=x>');
    const { documents } = await desk.json<{ documents: { sha256: string }[] }>('/invoices/10002');
    const { sha256 } = documents[0]!;
    const shown = await get(`/evidence/${sha256}`, { accept: 'text/html' });
    expect(shown.text).not.toContain('<img src=x>');
    const raw = await get(`/evidence/${sha256}/download`);
    expect(raw.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${sha256}.bin"`,
      'x-content-type-options': 'nosniff',
    });
    expect(raw.text).toContain('C<img src=x>');
    expect(await desk.json(`/evidence/${sha256}`)).toMatchObject({ sha256, computed: sha256 });
  });

  it('speaks the language of the browser, or the one that was chosen for the session', async () => {
    const direction = async (address: string, accept: string) =>
      /<html lang="(\w+)" dir="(\w+)"/.exec((await get(address, { 'accept-language': accept })).text)?.slice(1);
    expect(await direction('/runs', 'de, fr;q=0.5')).toEqual(['en', 'ltr']);
    expect(await direction('/runs', 'en;q=0.5, ar-LB')).toEqual(['ar', 'rtl']);
    expect(await direction('/runs', 'ar ;q=0.8')).toEqual(['ar', 'rtl']);
    expect(await direction('/runs?lang=ar', 'en')).toEqual(['ar', 'rtl']);
    expect(await direction('/runs', 'en')).toEqual(['ar', 'rtl']);
    expect(await direction('/runs?lang=xx', 'en')).toEqual(['ar', 'rtl']);
  });

  it('gives a month to download, and writes nothing by it', async () => {
    const before = (await get('/runs')).headers['remit-seen'];
    const statement = await get('/months/2026-10/statement?format=html');
    expect(statement.headers['content-disposition']).toBe('attachment; filename="statement-2026-10.html"');
    expect(statement.text).toContain('97.00');
    const dispute = await get('/months/2026-10/dispute');
    expect(dispute.headers['content-disposition']).toBe('attachment; filename="dispute-2026-10.html"');
    for (const address of ['/', '/months/2026-10', '/mismatches', '/receipts', '/decisions']) await get(address);
    expect((await get('/runs')).headers['remit-seen']).toBe(before);
  });

  it('says what is wrong where the settings or the ledger cannot be read, and nothing more', async () => {
    writeFileSync(path.join(books.folder, 'ledger.db'), 'no database');
    const { status, text } = await get('/rows');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toMatch(/\bat .*\.(ts|js):/);
  });
});
