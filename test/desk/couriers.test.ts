import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sentence } from '../../src/base/sentence.ts';
import { say } from '../../src/words/index.ts';
import { remit } from '../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { scratchFolder } from '../helpers/folder.ts';

const NOW = new Date('2026-11-10T09:00:00Z');

interface Table {
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly next: string | null;
}

const row = (id: string, cod: string) => ({
  order_id: id,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', '2.00']] as [string, string][],
});

let desk: RunningDesk;
let cwd: string;

/** Books of two couriers that number their invoices alike, each with a header that is not its rows. */
beforeEach(async () => {
  cwd = scratchFolder();
  const worlds = { cedar: ['11.00', '30.00'], swift: ['10.00', '40.00'] } as const;
  const servers = await Promise.all(
    Object.values(worlds).map(([first, second]) =>
      startFakeCourier({
        invoices: [
          invoiceOf(10001, '2026-10-05T10:00:00+00:00', [row('A', first)], { status: 'PENDING_PAYMENT' }),
          invoiceOf(10002, '2026-10-12T10:00:00+00:00', [row('B', second)], { cod: [['USD', '25.00']] }),
        ],
      }),
    ),
  );
  writeFileSync(path.join(cwd, 'key'), KEY, { mode: 0o600 });
  const tables = Object.keys(worlds).map(
    (name, place) => `[couriers.${name}]\napi_url = "${servers[place]!.url}"\napi_key_file = "key"\n`,
  );
  writeFileSync(path.join(cwd, 'remit.toml'), `time_zone = "UTC"\n${tables.join('')}`);
  for (const argv of [['sync', '2026-10'], ['check']]) await remit(argv, { cwd, now: NOW });
  await Promise.all(servers.map((server) => server.close()));
  desk = await startDesk([], { cwd, now: () => NOW });
  await desk.enter();
});
afterEach(() => desk.stop());

const page = (address: string) => desk.send(address, { headers: { cookie: desk.cookie, accept: 'text/html' } });

