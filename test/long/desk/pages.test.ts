import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, makeDemo } from '../../helpers/demo-desk.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import {
  cutFigures,
  faultsOf,
  hasChromium,
  openBrowser,
  openFinished,
  openWindow,
  reversedFigures,
  scrolledTables,
} from '../../helpers/desk-browser.ts';
import { monthName } from '../../helpers/desk-walk.ts';
import { scratchFolder } from '../../helpers/folder.ts';

const WIDTHS = [380, 390, 800, 1280, 1440];

let demo: Demo;
let desk: RunningDesk;
let browser: Browser;

interface Table {
  rows: Readonly<Record<string, string | number | null>>[];
}
interface Bridge {
  currency: string;
  courier: string;
  ours: string | null;
  unexplained: string | null;
  short: string;
  steps: { code: string; effect: string; count: number }[];
  outside: { code: string; effect: string; count: number }[];
}

// Where there is no chromium, said by the tests' names: `skipped`.
describe.skipIf(!hasChromium)('the desk in a browser', () => {
  beforeAll(async () => {
    demo = await makeDemo();
    desk = await demo.desk('read');
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.stop();
    demo?.end();
  });

  it('axe finds nothing on any page, by day and by night, in English and Arabic; nothing is wider than its window, and no form is printed', {
    timeout: 400_000,
  }, async () => {
    const pages = await everyPage();
    const looked: string[] = [];
    const look = async (language: 'en' | 'ar') => {
      const { page, context, misdeeds } = await openWindow(browser, desk, { language });
      for (const address of pages) {
        const answer = await openFinished(page, desk.origin + address);
        const where = `${language} ${address}`;
        expect([where, answer.status()]).toEqual([where, 200]);
        expect([where, await page.locator('html').getAttribute('dir')]).toEqual([
          where,
          language === 'ar' ? 'rtl' : 'ltr',
        ]);
        expect([where, await faultsOf(page)]).toEqual([where, []]);
        if (language === 'ar') expect([where, await englishHeads(page)]).toEqual([where, []]);
        expect([where, await reversedFigures(page)]).toEqual([where, []]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect([where, 'dark', await faultsOf(page, ['color-contrast', 'link-in-text-block'])]).toEqual([
          where,
          'dark',
          [],
        ]);
        await page.emulateMedia({ colorScheme: 'light' });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          expect([where, width, over <= 0]).toEqual([where, width, true]);
          expect([where, width, await cutFigures(page)]).toEqual([where, width, []]);
          if (width !== 800 && width !== 1440)
            expect([where, width, await scrolledTables(page)]).toEqual([where, width, []]);
        }
        // On a sheet of A4 across: no form, and what is printed at a month end is no wider.
        await page.setViewportSize({ width: 1032, height: 730 });
        await page.emulateMedia({ media: 'print' });
        expect([where, await page.locator('main form:visible').count()]).toEqual([where, 0]);
        const printed = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (/^\/(months|mismatches$|receipts$|rows|$)/.test(address))
          expect([where, printed <= 0]).toEqual([where, true]);
        await page.emulateMedia({ media: 'screen' });
        looked.push(where);
      }
      expect(misdeeds).toEqual([]);
      await context.close();
    };
    await Promise.all([look('en'), look('ar')]);
    expect(looked).toHaveLength(2 * pages.length);
  });

  it('axe finds nothing on what is shown before a decision, nor on the pages of new books; each fits its window', async () => {
    const empty = await startDesk([], { cwd: scratchFolder() });
    await empty.enter();
    const csv = { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('Valuta;Betrag\n28.10.2026;97,00\n') };
    try {
      for (const language of ['en', 'ar'] as const) {
        const { page, context, misdeeds } = await openWindow(browser, desk, { language });
        const fits = async (where: string) => {
          expect([where, await page.locator('html').getAttribute('lang')]).toEqual([where, language]);
          expect([where, await faultsOf(page)]).toEqual([where, []]);
          expect([where, await reversedFigures(page)]).toEqual([where, []]);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
            expect([where, width, over <= 0]).toEqual([where, width, true]);
          }
        };
        await openFinished(page, `${desk.origin}/months/2026-09`);
        await page.locator('form[action^="/claims"] button:not([hidden])').click();
        await fits('a claim');
        await page.goto(`${desk.origin}/imports`);
        await page.locator('input[type=file]').setInputFiles([csv]);
        await page.locator('form[action^="/imports"] button.first').click();
        await fits('files');
        await page.locator('a[href^="/maps/new"]').click();
        await fits('the columns of a file');
        expect(misdeeds).toEqual([]);
        await context.close();
        const fresh = await openWindow(browser, empty, { language });
        await fresh.page.goto(`${empty.origin}/`);
        expect(await fresh.page.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect(['set up', await faultsOf(fresh.page)]).toEqual(['set up', []]);
        await fresh.context.close();
      }
    } finally {
      await empty.stop();
    }
  });

  it('every figure on a page is the figure of its report', async () => {
    const { page, context } = await openWindow(browser, desk);
    await openFinished(page, `${desk.origin}/`);
    const cells = (table: string) =>
      page
        .locator(`${table} tbody tr`)
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent!.trim())));
    const totals = JSON.parse((await demo.cli(['report', 'totals', '--json'])).stdout) as Table;
    const home = await cells('table.months');
    expect(home.map((row) => row.slice(0, 5))).toEqual(
      totals.rows.map((row) => [
        monthName(String(row.period)),
        row.currency,
        ...['net_due_to_merchant', 'received', 'outstanding'].map((name) => grouped(String(row[name]))),
      ]),
    );
    const { bridge } = JSON.parse((await demo.cli(['check', '2026-10', '--json'])).stdout) as { bridge: Bridge[] };
    await openFinished(page, `${desk.origin}/months/2026-10`);
    const steps = (await cells('table.bridge')).map((row) => row.slice(1).map((cell) => cell.replace(/^no .*/, '')));
    const step = ({ count, effect }: Bridge['steps'][number]) => [String(count), grouped(effect)];
    const figure = (amount: string | null) => ['', grouped(amount)];
    // With the lines that make what is printed add up.
    const wanted = bridge.flatMap(({ courier, ours, steps: named, unexplained, outside, short }) => [
      figure(courier),
      ...named.map(step),
      figure(ours),
      figure(unexplained),
      ...outside.map(step),
      figure(short),
    ]);
    for (const line of wanted) expect(steps).toContainEqual(line);
    const { rows } = JSON.parse((await demo.cli(['report', 'mismatches', '2026-10', '--json'])).stdout) as Table;
    await page.goto(`${desk.origin}/mismatches?month=2026-10&limit=1000`);
    const shown = await page
      .locator('input[name=ids]')
      .evaluateAll((boxes) =>
        boxes.map((box) => [(box as HTMLInputElement).value, (box as HTMLElement).dataset.amount ?? null]),
      );
    expect(shown).toEqual(rows.map(({ id, effect }) => [id, effect]));
    // What axe looks for would be found.
    await page.evaluate("document.querySelector('main').append(document.createElement('img'))");
    expect((await faultsOf(page)).join()).toContain('image-alt');
    await context.close();
  });

  it('a document is text, whatever it holds, and its SHA-256 is computed again', async () => {
    const { page, context } = await openWindow(browser, desk, { script: false });
    await page.goto(desk.origin + (await evidencePage()));
    expect(await page.locator('pre.document').textContent()).toContain('"');
    expect(await page.locator('pre.document mark').first().textContent()).toBe('"cod"');
    expect(await page.locator('dd.good').textContent()).toContain('the same');
    await context.close();
  });
});

