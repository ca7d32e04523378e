import { expect, it, onTestFinished } from 'vitest';
import { type Answer, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';

const IN_ARABIC = { headers: { 'accept-language': 'ar', accept: 'text/html' } };

/** What a refusal says, without what is kept in its own letters: names, figures and commands. */
function saidIn({ text }: Answer): string {
  const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? text;
  const said = [...main.matchAll(/<(?:p|pre)\b[^>]*>([\s\S]*?)<\/(?:p|pre)>/g)].map(([, inner]) => inner!);
  return said
    .filter((one) => !one.includes('<code>'))
    .join('\n')
    .replace(/<[^>]+>/g, '')
    .replace(/[\u2066\u2068][^\u2069]*\u2069/g, '')
    .replace(/`[^`]*`|&\w+;|remit\.toml|Idempotency-Key|PDF|SHA-256/g, '');
}

it('refuses in Arabic, to the last word, before and after somebody is let in', async () => {
  const books = await deskBooks('[receipts]\npayers = ["Cedar Road"]');
  const desk = await startDesk([], { cwd: books.folder });
  onTestFinished(async () => void (await desk.stop()));
  const get = (path: string) => desk.send(path, { headers: { ...IN_ARABIC.headers, cookie: desk.cookie } });
  const outside = await get('/runs');
  expect(outside.text).toContain('<html lang="ar" dir="rtl">');
  expect(saidIn(outside)).toContain('هذا الطلب لا يُدخل أحدًا');
  expect(saidIn(outside)).not.toMatch(/[A-Za-z]/);
  await desk.enter();
  const [{ id }] = (await desk.json<{ rows: { id: string }[] }>('/mismatches')).rows as [{ id: string }];
  const csv = Buffer.from('date,amount\n2026-10-28,ninety\n');
  const upload = [
    '--b',
    'content-disposition: form-data; name="kind"\r\n\r\nreceipts',
    '--b',
    `content-disposition: form-data; name="files"; filename="bank.csv"\r\n\r\n${csv}`,
    '--b--',
    '',
  ].join('\r\n');
  const answers: Record<string, Answer> = {
    'an unknown address': await get('/nowhere'),
    'no month': await get('/months/2026-99'),
    'no invoice': await get('/invoices/77'),
    'no order': await get('/orders/zz'),
    'no mismatch': await get('/mismatches/zz'),
    'no document': await get('/evidence/zz'),
    'no sort': await get('/rows?sort=x'),
    'two months at a glance': await get('/reports/dashboard?month=2026-09..2026-10'),
    'a form that lacks a field': await desk.submit('/closes', {}, IN_ARABIC),
    'a month that may not be closed': await desk.submit('/closes', { month: '2026-10' }, IN_ARABIC),
    'a month that is not closed': await desk.submit('/closes/2026-10/reopen', { reason: 'x' }, IN_ARABIC),
    'no reason': await desk.submit('/mismatches/resolve', { ids: [id] }, IN_ARABIC),
    'no such mismatch': await desk.submit('/mismatches/ack', { ids: ['zz'] }, IN_ARABIC),
    'nothing open': await desk.submit('/settlements', { invoices: '77', as: 'other', note: 'x' }, IN_ARABIC),
    'no receipt': await desk.submit('/matches', { receipt: '9', invoices: '10001' }, IN_ARABIC),
    'no match': await desk.submit('/matches/9/remove', { reason: 'x' }, IN_ARABIC),
    'no settlement': await desk.submit('/settlements/9/undo', { reason: 'x' }, IN_ARABIC),
    'no import': await desk.submit('/imports/9/undo', { reason: 'x' }, IN_ARABIC),
    'no proposal': await desk.submit('/approvals/9/approve', {}, IN_ARABIC),
    'no view': await desk.submit('/views/remove', { name: 'zz' }, IN_ARABIC),
    'a file without what it needs': await desk.send('/imports', {
      method: 'POST',
      body: upload,
      headers: {
        ...IN_ARABIC.headers,
        cookie: desk.cookie,
        origin: desk.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=b',
      },
    }),
  };
  for (const [what, answer] of Object.entries(answers)) {
    expect([what, answer.status >= 400 && answer.status < 500]).toEqual([what, true]);
    expect([what, answer.text.includes('<html lang="ar" dir="rtl">')]).toEqual([what, true]);
    expect([what, saidIn(answer)]).toEqual([what, expect.stringMatching(/[\u0600-\u06ff]/)]);
    expect([what, saidIn(answer)]).toEqual([what, expect.not.stringMatching(/[A-Za-z]/)]);
  }
  // Nothing on these pages is marked as English either: causes, what was not checked, what each document says.
  for (const path of ['/', '/months/2026-10', '/mismatches', `/mismatches/${id}`]) {
    const { status, text } = await get(path);
    expect([path, status, /<bdi lang="en" dir="ltr">[^<]*/.exec(text)?.[0]]).toEqual([path, 200, undefined]);
  }
});
