import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doneBy } from '../../src/app/decisions/lines.ts';
import { type Answer, type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';
import { payoutPdf } from '../helpers/pdf/write.ts';

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

  it('claims by the findings of now, also after a decision that nobody checked', async () => {
    const bank = books.file('bank.csv', 'date,amount,currency,text\n2026-10-20,50.00,USD,Cedar Road\n');
    await books.json(['import', 'receipts', bank, '--by', 'karim']);
    await books.remit(['check']);
    const letter = async () => {
      const { text } = await desk.post('/api/v1/claims?preview=1', { month: '2026-10' });
      return (JSON.parse(text) as { letter: string }).letter;
    };
    expect(await letter()).toContain('50.00');
    await books.json(['match', 'add', '1', '10001', '--part', '--by', 'karim']);
    expect(await letter()).not.toContain('tell us what it is');
    expect(await letter()).toContain('received 50.00 USD, difference 47.00 USD');
    expect((await desk.submit('/claims', { month: '2026-10' })).status).toBe(303);
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

  it('says what was done on the next page, and on no page of a refusal', async () => {
    await desk.submit('/settlements', SETTLE);
    expect(await page('/runs/999')).toMatchObject({ status: 404, text: expect.not.stringContaining('Wrote off') });
    const wrong = await desk.submit('/mismatches/ack', { note: 'x', back: '/mismatches' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.not.stringContaining('Wrote off')]);
    expect((await page('/settlements')).text).toContain('Wrote off 1 invoice (7.50 USD).');
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
    // No foreign address is followed, and a broken one leaves the refusal as it is.
    const foreign = await desk.submit('/claims?preview=1', { month: '2026-10', back: 'https://evil.test/' });
    expect([foreign.status, foreign.text.includes('evil.test')]).toEqual([200, false]);
    for (const back of ['/months/%zz', '/receipts?format=csv', '/no-such-page', '/months/1999-01']) {
      const { status: why, headers } = await desk.submit('/settlements', { ...SETTLE, amount: '999', back });
      expect([back, why, String(headers['content-type'])]).toEqual([back, 422, 'text/html; charset=utf-8']);
    }
    // It is said once.
    expect((await page('/mismatches')).text).not.toContain('why-note');
  });

  it('says that it holds though the books could not be checked again', async () => {
    const SAYS = 'The books were not checked again: ';
    expect((await desk.submit('/settlements', SETTLE)).status).toBe(303);
    expect((await page('/settlements')).text).not.toContain(SAYS);
    await desk.stop();
    desk = await startDesk([], { cwd: books.folder, now: () => new Date('1970-01-01T00:10:00Z') });
    await desk.enter();
    const before = await decided();
    expect((await desk.submit('/settlements', { ...SETTLE, amount: '0.50' })).status).toBe(303);
    const { text } = await page('/settlements');
    expect(text).toContain('Wrote off 1 invoice (0.50 USD).');
    expect(text).toContain(`${SAYS}the clock of this machine says 1970-01-01`);
    expect(await decided()).toBe(before + 1);
    expect((await page('/settlements')).text).not.toContain(SAYS);
  });

  it('claims in a letter about a month nothing of another month', async () => {
    const [id = ''] = await ids();
    const other = await desk.post('/api/v1/claims', { month: '2026-11', ids: [id] });
    expect([other.status, JSON.parse(other.text)]).toMatchObject([
      422,
      { error: { message: `mismatch ${id} is not of 2026-11, so a claim about 2026-11 cannot hold it` } },
    ]);
    const both = await desk.post('/api/v1/claims', { month: '2026-10', ids: [id] });
    expect([both.status, JSON.parse(both.text)]).toMatchObject([200, { period: '2026-10' }]);
  });

  it('ticks off what is done of a month: every receipt matched, every check run, all that is owed claimed', async () => {
    const steps = async () => {
      const { text } = await page('/months/2026-10');
      const step = (name: string) => new RegExp(`<b>${name}</b> <span class="hint">([^<]*)<`).exec(text)?.[1];
      return ['Files in', 'Matched', 'Claimed'].map(step);
    };
    // No order book of the shop, no receipts, no rate card, no rates of exchange.
    expect((await steps())[0]).toBe('left: 4');
    // Each currency is a cause of its own: more of them than a page shows.
    const currencies = Array.from({ length: 23 }, (_, at) => `Q${String.fromCharCode(65 + at)}A`);
    const lines = currencies.map((currency) => `2026-10-30,7.00,${currency},Cedar Road,`);
    const bank = path.join(books.folder, 'bank.csv');
    writeFileSync(bank, ['date,amount,currency,text,invoice', ...lines, ''].join('\n'));
    await books.json(['import', 'receipts', bank]);
    await books.remit(['check']);
    const { rows } = await desk.json<{ rows: readonly Readonly<Record<string, string>>[] }>(
      '/mismatches?month=2026-10',
    );
    const owed = rows.find(({ code }) => code === 'payment-overdue')!;
    expect(rows.filter(({ code }) => code!.startsWith('receipt-'))).toHaveLength(23);
    expect(await steps()).toEqual(['left: 3', 'left: 23', 'left: 2']);
    const one = await desk.post('/api/v1/claims', { month: '2026-10', ids: [owed.id] });
    expect(one.status).toBe(200);
    expect((await steps())[2]).toBe('left: 1');
    expect((await desk.post('/api/v1/claims', { month: '2026-10', short: true })).status).toBe(200);
    expect((await steps())[2]).toBe('done');
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

const BANK = `date,amount,currency,text,invoice
2026-10-28,97.00,USD,Cedar Road invoice 10001,
2026-10-29,-12.50,USD,SOCIÉTÉ des Stamps,
2026-10-30,5.00,USD,Cedar Road,
`;
const RATES = 'date,from,to,rate\n2026-10-01,USD,LBP,89500\n';
const UNKNOWN = 'a;b\nx;y\n';

/** Sends files as a browser does. */
const upload = (...sent: Parameters<RunningDesk['upload']>) => desk.upload(...sent);
const imports = async () => (await desk.json<{ imports: { source: string; kind: string }[] }>('/imports')).imports;

describe('files at the desk', () => {
  it('are recognised and shown before they are taken: what is new, held, matched and adds up', async () => {
    const shown = await upload('/api/v1/imports?preview=1', { 'bank.csv': BANK }, {}, 'application/json');
    expect([shown.status, JSON.parse(shown.text)]).toMatchObject([
      200,
      {
        preview: true,
        kind: 'receipts',
        format: 'csv',
        days: ['2026-10-28', '2026-10-30'],
        lines: 3,
        new: 3,
        held: 0,
        balanced: null,
        matches: 1,
        map: null,
        refusals: [],
      },
    ]);
    expect(await imports()).toEqual([]);
    await upload('/imports', { 'bank.csv': BANK });
    const again = await upload('/api/v1/imports?preview=1', { 'bank.csv': BANK }, {}, 'application/json');
    expect(JSON.parse(again.text)).toMatchObject({ lines: 3, new: 0, held: 3, matches: 0 });
  });

  it('of a shop say how many orders are new, changed, held and left out, and lead on from there', async () => {
    const orders = (cod: string) =>
      `reference,ordered_on,status,currency,cod\nR1,2026-10-01,handed_over,USD,${cod}\nR2,2026-10-01,handed_over,USD,3.00\n`;
    const first = await upload('/imports', { 'shop.csv': orders('1.00') });
    expect(first.status).toBe(303);
    const done = await desk.send('/imports', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(done.text).toContain('<a href="/">Next: see what needs you</a>');
    const file = { 'shop.csv': `${orders('2.00')}R3,2026-10-02,handed_over,USD,4.00\n` };
    const shown = await upload('/api/v1/imports?preview=1', file, {}, 'application/json');
    const counts = { lines: 3, new: 2, changed: 1, held: 1, skipped: 0 };
    expect(JSON.parse(shown.text)).toMatchObject({ kind: 'orders', ...counts });
    const { text } = await upload('/imports?preview=1', file);
    const cells = [...text.matchAll(/<td class="figure">(\d*)<\/td>/g)].map(([, cell]) => cell);
    expect(cells).toEqual(['3', '1', '1', '1']);
    expect((await upload('/imports', file)).status).toBe(303);
    const brought = await desk.send('/imports', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(brought.text).toContain('Imported 2 lines.');
  });

  it('ask who pays for the courier, keep the answer in remit.toml, and are shown again by it', async () => {
    const BOB =
      'date,amount,currency,text,invoice\n2026-10-03,97.00,USD,BOB FINANCE 118,\n2026-10-29,5.00,USD,Card sales,\n';
    const settings = path.join(books.folder, 'remit.toml');
    const payers = () => /payers = .*/.exec(readFileSync(settings, 'utf8'))?.[0];
    const shown = await upload('/imports?preview=1', { 'bob.csv': BOB });
    expect(shown.text).toContain('<button type="submit">BOB FINANCE pays for the courier</button>');
    expect([payers(), await imports()]).toEqual(['payers = ["Cedar Road"]', []]);
    const staged = /name="staged" value="([^"]*)"/.exec(shown.text)![1]!;
    const again = await desk.submit('/payers', { staged, payer: 'BOB FINANCE', pays_for: '' });
    expect([again.status, payers()]).toEqual([200, 'payers = ["Cedar Road", "BOB FINANCE"]']);
    expect(again.text).toContain('BOB FINANCE pays for the courier: that is in the settings from now on.');
    expect(again.text).not.toContain('action="/payers"');
    const kept = /name="staged" value="([^"]*)"/.exec(again.text)![1]!;
    expect((await desk.submit('/imports', { staged: kept })).status).toBe(303);
    const done = await desk.send('/imports', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(done.text).toContain(
      "Imported 2 lines (102.00 USD); matched 1 invoice (97.00 USD); 1 line not the courier's.",
    );
    expect((await desk.post('/payers', { payer: 'X' })).status).toBe(422);
    expect((await desk.submit('/payers', { payer: '  ' })).status).toBe(422);
    await books.verify();
  });

  it('that are held already ask the same on the page of receipts', async () => {
    await upload('/imports', {
      'bob.csv': 'date,amount,currency,text,invoice\n2026-10-03,97.00,USD,BOB FINANCE 118,\n',
    });
    const receipts = () => desk.send('/receipts', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect((await receipts()).text).toContain('BOB FINANCE pays for the courier');
    const said = await desk.submit('/payers', { payer: 'BOB FINANCE', pays_for: '' });
    expect([said.status, said.headers.location]).toEqual([303, '/receipts']);
    const { text } = await receipts();
    expect(text).not.toContain('action="/payers"');
    expect(text).not.toContain('Choose 10001');
    await books.verify();
  });

  it('that pay nothing yet are offered where money did not come, the nearest alone', async () => {
    const LINES = '2026-10-28,-12.50,USD,Stamps,\n2026-10-29,90.00,USD,Cedar Road,\n2026-10-30,5.00,USD,Cedar Road,\n';
    await upload('/imports', { 'bank.csv': `date,amount,currency,text,invoice\n${LINES}` });
    const late = (await desk.json<{ rows: { id: string }[] }>('/mismatches?code=payment-overdue&invoice=10001')).rows;
    const { text } = await page(`/mismatches/${late[0]!.id}`);
    expect(text).toMatch(/90\.00 USD<\/bdi> · 29 Oct 2026.*It is for 10001<\/button>/s);
    expect(text).not.toContain('5.00 USD</bdi> · 30 Oct');
  });

  it('of several banks are counted once each, however many are taken together', async () => {
    const OTHER = 'date,amount,currency,text,invoice\n2026-10-29,5.00,USD,Sundries,\n';
    await upload('/imports', { 'a.csv': BANK, 'b.csv': OTHER });
    const list = await desk.send('/imports', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(list.text).toContain('Imported 4 lines');
  });

  it('are taken as they were shown, several at once, without being sent again', async () => {
    const page = await upload('/imports?preview=1', { 'bank.csv': BANK, 'rates.csv': RATES, 'what.csv': UNKNOWN });
    expect(page.status).toBe(200);
    expect(page.text).toContain('>Import 4 lines</button>');
    expect(page.text).toContain('>Exchange rates</td>');
    expect(page.text).toMatch(/what\.csv<\/th><td class="bad"/);
    expect(await imports()).toEqual([]);
    const staged = /name="staged" value="([^"]*)"/.exec(page.text)![1]!;
    const taken = await desk.submit('/imports', { staged });
    expect([taken.status, taken.headers.location]).toEqual([303, '/imports']);
    expect((await imports()).map(({ kind }) => kind).sort()).toEqual(['rates', 'receipts']);
    const list = await desk.send('/imports', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(list.text).toContain('Imported 4 lines');
    expect(list.text).toContain('matched 1 invoice');
    await books.verify();
  });

  it('are checked with what they touch before the page comes back, as every decision about money is', async () => {
    const open = async () =>
      (await desk.json<{ count: number }>('/mismatches?code=receipt-unmatched&status=open')).count;
    expect(await open()).toBe(0);
    await upload('/imports', { 'bank.csv': BANK });
    const said = await desk.send('/imports', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(said.text).toContain('<a href="/receipts">Next: see what it matched, and what is left</a>');
    expect(await open()).toBe(1);
    // The finding shows the bank's line: day, amount, payer, words, file.
    const [left] = (await desk.json<{ rows: { id: string }[] }>('/mismatches?code=receipt-unmatched')).rows;
    expect(await desk.json(`/mismatches/${left!.id}`)).toMatchObject({
      sides: [{ fields: { date: '2026-10-30', 'amount USD': '5.00', source: 'bank.csv', line: '4' } }],
    });
    // A receipt is found by its payer, a word of its text or its day; `%` and `_` are no wildcards.
    const found = async (text: string) =>
      (await desk.json<{ found: { kind: string }[] }>(`/search?q=${encodeURIComponent(text)}`)).found.length;
    const texts = ['cedar ROAD', 'Stamps', 'société', 'SOCIÉTÉ', '2026-10-28', '%%%'];
    expect(await Promise.all(texts.map(found))).toEqual([2, 1, 1, 1, 1, 0]);
    const { rows } = await desk.json<{ rows: { receipt: number; amount: string }[] }>('/receipts');
    const { receipt } = rows.find(({ amount }) => amount === '5.00')!;
    await desk.submit('/matches', { receipt: String(receipt), invoices: '10002', part: '1', note: 'a part' });
    expect(await open()).toBe(0);
    const { decisions } = await desk.json<{ decisions: { id: number; kind: string }[] }>('/decisions');
    await desk.submit(`/decisions/${decisions.find(({ kind }) => kind === 'match')!.id}/undo`, { reason: 'wrong' });
    expect(await open()).toBe(1);
    await books.verify();
  });

  it('are taken back as shown: the file, its lines, and the matches that rested on them', async () => {
    await upload('/imports', { 'bank.csv': BANK });
    const { decisions } = await desk.json<{ decisions: { id: number; kind: string }[] }>('/decisions');
    const undo = `/decisions/${decisions.find(({ kind }) => kind === 'import')!.id}/undo`;
    const shown = await desk.submit(`${undo}?preview=1`, { reason: 'wrong account', back: '/decisions' });
    expect(shown.text).toContain('bank.csv: 3 lines');
    expect(shown.text).toMatch(
      /<td[^>]*>Unmatch<\/td><td[^>]*>Invoice 10001, paid by receipt 1<\/td><td[^>]*>97\.00<\/td>/,
    );
    expect(button(shown)).toBe('Undo 3 lines, 97.00 USD');
    const taken = await desk.post(`/api/v1${undo}`, { reason: 'wrong account', seen: hidden(shown, 'seen') });
    expect([taken.status, JSON.parse(taken.text).said]).toEqual([
      200,
      'Took back 3 lines of bank.csv; took away the match of 1 invoice (97.00 USD).',
    ]);
    await books.verify();
  });

  it('of which nothing can be read are refused with why, and nothing is kept', async () => {
    const shown = await upload('/api/v1/imports?preview=1', { 'what.csv': UNKNOWN }, {}, 'application/json');
    const { refusals, stale_after } = JSON.parse(shown.text) as { refusals: { why: string }[]; stale_after: null };
    expect([shown.status, stale_after, refusals.length]).toEqual([200, null, 1]);
    expect((await upload('/imports', { 'what.csv': UNKNOWN })).status).toBe(422);
    expect((await upload('/imports?preview=1', {})).status).toBe(422);
    expect(await imports()).toEqual([]);
  });

  it('of another layout are read once somebody says what their columns are, and the map is kept', async () => {
    const other = 'Valuta;Betrag;Zweck\n28.10.2026;97,00;Cedar Road 10001\n30.10.2026;5,00;Cedar Road\n';
    const page = await upload('/imports?preview=1', { 'other.csv': other });
    const wizard = /href="(\/maps\/new\?import=[^"]*)"/.exec(page.text)![1]!;
    const html = { headers: { cookie: desk.cookie, accept: 'text/html' } };
    const asked = await desk.send(wizard, html);
    expect([asked.status, asked.text.includes('28.10.2026'), asked.text.includes('Zweck')]).toEqual([200, true, true]);
    const staged = /name="staged" value="([^"]*)"/.exec(asked.text)![1]!;
    const columns = { 'column-0': 'date', 'column-1': 'amount', 'column-2': 'text' };
    const fields = {
      staged,
      kind: 'receipts',
      ...columns,
      date: 'DD.MM.YYYY',
      decimal: ',',
      delimiter: ';',
      name: 'other',
    };
    const wrong = await desk.submit('/maps', { ...fields, 'column-0': '' });
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([422, true]);
    const shown = await desk.submit('/maps', { ...fields, currency: 'USD' });
    expect([shown.status, shown.text.includes('>Import 2 lines</button>')]).toEqual([200, true]);
    expect(await imports()).toEqual([]);
    const take = { staged: /name="staged" value="([^"]*)"/.exec(shown.text)![1]!, kind: 'receipts', map: 'other' };
    expect((await desk.submit('/imports', take)).status).toBe(303);
    expect((await imports()).map(({ kind }) => kind)).toEqual(['receipts']);
    // The next file of this layout is read by it.
    const again = await upload(
      '/api/v1/imports?preview=1',
      { 'next.csv': other },
      { map: 'other' },
      'application/json',
    );
    expect(JSON.parse(again.text)).toMatchObject({ kind: 'receipts', map: 'other', lines: 2, new: 0, held: 2 });
    // The same map sent twice is accepted; another map of that name is refused.
    expect((await desk.submit('/maps', { ...fields, currency: 'USD' })).status).toBe(200);
    expect((await desk.submit('/maps', { ...fields, currency: 'EUR' })).status).toBe(422);
    const toml = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
    expect(toml.match(/\[maps\.other\]/g)).toHaveLength(1);
  });

  it('that are a courier’s sheet as a PDF are read by a map that a person makes, whatever they were taken for', async () => {
    const files = { 'payout.pdf': payoutPdf().toString('latin1') };
    for (const kind of ['settlement', undefined]) {
      const refused = await upload('/imports?preview=1', files, kind === undefined ? {} : { kind });
      const link = /href="(\/maps\/new[^"]*)"/.exec(refused.text)![1]!.replaceAll('&amp;', '&');
      const { text } = await page(link);
      const chosen = [...text.matchAll(/<option value="(\w+)" selected>/g)].map(([, field]) => field);
      expect(chosen).toEqual(['invoice', 'issued_on', 'order', 'cod', 'fee', 'net']);
    }
  });

  it('are saved as maps one after the other, whoever is quicker', async () => {
    const other = 'Valuta;Betrag\n28.10.2026;97,00\n';
    const page = await upload('/imports?preview=1', { 'other.csv': other });
    const staged = /import=([^"&]*)"/.exec(page.text)![1]!;
    const columns = { 'column-0': 'date', 'column-1': 'amount', date: 'DD.MM.YYYY', decimal: ',', delimiter: ';' };
    const save = (name: string) =>
      desk.submit('/maps', { staged, kind: 'receipts', ...columns, currency: 'USD', name });
    const saved = await Promise.all(['one', 'one', 'two', 'three'].map(save));
    expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const toml = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
    expect(['one', 'two', 'three'].map((name) => toml.split(`[maps.${name}]`).length)).toEqual([2, 2, 2]);
    expect((await save('x'.repeat(500))).status).toBe(422);
    expect((await books.remit(['verify'])).code).toBe(0);
  });

  it('of several are taken just as they were shown together, and by nobody else', async () => {
    const page = await upload('/imports?preview=1', { 'a.csv': BANK, 'b.csv': BANK, 'rates.csv': RATES });
    expect(page.text).toContain('>Import 4 lines</button>');
    const [staged, seen] = ['staged', 'seen'].map(
      (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)![1]!,
    );
    await upload('/imports', { 'rates.csv': RATES });
    expect((await desk.submit('/imports', { staged: staged!, seen: seen! })).status).toBe(409);
    expect((await imports()).map(({ kind }) => kind)).toEqual(['rates']);
    for (const preview of ['true', '', '01']) {
      expect([preview, (await desk.submit(`/views?preview=${preview}`, { name: 'x', address: '/' })).status]).toEqual([
        preview,
        400,
      ]);
    }
    const two = await upload('/api/v1/imports?preview=1', { 'a.csv': BANK, 'b.csv': BANK }, {}, 'application/json');
    expect(two.status).toBe(400);
    // Only a table has columns to name.
    expect((await upload('/imports?preview=1', { 'a.pdf': '%PDF-1.4' })).text).not.toContain('/maps/new');
    expect((await desk.send('/maps/new?import=none', { headers: { cookie: desk.cookie } })).status).toBe(404);
    expect((await desk.send('/claims/abc', { headers: { cookie: desk.cookie } })).status).toBe(404);
  });
});

it('a month that cannot be stated in the base currency says so among its conditions, before anybody closes it', async () => {
  const conditions = async () => (await page('/months/2026-10')).text.match(/<ul class="conditions">.*?<\/ul>/s)![0];
  expect(await conditions()).not.toContain('LBP');
  const settings = path.join(books.folder, 'remit.toml');
  writeFileSync(settings, `accounting = { base_currency = "LBP" }\n${readFileSync(settings, 'utf8')}`);
  await books.remit(['check']);
  expect(await conditions()).toMatch(/<li class="unmet">.*USD.*LBP.*2026-10-01/);
});

it('what was matched is counted by invoices, however many currencies each is in', () => {
  const line = (invoice_number: number, currency: string) => {
    const money = { currency, amount: '1.00', direction: 'none' } as const;
    return { what: 'match', courier: null, subject: `invoice ${invoice_number}`, invoice_number, ...money };
  };
  expect(doneBy([line(1, 'USD'), line(1, 'LBP'), line(2, 'USD')])).toMatchObject([{ what: 'match', count: 2 }]);
});
