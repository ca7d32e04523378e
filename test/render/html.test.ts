import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../../reports/model.ts';
import { htmlText } from '../../src/render/html.ts';

const report = (rows: Report['rows'], notes: string[] = []): Report => ({
  report: 'orders',
  title: 'Orders',
  period: '2026-10',
  columns: [
    { name: 'order_id', title: 'Order', type: 'text' },
    { name: 'currency', title: 'Currency', type: 'text' },
    { name: 'net', title: 'Net', type: 'money' },
  ],
  rows,
  totals: () => [{ currency: 'LBP', net: '-1234567.50' }],
  notes: () => notes,
});

async function render(made: Report): Promise<string> {
  let html = '';
  for await (const piece of htmlText(made)) html += piece;
  return html;
}

test('is a page with the rows, grouped amounts, totals under them, and notes', async () => {
  const html = await render(report([{ order_id: 'طلب-7', currency: 'LBP', net: '-1234567.50' }], ['A note.']));
  expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
  expect(html).toContain(
    '<tr><td dir="auto">طلب-7</td><td dir="auto">LBP</td><td dir="auto" class="figure negative">-1,234,567.50</td></tr>',
  );
  expect(html).toMatch(/<tfoot>\n<tr><td dir="auto">Total<\/td><td dir="auto">LBP<\/td>.*-1,234,567\.50/);
  expect(html).toContain('<p>A note.</p>');
});

test('text from outside never becomes a tag, an attribute or an entity', async () => {
  const wild = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('<script>x</script>', '"><img src=x>', "'&lt;"));
  const empty = await render(report([{ order_id: '', currency: '', net: '0.00' }], ['']));
  const skeleton = (html: string) => html.match(/<[^>]*>/g);
  await fc.assert(
    fc.asyncProperty(wild, wild, async (id, note) => {
      const html = await render(report([{ order_id: id, currency: note, net: '0.00' }], [note]));
      expect(skeleton(html)).toEqual(skeleton(empty));
      expect(html.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
  );
});
