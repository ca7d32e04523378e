import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../../reports/model.ts';
import { said } from '../../src/base/sentence.ts';
import { htmlText } from '../../src/render/html/report-page.tsx';
import { inWords } from '../../src/render/in-words.ts';

const report = (rows: Report['rows'], notes: string[] = []): Report => ({
  report: 'orders',
  title: 'Orders',
  period: '2026-10',
  columns: [
    { name: 'order_id', title: 'Order', type: 'id' },
    { name: 'currency', title: 'Currency', type: 'text' },
    { name: 'net', title: 'Net', type: 'money' },
  ],
  rows,
  totals: () => [{ currency: 'LBP', net: '-1234567.50' }],
  notes: () => notes.map(said),
});

async function render(made: Report): Promise<string> {
  let html = '';
  for await (const piece of htmlText(inWords(made), {
    generatedAt: new Date('2026-11-01T08:00:00Z'),
    chainHead: 'ab12',
  }))
    html += piece;
  return html;
}

test('is a page with the rows, grouped amounts, totals under them, and notes', async () => {
  const html = await render(report([{ order_id: 'طلب-7', currency: 'LBP', net: '-1234567.50' }], ['A note.']));
  expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en" dir="ltr">/);
  expect(html).toContain(
    '<tr><td dir="auto" data-label="Order" class="whole">طلب-7</td><td dir="auto" data-label="Currency">LBP</td><td dir="auto" data-label="Net" class="figure negative">-1,234,567.50</td></tr>',
  );
  expect(html).toMatch(/<tfoot><tr><td dir="auto"[^>]*>Total<\/td><td dir="auto"[^>]*>LBP<\/td>.*-1,234,567\.50/);
  expect(html).toContain('<p>A note.</p>');
});

test('is dated in its footer, bears the chain’s head, says where nothing is, and asks nothing of any network', async () => {
  const html = await render(report([]));
  expect(html).toMatch(
    /<footer>Made by remit [\d.]+ on <time datetime="2026-11-01T08:00:00\.000Z">2026-11-01 08:00:00 UTC<\/time>; the ledger’s chain ends in <code>ab12<\/code><\/footer>/,
  );
  expect(html).toContain('<p>Nothing to show.</p>');
  expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
  expect(html).not.toMatch(/\b(src|href)=|url\(|@import|<script|<link/);
  expect(html).toContain('prefers-color-scheme: dark');
});

test('ids and months are whole, figures keep to the right, sentences have room, and a wide table turns into cards', async () => {
  const columns = (['id', 'number', 'wide', 'datetime', 'count'] as const).map((type) => ({
    name: type,
    title: type,
    type,
  }));
  const rows = [{ id: '2026-10', number: 7, wide: 'A sentence.', datetime: '2026-09-08T00:00:00+03:00', count: -3 }];
  const html = await render({ ...report(rows), columns, totals: () => [] });
  expect(html).toContain('@media screen and (max-width: 46.5rem)');
  expect(
    html
      .match(/<tbody><tr>(<td .*<\/td>)<\/tr><\/tbody>/)![1]!
      .replaceAll('dir="auto" ', '')
      .replaceAll(/data-label="\w+" /g, ''),
  ).toBe(
    '<td class="whole">2026-10</td><td class="figure">7</td><td class="wide">A sentence.</td><td class="whole">2026-09-08 00:00:00 +03:00</td><td class="figure negative">-3</td>',
  );
  expect(await render({ ...report([{ order_id: 'x'.repeat(200) }]), columns: [columns[0]!] })).not.toContain(
    '@media screen',
  );
});

test('text from outside never becomes a tag, an attribute or an entity', async () => {
  const wild = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('<script>x</script>', '"><img src=x>', "'&lt;"));
  const empty = await render(report([{ order_id: '', currency: '', net: '0.00' }], ['']));
  const skeleton = (html: string) => html.replaceAll('<wbr/>', '').match(/<[^>]*>/g);
  await fc.assert(
    fc.asyncProperty(wild, wild, async (id, note) => {
      const html = await render(report([{ order_id: id, currency: note, net: '0.00' }], [note]));
      expect(skeleton(html)).toEqual(skeleton(empty));
      expect(html.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
  );
});
