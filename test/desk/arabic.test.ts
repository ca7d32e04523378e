import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';

let desk: RunningDesk;

beforeAll(async () => {
  const books = await deskBooks('[receipts]\npayers = ["Cedar Road"]');
  desk = await startDesk([], { cwd: books.folder });
});
afterAll(() => desk.stop());

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
  const outside = await desk.send('/runs', IN_ARABIC);
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
    'an unknown address': await desk.send('/nowhere', IN_ARABIC),
    'no month': await desk.send('/months/2026-99', IN_ARABIC),
    'no invoice': await desk.send('/invoices/77', IN_ARABIC),
    'no order': await desk.send('/orders/zz', IN_ARABIC),
    'no mismatch': await desk.send('/mismatches/zz', IN_ARABIC),
    'no document': await desk.send('/evidence/zz', IN_ARABIC),
    'no sort': await desk.send('/rows?sort=x', IN_ARABIC),
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
    'a file without what it needs': await desk.submit(
      '/imports',
      {},
      { body: upload, headers: { ...IN_ARABIC.headers, 'content-type': 'multipart/form-data; boundary=b' } },
    ),
  };
  for (const [what, answer] of Object.entries(answers)) {
    expect([what, answer.status >= 400 && answer.status < 500]).toEqual([what, true]);
    expect([what, answer.text.includes('<html lang="ar" dir="rtl">')]).toEqual([what, true]);
    expect([what, saidIn(answer)]).toEqual([what, expect.stringMatching(/[\u0600-\u06ff]/)]);
    expect([what, saidIn(answer)]).toEqual([what, expect.not.stringMatching(/[A-Za-z]/)]);
  }
});
