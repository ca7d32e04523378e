import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

interface Row {
  readonly id: string;
  readonly code: string;
  readonly status: string;
}

let books: OwnBooks;
let desk: RunningDesk;

beforeEach(async () => {
  books = await deskBooks('[receipts]\npayers = ["Cedar Road"]');
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
});

const rows = async () => (await desk.json<{ rows: Row[] }>('/mismatches')).rows;
const statusOf = async (id: string) => (await rows()).find((row) => row.id === id)!.status;
const events = async () => (await desk.json<{ decisions: unknown[] }>('/decisions')).decisions.length;
describe('decisions at the desk', () => {
  it('acknowledges, resolves and opens again, under the name of the person, as the command line does', async () => {
    const [{ id }] = (await rows()) as [Row];
    const acked = await desk.submit('/mismatches/ack', { ids: [id], note: 'asked', back: '/mismatches?code=x' });
    expect(acked.status).toBe(303);
    expect(acked.headers.location).toBe('/mismatches?code=x');
    expect(await statusOf(id)).toBe('acknowledged');
    const resolved = await desk.post('/api/v1/mismatches/resolve', { ids: [id], note: 'credited' });
    expect(resolved.status).toBe(200);
    expect(JSON.parse(resolved.text)).toMatchObject({ act: 'resolve', by: 'rana', note: 'credited', left: [] });
    const { history } = await books.json<{ history: object[] }>(['mismatch', 'show', id]);
    expect(history.at(-1)).toMatchObject({ actor: 'rana', to_status: 'resolved', note: 'credited' });
    const reopened = await desk.submit('/mismatches/reopen', { ids: [id], note: 'it never came' });
    expect(reopened.headers.location).toBe('/mismatches');
    expect(await statusOf(id)).toBe('open');
    expect((await desk.submit('/mismatches/resolve', { ids: [id] })).status).toBe(422);
    expect((await desk.submit('/mismatches/ack', { ids: ['zz'] })).status).toBe(422);
    await books.verify();
  });

  it('claims, gives the letter as it was sent, and takes the claim back', async () => {
    const [{ id }] = (await rows()) as [Row];
    const page = (address: string) => desk.send(address, { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect((await page(`/claims/${id}/letter`)).status).toBe(404);
    expect((await desk.submit('/claims/withdraw', { ids: [id], note: 'too early' })).status).toBe(422);
    expect((await desk.submit('/claims', { ids: [id] })).status).toBe(303);
    const shown = await page(`/mismatches/${id}`);
    expect(shown.text).toContain(`href="/claims/${id}/letter"`);
    // It was claimed, whatever its status is called in the JSON, and what is asked is positive.
    expect(shown.text).toContain('<p class="status good">Claimed</p>');
    expect((await page('/mismatches')).text).toContain('<span class="badge acknowledged">Claimed</span>');
    expect((await page('/claims')).text).not.toMatch(/>-\d/);
    expect((await page('/claims')).text).toContain('>Owed to you</td>');
    expect(shown.text).toContain('action="/claims/withdraw?preview=1"');
    const letter = await page(`/claims/${id}/letter`);
    expect(letter.headers['content-disposition']).toMatch(/^attachment; filename="claim-\d+\.html"$/);
    expect(letter.text).toBe((await books.remit(['dispute', 'letter', id])).stdout);
    const filed = /href="(\/claims\/\d+)"/.exec((await page('/claims')).text)![1]!;
    expect(await desk.json(filed)).toMatchObject({ claims: [{ mismatch: { id }, claim: { state: 'claimed' } }] });
    expect((await page(filed)).text).toContain(`href="/claims/${id}/letter"`);
    expect((await page('/claims/99999')).status).toBe(404);
    expect((await desk.submit('/claims/withdraw', { ids: [id], note: ' ' })).status).toBe(422);
    const preview = await desk.post('/api/v1/claims/withdraw?preview=1', { ids: [id], note: 'wrong company' });
    expect([preview.status, JSON.parse(preview.text)]).toMatchObject([200, { preview: true, refusals: [] }]);
    expect(await desk.json('/claims')).toMatchObject({ claims: [{ claim: { state: 'claimed' } }] });
    expect((await desk.submit('/claims/withdraw', { ids: [id], note: 'sent to the wrong company' })).status).toBe(303);
    expect(await desk.json('/claims')).toMatchObject({ claims: [{ claim: { state: 'withdrawn' } }] });
    expect(await statusOf(id)).toBe('open');
    expect((await desk.submit('/claims/withdraw', { ids: [id], note: 'again' })).status).toBe(422);
    expect((await page(`/claims/${id}/letter`)).text).toBe(letter.text);
    await books.verify();
  });

  it('never leads to another place', async () => {
    const [{ id }] = (await rows()) as [Row];
    for (const back of ['//evil.test/', 'https://evil.test/', '/\\evil.test', '\\/evil.test', 'javascript:alert(1)']) {
      const answer = await desk.submit('/mismatches/assign', { ids: [id], to: 'karim', back });
      expect({ back, to: answer.headers.location }).toEqual({ back, to: '/mismatches' });
      const view = await desk.submit('/views', { name: 'bad', address: back });
      expect({ back, status: view.status }).toEqual({ back, status: 422 });
    }
  });

  it('tells the second of two clerks who was first, and decides nothing', async () => {
    const all = await rows();
    const [first, second] = all.map(({ id }) => id) as [string, string];
    const before = await seenOf();
    await books.json(['mismatch', 'ack', first, '--by', 'karim', '--note', 'mine']);
    const late = await desk.submit('/mismatches/resolve', {
      ids: [first, second],
      note: 'gone',
      seen: String(before),
    });
    expect(late.status).toBe(409);
    expect(late.text).toContain('karim was first, at 2026-11-10');
    const from = { headers: { referer: `${desk.origin}/mismatches?code=x` } };
    const again = await desk.submit('/mismatches/ack', { ids: [first] }, from);
    expect(again.text).toContain('<a href="/mismatches?code=x">Back');
    expect(again.text).toContain('href="/mismatches?code=x&amp;lang=ar"');
    const elsewhere = { headers: { referer: 'https://evil.test/mismatches' } };
    expect((await desk.submit('/mismatches/ack', { ids: [first] }, elsewhere)).text).toContain('<a href="/">Back');
    expect(await statusOf(first)).toBe('acknowledged');
    expect(await statusOf(second)).toBe('open');
    const program = await desk.post('/api/v1/mismatches/ack', { ids: [first] });
    expect(program.status).toBe(409);
    expect(JSON.parse(program.text).error.details).toMatchObject({
      first: { by: 'karim', at: '2026-11-10T09:00:00.000Z' },
      status: 'acknowledged',
      note: 'mine',
    });
  });

  it('gives the same form its first answer, and makes one event of it', async () => {
    const [{ id }] = (await rows()) as [Row];
    const before = await events();
    const form = { ids: [id], note: 'asked', form: 'f1', seen: String(await seenOf()), back: '/decisions' };
    const answers = await Promise.all([desk.submit('/mismatches/ack', form), desk.submit('/mismatches/ack', form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await desk.submit('/mismatches/ack', form)).headers.location).toBe('/decisions');
    expect(await events()).toBe(before + 1);
    expect((await desk.submit('/mismatches/ack', { ...form, note: 'other' })).status).toBe(409);
  });

  it('settles, lists what was decided, and undoes it by its opposite', async () => {
    const settled = await desk.post('/settlements', {
      invoices: [10001],
      as: 'write-off',
      amount: '7.5',
      note: 'fee',
    });
    expect(JSON.parse(settled.text)).toMatchObject({
      said: 'Wrote off 1 invoice (7.50 USD).',
      undo: { method: 'POST', address: expect.stringMatching(/^\/api\/v1\/decisions\/\d+\/undo$/) },
      settled: [{ id: 1, invoice_number: 10001, currency: 'USD', amount: '7.50', kind: 'write-off', open: '89.50' }],
    });
    const stale = await desk.submit('/settlements', {
      invoices: '10001',
      as: 'write-off',
      amount: '7.5',
      note: 'fee',
      currency: '',
      seen: '1',
    });
    expect(stale.status).toBe(409);
    expect((await desk.submit('/settlements', { invoices: '10001', as: 'gift', note: 'x' })).status).toBe(400);
    expect((await desk.submit('/settlements', { invoices: '10002', as: 'fx', amount: '9999', note: 'x' })).status).toBe(
      422,
    );
    const { decisions } = await desk.json<{ decisions: { id: number; undo: object }[] }>('/decisions');
    expect(decisions[0]).toMatchObject({
      by: 'rana',
      kind: 'match',
      subject: '1: 10001',
      undo: { kind: 'undo-settlements', ids: [1] },
    });
    const undone = await desk.submit(`/decisions/${decisions[0]!.id}/undo`, { reason: 'it came after all' });
    expect(undone.status).toBe(303);
    expect(await books.json(['settle', 'list'])).toMatchObject({
      settlements: [{ id: 1, undone_by: 'rana', undone_reason: 'it came after all' }],
    });
    expect((await desk.submit(`/decisions/${decisions[0]!.id}/undo`, { reason: 'again' })).status).toBe(422);
    await books.verify();
  });

  it('imports a file, matches its receipt by hand, and takes both back', async () => {
    const csv = 'date,amount,currency,text,invoice\n2026-10-28,90.00,USD,Cedar Road COD,\n';
    const imported = await upload({ kind: 'receipts' }, [['cash.csv', csv]]);
    expect(imported.status).toBe(303);
    const { rows: receipts } = await desk.json<{ rows: { receipt: number }[] }>('/receipts');
    const { receipt } = receipts[0]!;
    const match = { receipt, invoices: [10001], difference: 'bank-charge', note: 'wire fee' };
    const added = await desk.post('/api/v1/matches', match);
    expect(JSON.parse(added.text)).toMatchObject({ receipt, invoices: [10001], difference: '-7.00' });
    const invoice = await desk.json<{ matches: object[] }>('/invoices/10001');
    expect(invoice.matches).toMatchObject([
      { rule: 'manual', actor: 'rana', currency: 'USD', receipts: [receipt], difference_kind: 'bank-charge' },
    ]);
    const page = await desk.send('/invoices/10001', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(page.text).toContain(`<a href="/receipts/${receipt}">`);
    const twice = await desk.post('/api/v1/matches', match);
    expect(twice.status).toBe(409);
    const { decisions } = await desk.json<{ decisions: { id: number; kind: string; subject: string }[] }>('/decisions');
    expect(decisions.find(({ kind }) => kind === 'match')).toMatchObject({ subject: `1: ${receipt} → 10001` });
    for (const kind of ['match', 'import']) {
      const { id } = decisions.find((one) => one.kind === kind)!;
      expect((await desk.submit(`/decisions/${id}/undo`, { reason: 'wrong' })).status).toBe(303);
    }
    expect((await desk.json<{ imports: { undone_by: string }[] }>('/imports')).imports[0]!.undone_by).toBe('rana');
    await books.verify();
  });

  it('matches a receipt in another currency at a rate, from the form', async () => {
    const csv = 'date,amount,currency,text,invoice\n2026-10-28,4475000,LBP,Cedar Road COD,\n';
    await upload({ kind: 'receipts' }, [['cash.csv', csv]]);
    const { rows: receipts } = await desk.json<{ rows: { receipt: number }[] }>('/receipts');
    const page = await desk.send('/receipts', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(page.text).toContain('name="rate"');
    expect(page.text).toContain('name="part"');
    const form = { receipt: String(receipts[0]!.receipt), invoices: '10001', difference: '', rate: '89500', note: '' };
    expect((await desk.submit('/matches', form)).status).toBe(422);
    expect((await desk.submit('/matches', { ...form, part: '1' })).status).toBe(303);
    const { matches } = await desk.json<{ matches: object[] }>('/invoices/10001');
    expect(matches).toMatchObject([{ currency: 'USD', amount: '50.00', rate: '89500', paid_currency: 'LBP' }]);
  });

  it('closes a month with its conditions, and opens it again', async () => {
    const { refusals } = await desk.json<{ refusals: { code: string }[] }>('/months/2026-10');
    const { text: before } = await desk.send('/months/2026-10', {
      headers: { cookie: desk.cookie, accept: 'text/html' },
    });
    expect(before.match(/<button[^>]*>Close October 2026</g)).toHaveLength(1);
    expect(before).not.toContain('>Close the month<');
    for (const [language, tick] of [
      ['en', 'or tick “The books begin with this month”'],
      ['ar', 'أو ضع علامة عند «تبدأ الدفاتر بهذا الشهر»'],
    ] as const) {
      const headers = { cookie: desk.cookie, accept: 'text/html', 'accept-language': language };
      const { text: next } = await desk.send('/months/2026-11', { headers });
      expect(next).toMatch(new RegExp(`<a href="/months/2026-10#close">[^<]+</a> · ${tick}`));
      expect(next).not.toContain('--first');
    }
    expect(refusals.map(({ code }) => code)).toContain('month-before-open');
    const refused = await desk.submit('/closes', { month: '2026-10' });
    expect(refused.status).toBe(422);
    const close = { month: '2026-10', first: 'on', with_open: 'agreed' };
    const shown = await desk.post('/closes?preview=1', { month: '2026-10', first: true, with_open: 'agreed' });
    const { rows: moved } = await desk.json<{ rows: Record<string, string>[] }>('/reports/roll-forward?month=2026-10');
    expect(JSON.parse(shown.text)).toMatchObject({
      lines: [
        { what: 'close', amount: null },
        { what: 'although', amount: null, subject: expect.stringMatching(/the order book was never synced$/) },
        ...moved.map(({ currency, closing }) => ({ what: 'closing', currency, amount: closing })),
      ],
    });
    const closed = await desk.submit('/closes', close);
    expect({ status: closed.status, to: closed.headers.location }).toEqual({ status: 303, to: '/months/2026-10' });
    const { text: page } = await desk.send('/months/2026-10', {
      headers: { cookie: desk.cookie, accept: 'text/html' },
    });
    expect(page).toMatch(/Closed<\/a>: <bdi>rana<\/bdi> · <bdi>[^<]*<\/bdi> · \d+ findings?</);
    expect(page).not.toMatch(/badge (error|warning)|class="unmet"/);
    const again = await desk.submit('/closes', close);
    expect(again.status).toBe(409);
    expect(again.text).toContain('rana was first');
    expect((await desk.submit('/closes/2026-10/reopen', { reason: 'restated' })).status).toBe(303);
    expect(await desk.json('/closes')).toMatchObject({
      closes: [{ by: 'rana', with_open: 'agreed', reopened: { reason: 'restated' } }],
    });
  });

  it('saves a view under a name and takes it away; assigns, and takes that back', async () => {
    const [{ id }] = (await rows()) as [Row];
    await desk.submit('/views', { name: 'Late', address: '/mismatches?code=payment-overdue' });
    expect(await desk.json('/views')).toMatchObject({
      views: [{ name: 'Late', address: '/mismatches?code=payment-overdue', by: 'rana' }],
    });
    expect((await desk.submit('/views/remove', { name: 'Late' })).status).toBe(303);
    expect(await desk.json('/views')).toEqual({ views: [], next: null });
    await desk.submit('/mismatches/assign', { ids: [id], to: 'karim' });
    expect(await desk.json(`/mismatches/${id}`)).toMatchObject({ assignment: { to: 'karim', by: 'rana' } });
    await desk.submit('/mismatches/assign', { ids: [id], to: '' });
    expect(await desk.json(`/mismatches/${id}`)).toMatchObject({ assignment: null });
  });

  it('refuses what is larger than its limits, before it reads more', async () => {
    const [{ id }] = (await rows()) as [Row];
    const status = async (body: string) => {
      const type = 'application/x-www-form-urlencoded';
      const headers = {
        cookie: desk.cookie,
        origin: desk.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': type,
      };
      return (await desk.send('/mismatches/ack', { method: 'POST', headers, body })).status;
    };
    expect(await status(`ids=${id}&note=${'x'.repeat(1 << 20)}`)).toBe(413);
    expect(await status(`ids=${id}${'&a=1'.repeat(1_000)}`)).toBe(413);
    expect((await desk.post('/mismatches/ack', { ids: [id], note: 'x'.repeat(1 << 20) })).status).toBe(413);
    expect((await upload({ kind: 'receipts' }, [['big.csv', Buffer.alloc((32 << 20) + 1, 'x')]])).status).toBe(413);
    expect((await upload({ kind: 'receipts', account: 'x'.repeat(1 << 20) }, [['a.csv', 'x']])).status).toBe(413);
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`a${index}`, '1']));
    expect((await upload(many, [['a.csv', 'x']])).status).toBe(413);
    expect(
      (
        await upload(
          { kind: 'receipts' },
          Array.from({ length: 11 }, (_, i) => [`${i}.csv`, 'x']),
        )
      ).status,
    ).toBe(413);
    expect(await desk.json('/imports')).toEqual({ imports: [], next: null });
    expect(await statusOf(id)).toBe('open');
  });
});

/** The last evidence that a page made now knows of. */
async function seenOf(): Promise<number> {
  const { headers } = await desk.send('/runs', { headers: { cookie: desk.cookie } });
  return Number(headers['remit-seen']);
}

function upload(fields: Readonly<Record<string, string>>, files: readonly (readonly [string, string | Buffer])[]) {
  const boundary = 'b0undary';
  const parts = [
    ...Object.entries(fields).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    ...files.flatMap(([name, content]) => [
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`,
      content,
      '\r\n',
    ]),
    `--${boundary}--\r\n`,
  ];
  return desk.send('/imports', {
    method: 'POST',
    headers: {
      cookie: desk.cookie,
      origin: desk.origin,
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Buffer.concat(parts.map((part) => Buffer.from(part))),
  });
}
