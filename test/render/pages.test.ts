import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { runChecks } from '../../src/checks/run.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { inWords } from '../../src/render/in-words.ts';
import { renderReportToFile } from '../../src/render/report.ts';
import { check } from '../checks/options.ts';
import { hasChromium, type Page, usingBrowser } from '../helpers/browser.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type LedgerSpec, withLedger } from '../helpers/ledger.ts';
import { setAccount } from '../helpers/statement.ts';

const NOW = new Date('2026-11-20T08:00:00Z');
const LONG = 'x'.repeat(180);
const ATTACK = '<img src=http://evil.example/a onerror=console.error(1)>';

/** Text that attacks, text without a space, Arabic, large amounts, and something in every report. */
const WORLD: LedgerSpec = {
  orderBook: 'complete',
  invoices: [
    {
      number: 10001,
      status: 'PENDING_PAYMENT',
      rows: [
        {
          order_id: 'AB1',
          reference_id: 'طلب-1709',
          amounts: { LBP: ['922000000000.25', '300000'], USD: ['0', '3.125'] },
        },
        {
          order_id: 'AB2',
          reference_id: ATTACK,
          delivery_state: 'AWAITING_RETURN',
          amounts: { USD: ['0.00', '4.75'] },
        },
        {
          order_id: 'AB3',
          reference_id: LONG,
          amounts: { USD: ['120.00', '3.00'] },
          book: { amounts: { USD: ['125.00', '3.00'] } },
        },
        { order_id: 'AB4', reference_id: '"><script>console.error(2)</script>' },
      ],
      header: { USD: ['150.00', '14.00', '136.00'] },
    },
    { number: 10002, rows: [{ order_id: 'CD1', reference_id: `${ATTACK}${ATTACK}` }] },
    { number: 10003, period: '2026-09', rows: [{ order_id: 'EF1' }], vanished: true },
  ],
  orders: [
    {
      order_id: 'GH1',
      reference_id: 'قطعة بلا فاتورة',
      delivery_state: 'DELIVERED',
      amounts: { USD: ['77.00', '3.00'] },
      first_delivered_at: '2026-10-03T09:00:00+03:00',
    },
  ],
  nights: [
    {
      at: '2026-11-06T06:00:00.000Z',
      orderBook: 'complete',
      invoices: [{ number: 10002, rows: [{ order_id: 'CD1', amounts: { USD: ['26.00', '3.00'] } }] }],
    },
  ],
};

/** The page's text, how far it is too wide, and the rows that are higher than their text needs. */
const MEASURE = `(() => {
  const inner = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const style = getComputedStyle(cell);
    const pad = ['paddingTop', 'paddingBottom', 'borderTopWidth', 'borderBottomWidth'].reduce((sum, side) => sum + parseFloat(style[side]), 0);
    const box = range.getBoundingClientRect();
    return Math.max(box.height, parseFloat(style.lineHeight) || 0) + pad;
  };
  const high = [...document.querySelectorAll('tr')].filter((row) => getComputedStyle(row).display === 'table-row').flatMap((row) => {
    const needs = Math.max(...[...row.cells].map(inner));
    return row.getBoundingClientRect().height > needs + 6 ? [row.innerText + ': ' + row.getBoundingClientRect().height + ' for ' + needs] : [];
  });
  const cards = [...document.querySelectorAll('tr')].filter((row) => getComputedStyle(row).display === 'block').flatMap((row) => {
    const needs = [...row.cells].filter((cell) => getComputedStyle(cell).display !== 'none').reduce((sum, cell) => sum + cell.getBoundingClientRect().height, 0);
    return row.getBoundingClientRect().height > needs + 16 ? [row.innerText + ': ' + row.getBoundingClientRect().height + ' for ' + needs] : [];
  });
  const root = document.documentElement;
  return { over: root.scrollWidth - window.innerWidth, high: [...high, ...cards], text: document.body.innerText, ground: getComputedStyle(document.body).backgroundColor };
})()`;

interface Measured {
  readonly over: number;
  readonly high: readonly string[];
  readonly text: string;
  readonly ground: string;
}

