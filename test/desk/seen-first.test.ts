import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

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

const page = (address: string) => desk.send(address, { headers: { cookie: desk.cookie, accept: 'text/html' } });
const decided = async () => (await desk.json<{ decisions: object[] }>('/decisions')).decisions.length;
const ids = async () => (await desk.json<{ rows: { id: string }[] }>('/mismatches')).rows.map(({ id }) => id);
const hidden = ({ text }: Answer, name: string) => {
  const form = text.slice(text.indexOf('id="deciding"'));
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
};
const button = ({ text }: Answer) => /<button type="submit" class="first">([^<]*)<\/button>/.exec(text)?.[1];
const SETTLE = {
  invoices: '10001',
  as: 'write-off',
  amount: '7.50',
  currency: 'USD',
  note: 'fee',
  back: '/settlements',
};

describe('a decision at the desk', () => {
  it('is shown before it is made, and made as it was shown', async () => {
    const before = await decided();
    const shown = await desk.submit('/settlements?preview=1', SETTLE);
    expect(shown.status).toBe(200);
    expect(button(shown)).toBe('Settle 7.50 USD');
    expect(shown.text).toMatch(
      /action="\/settlements"[^>]*id="deciding"|id="deciding"[^>]*action="\/settlements"|<form method="post" action="\/settlements"/,
    );
    expect(shown.text).toContain('Invoice 10001');
    expect(await decided()).toBe(before);
    const form = { ...SETTLE, seen: hidden(shown, 'seen'), form: hidden(shown, 'form') };
    const made = await desk.submit('/settlements', form);
    expect([made.status, made.headers.location]).toEqual([303, '/settlements']);
    const after = await page('/settlements');
    expect(after.text).toContain('<p role="status">Wrote off 1 invoice (7.50 USD).</p>');
    expect((await desk.submit('/settlements', form)).status).toBe(303);
    expect(await decided()).toBe(before + 1);
    const undo = /action="(\/decisions\/\d+\/undo)"/.exec(after.text)![1]!;
    expect((await desk.submit(undo, { reason: 'undone at once', back: '/settlements' })).status).toBe(303);
    expect((await page('/settlements')).text).toContain('Undid the settlement of 1 invoice (7.50 USD)');
    await books.verify();
  });

  it('is not made where it would do something else than what was shown', async () => {
    const shown = await desk.submit('/settlements?preview=1', { ...SETTLE, amount: '97.00' });
    await books.json(['settle', '10001', '--as', 'rounding', '--amount', '0.01', '--note', 'x', '--by', 'karim']);
    const before = await decided();
    const late = await desk.submit('/settlements', { ...SETTLE, amount: '97.00', seen: hidden(shown, 'seen') });
    expect([409, 422]).toContain(late.status);
    expect(await decided()).toBe(before);
  });

  it('claims what is ticked: at first what the courier owes, and no other', async () => {
    const all = (await desk.post('/api/v1/claims?preview=1', { month: '2026-10' })).text;
    const { lines } = JSON.parse(all) as { lines: { mismatch?: string; direction: string }[] };
    const theirs = lines.filter(({ mismatch, direction }) => mismatch && direction === 'to-us');
    const shown = await desk.submit('/claims?preview=1', { month: '2026-10', back: '/months/2026-10' });
    const ticked = [...shown.text.matchAll(/name="ids" value="([^"]*)" form="deciding" checked/g)].map(([, id]) => id);
    expect([...ticked].sort()).toEqual(theirs.map(({ mismatch }) => mismatch).sort());
    expect(button(shown)).toMatch(/^Claim \d+ findings?, /);
    expect(shown.text).toContain('OWED TO US');
    const seen = hidden(shown, 'seen');
    if (ticked.length > 1) {
      const fewer = await desk.submit('/claims', { month: '2026-10', ids: ticked.slice(1) as string[], seen });
      expect(fewer.status).toBe(409);
    }
    const claimed = await desk.submit('/claims', { month: '2026-10', ids: ticked as string[], seen });
    expect(claimed.status).toBe(303);
    const { claims } = await desk.json<{ claims: { claim: { mismatch_id: string } }[] }>('/claims');
    expect(claims.map(({ claim }) => claim.mismatch_id).sort()).toEqual(ticked.sort());
  });

  it('says at its field what is wrong, and keeps what was filled in', async () => {
    const wrong = await desk.submit('/settlements?preview=1', { ...SETTLE, amount: '999' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/name="amount"[^>]*value="999"[^>]*aria-describedby="why-amount"/);
    expect(wrong.text).toMatch(/id="why-amount">97.00 USD is open of invoice 10001/);
    expect(wrong.text).toMatch(/name="note"[^>]*value="fee"/);
    const [one = '', two = ''] = await ids();
    const none = await desk.submit('/mismatches/ack', { note: 'x', back: '/mismatches' });
    expect([none.status, none.text.includes('nothing is chosen. Choose at least one finding.')]).toEqual([400, true]);
    const unsaid = await desk.submit('/mismatches/resolve', { ids: [one], back: '/mismatches' });
    expect(unsaid.status).toBe(422);
    expect(unsaid.text).toMatch(/name="note"[^>]*aria-describedby="why-note"/);
    expect(unsaid.text).toContain(`value="${one}" form="decide" checked`);
    expect(two === '' || !unsaid.text.includes(`value="${two}" form="decide" checked`)).toBe(true);
    // Nobody is led elsewhere, and an address that is none leaves the refusal as it is.
    const foreign = await desk.submit('/claims?preview=1', { month: '2026-10', back: 'https://evil.test/' });
    expect([foreign.status, foreign.text.includes('evil.test')]).toEqual([200, false]);
    for (const back of ['/months/%zz', '/receipts?format=csv', '/no-such-page', '/months/1999-01']) {
      const { status: why, headers } = await desk.submit('/settlements', { ...SETTLE, amount: '999', back });
      expect([back, why, String(headers['content-type'])]).toEqual([back, 422, 'text/html; charset=utf-8']);
    }
    // It is said once.
    expect((await page('/mismatches')).text).not.toContain('why-note');
  });

  it('blames nobody for what oneself decided, and keeps no assignment that changes nothing', async () => {
    const [id = ''] = await ids();
    await desk.submit('/mismatches/ack', { ids: [id], note: 'x' });
    const before = await decided();
    expect((await desk.submit('/mismatches/assign', { ids: [id], to: '' })).status).toBe(303);
    expect(await decided()).toBe(before);
    const again = await desk.submit('/mismatches/ack', { ids: [id], note: 'x', seen: '1' });
    expect(again.status).toBe(409);
    expect(again.text).toContain('<h1 dir="auto">You decided this already</h1>');
  });

  it('says of a file that was imported before that nothing is new', async () => {
    const file = path.join(books.folder, 'again.csv');
    writeFileSync(file, 'date,amount,currency,text,invoice\n2026-10-30,7.77,USD,Cedar Road,\n');
    await books.json(['import', 'receipts', file]);
    const body = [
      '--x\r\nContent-Disposition: form-data; name="kind"\r\n\r\nreceipts',
      '\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="again.csv"\r\n\r\n',
      'date,amount,currency,text,invoice\n2026-10-30,7.77,USD,Cedar Road,\n\r\n--x--\r\n',
    ].join('');
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const own = { cookie: desk.cookie, origin: desk.origin, 'sec-fetch-site': 'same-origin' };
    expect((await desk.send('/imports', { method: 'POST', headers: { ...own, ...headers }, body })).status).toBe(303);
    expect((await page('/imports')).text).toContain('Already imported, nothing new.');
  });

  it('is offered where it solves a finding, with the amount filled in; no page says what to type', async () => {
    const invoice = await page('/invoices/10001');
    expect(invoice.text).toMatch(/name="amount"[^>]*value="97.00"/);
    expect(invoice.text).toContain('>Settle 97.00 USD</button>');
    for (const lang of ['en', 'ar']) {
      for (const address of [
        '/',
        '/months/2026-10',
        '/mismatches',
        ...(await ids()).map((id) => `/mismatches/${id}`),
      ]) {
        const { text } = await page(`${address}?lang=${lang}`);
        expect([address, /`remit [^`]*`/.exec(text)?.[0] ?? null]).toEqual([address, null]);
      }
    }
  });
});