const grouped = (decimal: string | null) => (decimal ?? '').replace(/\B(?=(\d{3})+(?!\d)(?=.*\.))(?<!\..*)/g, ',');

/** A document behind an invoice, with a field to be marked. */
async function evidencePage(): Promise<string> {
  const { documents } = await desk.json<{ documents: { sha256: string }[] }>('/invoices/10001');
  return `/evidence/${documents[0]!.sha256}?field=cod`;
}

/** Every page that there is, with what the demo's books hold. */
async function everyPage(): Promise<string[]> {
  const { rows } = await desk.json<Table>('/mismatches?code=order-amount-differs');
  return [
    ...['/', '/months/2026-10', '/months/2026-11', '/mismatches', `/mismatches/${rows[0]!.id}`, '/invoices/10001'],
    ...[`/orders/${rows[0]!.order_id}`, '/rows?limit=20', '/receipts', '/receipts/13', await evidencePage(), '/runs'],
    ...[
      '/runs/1',
      '/imports',
      '/closes',
      '/closes/2026-10',
      '/settlements',
      '/claims',
      '/search?q=10001',
      '/decisions',
    ],
    ...['/approvals', '/views', '/reports', '/reports/ageing?sort=-currency'],
  ];
}

/** Names of columns and fields that are English on an Arabic page. */
function englishHeads(page: Page): Promise<string[]> {
  return page
    .locator('thead th, dt, tbody th bdi[lang=en]')
    .evaluateAll((heads) =>
      heads
        .map((head) => head.textContent!.trim())
        .filter((head) => /[a-z]{3}/.test(head) && !/^[a-z-]+ · [A-Z]{3}$/.test(head)),
    );
}