test.skipIf(!hasChromium)(
  'every report is a page that is read on a desk, on a telephone, by night and on paper',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'remit-pages-'));
    try {
      const pages = await withLedger(WORLD, async (ledger) => {
        await setAccount(ledger, `متجر الأرز ${ATTACK}`, null, null);
        await check(ledger, { periods: ['2026-10'], settings: DEFAULT_SETTINGS, now: NOW });
        return writePages(ledger, folder);
      });
      await usingBrowser(async (page) => {
        for (const { name, file, figures } of pages) await lookAt(page, name, file, figures);
        expect(page.misdeeds()).toEqual({ errors: [], requests: [] });
        // What is looked for would be found.
        const bad = path.join(folder, 'bad.html');
        writeFileSync(
          bad,
          '<table style="width:500px"><tr style="height:90px"><td>a</td></tr></table><img src="http://127.0.0.1:9/a.png"><script>console.error("x")</script>',
        );
        await page.open(bad, { width: 380 });
        expect(await page.evaluate<Measured>(MEASURE)).toMatchObject({
          over: expect.any(Number),
          high: [expect.any(String)],
        });
        expect(page.misdeeds().requests).toEqual(['http://127.0.0.1:9/a.png']);
        expect(page.misdeeds().errors).not.toEqual([]);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

async function lookAt(page: Page, name: string, file: string, figures: readonly string[]): Promise<void> {
  for (const look of [
    { width: 380 },
    { width: 800 },
    { width: 1400 },
    { width: 1400, dark: true },
    { width: 1032, print: true },
  ]) {
    await page.open(file, look);
    const { over, high, text, ground } = await page.evaluate<Measured>(MEASURE);
    const where = `${name} ${JSON.stringify(look)}`;
    expect([where, over <= 0]).toEqual([where, true]);
    expect([where, high]).toEqual([where, []]);
    expect([where, ground]).toEqual([where, look.dark ? 'rgb(21, 23, 26)' : 'rgb(255, 255, 255)']);
    const shown = text.replace(/\s+/g, '');
    for (const figure of figures) {
      // A long name is cut on a page.
      expect(shown, where).toContain(figure.replace(/\s+/g, '').slice(0, 30));
    }
  }
}

interface Written {
  readonly name: string;
  readonly file: string;
  /** Texts and amounts of the first rows that must be seen. */
  readonly figures: readonly string[];
}

async function writePages(ledger: Ledger, folder: string): Promise<Written[]> {
  const pages: Written[] = [];
  for (const { name, needsPeriod, build } of REPORTS) {
    const file = path.join(folder, `${name}.html`);
    const periods = needsPeriod ? ['2026-10'] : [];
    await usingSnapshot(ledger, async (db) => {
      const look = () => runChecks(db, { periods, settings: DEFAULT_SETTINGS, now: NOW });
      const make = () => build({ db, settings: DEFAULT_SETTINGS, periods, period: periods[0] ?? '', runChecks: look });
      await renderReportToFile(await make(), 'html', file, { generatedAt: NOW, chainHead: 'ab12'.repeat(16) });
      const figures: string[] = [`Made by remit`, 'ab12'.repeat(16)];
      const made = await make();
      const { rows, columns } = inWords(made);
      const dashboard = 'dashboard' in made;
      for await (const row of rows) {
        for (const { name: column, type } of columns) {
          const cell = row[column];
          if (dashboard || cell === null || cell === undefined || figures.length > 60) continue;
          if (['id', 'text', 'wide', 'number', 'date'].includes(type)) figures.push(String(cell));
          if (type === 'money') figures.push(String(cell).replace(/\B(?=(\d{3})+(?!\d)(?=.*\.))(?<!\..*)/g, ','));
        }
      }
      if (dashboard) figures.push('USD: you are', '922,000,000,000.25', ATTACK);
      pages.push({ name, file, figures });
    });
    expect(readFileSync(file, 'utf8')).not.toMatch(/<(img|script|link|iframe)\b/);
  }
  return pages;
}
