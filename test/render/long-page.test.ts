import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Column, Report, Row } from '../../reports/model.ts';
import { htmlText } from '../../src/render/html/report-page.tsx';
import { inWords } from '../../src/render/in-words.ts';
import { hasChromium, usingBrowser } from '../helpers/browser.ts';
import { scratchFolder } from '../helpers/folder.ts';

const NAMES = [
  'id',
  'code',
  'severity',
  'period',
  'invoice_number',
  'order_id',
  'field',
  'status',
  'currency',
  'effect',
];
const COLUMNS: Column[] = [
  ...NAMES.map((name): Column => ({ name, title: name, type: name === 'effect' ? 'money' : 'id' })),
  { name: 'message', title: 'What and what to do', type: 'wide' },
];

function* manyRows(count: number): Generator<Row> {
  const row = Object.fromEntries(NAMES.map((name) => [name, `${name}-0123456789`]));
  for (let i = 1; i <= count; i++)
    yield { ...row, id: `row-${i}`, effect: '1.00', message: 'What it is, and what to do.' };
}

async function pageOf(rows: number, csvBeside?: string): Promise<{ html: string; isCut: boolean }> {
  const report: Report = {
    report: 'mismatches',
    title: 'Mismatches',
    period: '2026-10',
    columns: COLUMNS,
    rows: manyRows(rows),
    totals: () => [{ currency: 'USD', effect: `${rows}.00` }],
    notes: () => [],
  };
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  let html = '';
  const options = { generatedAt: new Date('2026-11-01T08:00:00Z'), csvBeside, onCut };
  for await (const piece of htmlText(inWords(report), options)) html += piece;
  return { html, isCut };
}

test('shows the columns that matter first, and loses none', async () => {
  const { html } = await pageOf(1);
  const heads = [...html.matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, title]) => title);
  expect(heads.slice(0, 5)).toEqual(['What and what to do', 'invoice_number', 'order_id', 'currency', 'effect']);
  expect([...heads].sort()).toEqual(COLUMNS.map(({ title }) => title).sort());
});

test('holds 2,000 rows at most, and says where all of them are', async () => {
  const whole = await pageOf(2_000, 'may.csv');
  expect([whole.isCut, whole.html.includes('href=')]).toEqual([false, false]);
  const cut = await pageOf(2_001, 'may & june.csv');
  expect(cut.isCut).toBe(true);
  expect(cut.html).toContain('row-2000<');
  expect(cut.html).not.toContain('row-2001<');
  expect(cut.html).toContain('2,001.00');
  expect(cut.html).toContain('The first 2,000 of 2,001 rows.');
  expect(cut.html).toContain('<a href="./may%20%26%20june.csv">may &amp; june.csv</a>');
  expect((await pageOf(2_001)).html).toContain('<code>remit report mismatches 2026-10 --format csv</code>');
});

test.skipIf(!hasChromium)('is a table from 900 px on, whose head stays in sight, and cards below', async () => {
  const file = path.join(scratchFolder(), 'page.html');
  writeFileSync(file, (await pageOf(200)).html);
  const HEAD = `(() => {
    const rows = document.querySelector('.rows');
    rows.scrollTop = 500;
    const head = document.querySelector('thead th');
    const box = rows.getBoundingClientRect();
    return {
      head: getComputedStyle(document.querySelector('thead')).display,
      stays: rows.scrollTop > 0 && Math.abs(head.getBoundingClientRect().top - box.top) < 2,
      fits: box.bottom <= window.innerHeight && document.documentElement.scrollWidth <= window.innerWidth,
    };
  })()`;
  await usingBrowser(async (page) => {
    for (const width of [900, 1440]) {
      await page.open(file, { width });
      expect([width, await page.evaluate(HEAD)]).toEqual([
        width,
        { head: 'table-header-group', stays: true, fits: true },
      ]);
    }
    for (const width of [380, 899]) {
      await page.open(file, { width });
      expect([width, await page.evaluate(HEAD)]).toMatchObject([width, { head: 'none', stays: false }]);
    }
  });
});