describe('a desk over the books of several couriers', () => {
  it('shows every page, and says whose a row is', async () => {
    for (const address of [
      '/',
      '/months/2026-10',
      '/mismatches',
      '/rows',
      '/receipts',
      '/runs',
      '/closes',
      '/search?q=A',
    ]) {
      const { status, text } = await page(address);
      expect([address, status]).toEqual([address, 200]);
      if (['/', '/mismatches', '/rows', '/runs'].includes(address)) expect(text).toMatch(/cedar[\s\S]*swift/);
    }
    const { rows } = await desk.json<Table>('/rows');
    expect(rows.map(({ courier, invoice_number, cod }) => [courier, invoice_number, cod])).toEqual([
      ['cedar', 10001, '11.00'],
      ['cedar', 10002, '30.00'],
      ['swift', 10001, '10.00'],
      ['swift', 10002, '40.00'],
    ]);
    const paged: Table['rows'][number][] = [];
    for (let next: string | null = '/rows?limit=1'; next !== null; ) {
      const part: Table = await desk.json<Table>(next);
      paged.push(...part.rows);
      next = part.next;
    }
    expect(paged).toEqual(rows);
  });

  it('lists the causes of all couriers in one order, the most money first, each with its sentence', async () => {
    interface Causes {
      readonly groups: readonly { readonly courier: string; readonly amount: string | null; readonly cause: string }[];
      readonly reasons: { readonly causes: readonly Sentence[] };
    }
    const month = await desk.json<Causes>('/months/2026-10');
    const { groups } = await desk.json<Causes>('/mismatches');
    for (const listed of [month.groups, groups]) {
      const stakes = listed.map(({ amount }) => Math.abs(Number(amount ?? 0)));
      expect(stakes).toEqual(stakes.toSorted((a, b) => b - a));
      expect(new Set(listed.map(({ courier }) => courier))).toEqual(new Set(['cedar', 'swift']));
    }
    expect(month.reasons.causes.map((cause) => say(cause))).toEqual(month.groups.map(({ cause }) => cause));
  });

  it('says of each courier’s mismatch that it was decided already, though both have one id', async () => {
    const { mismatches } = JSON.parse((await remit(['check', '--all', '--json'], { cwd, now: NOW })).stdout);
    const { id } = mismatches.find((one: { code: string }) => one.code === 'invoice-cod-total');
    const ids = ['cedar', 'swift'].map((courier) => `${courier}/${id}`);
    const ack = () =>
      remit(['mismatch', 'ack', ...ids, '--note', 'asked', '--by', 'rana', '--json'], { cwd, now: NOW });
    expect(JSON.parse((await ack()).stdout).changed).toHaveLength(2);
    expect(JSON.parse((await ack()).stdout).left).toMatchObject([
      { id, courier: 'cedar', why: 'already' },
      { id, courier: 'swift', why: 'already' },
    ]);
  });

  it('asks of a payer which courier it is for, and keeps it in the table of that one', async () => {
    // 8.00 is what swift owes for 10001, and 9.00 what cedar does.
    const bank = 'date,amount,currency,text,invoice\n2026-10-06,8.00,USD,BOB FINANCE 7,\n';
    await desk.upload('/imports', { 'bank.csv': bank });
    expect((await page('/receipts')).text).toContain('BOB FINANCE pays for swift');
    const asked = await desk.submit('/payers', { payer: 'BOB FINANCE', pays_for: 'swift' });
    expect([asked.status, asked.headers.location]).toEqual([303, '/receipts']);
    const toml = readFileSync(path.join(cwd, 'remit.toml'), 'utf8');
    expect(toml).toMatch(/\[couriers\.swift\]\npayers = \["BOB FINANCE"\]/);
    expect(toml.match(/BOB FINANCE/g)).toHaveLength(1);
    const { rows } = await desk.json<Table>('/receipts?limit=10');
    expect(rows.map(({ courier, left }) => [courier, left])).toEqual([['swift', '0.00']]);
  });

  it('narrows by courier, and asks whose a number is where two have it', async () => {
    for (const address of ['/rows', '/mismatches', '/reports/invoices', '/']) {
      const { rows } = await desk.json<Table>(`${address}?courier=swift`);
      expect([address, new Set(rows.map(({ courier }) => courier))]).toEqual([address, new Set(['swift'])]);
    }
    const asked = await page('/invoices/10001');
    expect(asked.status).toBe(404);
    expect(asked.text).toContain('href="/invoices/10001?courier=swift"');
    const { detail } = await desk.json<{ detail: { amounts: object } }>('/invoices/10001?courier=cedar');
    expect(detail.amounts).toMatchObject({ USD: { cod: '11.00' } });
    expect((await page('/rows')).text).toContain('href="/invoices/10001?courier=cedar"');
    expect((await page('/invoices/10001?courier=nobody')).status).toBe(404);
    for (const nowhere of ['/runs/999', '/invoices/7', '/syncs/999']) {
      const { status, text } = await page(nowhere);
      expect([nowhere, status, /courier=\w+/.exec(text)]).toEqual([nowhere, 404, null]);
    }
  });

  it('gives a month’s statement, its page to sign and what is disputed of each courier, by links of the month', async () => {
    const { text } = await page('/months/2026-10');
    const links = [...text.matchAll(/href="([^"]*\/(?:statement|dispute)[^"]*)"/g)].map(([, link]) =>
      link!.replaceAll('&amp;', '&'),
    );
    expect(links).toHaveLength(6);
    for (const link of links) {
      const courier = new URL(link, desk.origin).searchParams.get('courier');
      const file = await page(link);
      expect([link, file.status]).toEqual([link, 200]);
      expect(file.headers['content-disposition']).toContain(`-2026-10-${courier}.`);
      if (file.headers['content-disposition']!.includes('.html')) expect(file.text).toContain(courier);
    }
    const narrowed = await page('/months/2026-10?courier=swift');
    expect(narrowed.text).toContain('/months/2026-10/dispute?courier=swift');
    expect(narrowed.text).not.toContain('/months/2026-10/dispute?courier=cedar');
    const asked = await page('/months/2026-10/dispute');
    expect([asked.status, asked.text]).toEqual([404, expect.stringContaining('/dispute?courier=swift"')]);
  });

  it('says why a month cannot be closed, to programs courier by courier, to a person once', async () => {
    const { refusals } = await desk.json<{ refusals: { code: string; courier?: string }[] }>('/months/2026-10');
    const open = refusals.filter(({ code }) => code === 'errors-open');
    expect(open.map(({ courier }) => courier)).toEqual(['cedar', 'swift']);
    const { text } = await page('/months/2026-10');
    expect([text.includes('cedar, swift: '), text.includes('cedar: ')]).toEqual([true, false]);
  });

  it('decides about the mismatches and the invoices of one of them', async () => {
    const { rows } = await desk.json<Table>('/mismatches?courier=swift&code=invoice-cod-total');
    const [{ id } = { id: '' }] = rows;
    expect((await desk.post('/api/v1/mismatches/ack', { ids: [id], note: 'asked' })).status).toBe(422);
    const named = { ids: [`swift/${id}`, `cedar/${id}`], note: 'asked' };
    expect((await desk.post('/api/v1/mismatches/ack', named)).status).toBe(200);
    const now = (await desk.json<Table>('/mismatches?code=invoice-cod-total')).rows;
    expect(now.map(({ courier, status }) => [courier, status])).toEqual([
      ['cedar', 'acknowledged'],
      ['swift', 'acknowledged'],
    ]);
    // Home counts each mismatch once, though two couriers have one id for theirs.
    const { months } = await desk.json<{ months: readonly { open: object; acknowledged: number }[] }>('/');
    expect(months).toMatchObject([{ acknowledged: 2 }]);
    const { decisions } = await desk.json<{ decisions: readonly { id: number; courier: string }[] }>('/decisions');
    expect(decisions.map(({ courier }) => courier)).toEqual(['cedar', 'swift']);
    const undone = await desk.post(`/api/v1/decisions/${decisions[1]!.id}/undo`, { reason: 'by mistake' });
    expect(undone.status).toBe(200);
    const left = (await desk.json<Table>('/mismatches?code=invoice-cod-total')).rows;
    expect(left.map(({ courier, status }) => [courier, status]).sort()).toEqual([
      ['cedar', 'acknowledged'],
      ['swift', 'open'],
    ]);
    const { found } = await desk.json<{ found: readonly object[] }>('/search?q=10001');
    expect(found).toMatchObject([
      { courier: 'cedar', kind: 'invoice', id: '10001' },
      { courier: 'swift', kind: 'invoice', id: '10001' },
    ]);
    expect((await page('/search?q=10001')).text).toContain('href="/invoices/10001?courier=swift"');
    const settle = { invoices: [10001], as: 'write-off', note: 'agreed' };
    expect((await desk.post('/api/v1/settlements', settle)).status).toBe(422);
    const settled = await desk.post('/api/v1/settlements', { ...settle, courier: 'cedar' });
    expect(JSON.parse(settled.text)).toMatchObject({ settled: [{ invoice_number: 10001, amount: '9.00' }] });
  });

  it('names the courier of what was decided as reports do, under the name that it has now', async () => {
    await remit(['courier', 'rename', 'swift', 'olive', '--by', 'rana'], { cwd, now: NOW });
    const { rows } = await desk.json<Table>('/mismatches?courier=olive&status=open');
    const made = await desk.post('/api/v1/mismatches/ack', { ids: [`olive/${rows[0]!.id}`], note: 'x' });
    expect(JSON.parse(made.text)).toMatchObject({ changed: [{ courier: 'olive' }] });
  });

  it('sends the courier with every form about what both of them have', async () => {
    const [{ id } = { id: '' }] = (await desk.json<Table>('/mismatches?courier=swift&code=payment-overdue')).rows;
    const at = `/mismatches/${id}?courier=swift`;
    const courierIn = (text: string, action: string) =>
      new RegExp(`action="${action}(?:\\?preview=1)?"(?:(?!</form>).)*name="courier" value="([^"]*)"`).exec(text)?.[1];
    const shown = [at, '/invoices/10001?courier=swift'].map(async (address) => (await page(address)).text);
    const [finding = '', invoice = ''] = await Promise.all(shown);
    expect(courierIn(finding, '/claims')).toBe('swift');
    for (const text of [finding, invoice]) expect(courierIn(text, '/settlements')).toBe('swift');
    expect((await desk.submit('/claims', { ids: [String(id)] })).status).toBe(422);
    const claimed = await desk.submit('/claims', { ids: [String(id)], courier: 'swift', back: at });
    expect(claimed.status).toBe(303);
    const after = (await page(at)).text;
    for (const action of ['/claims/answer', '/claims/withdraw', '/claims/write-off']) {
      expect([action, courierIn(after, action)]).toEqual([action, 'swift']);
    }
    const listed = (await desk.json<{ claims: readonly { courier: string }[] }>('/claims')).claims;
    expect(listed.map(({ courier }) => courier)).toEqual(['swift']);
    // The months count each courier by itself.
    const unclaimed = async () => (await desk.json<{ unclaimed: number }>('/months/2026-10')).unclaimed;
    const before = await unclaimed();
    const taken = await desk.submit('/claims/withdraw', { ids: [String(id)], courier: 'swift', note: 'asked twice' });
    expect(taken.status).toBe(303);
    expect(await unclaimed()).toBe(before + 1);
  });
});
