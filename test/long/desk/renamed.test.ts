import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startDesk } from '../../helpers/desk.ts';
import { faultsOf, hasChromium, openBrowser, openWindow, reversedFigures } from '../../helpers/desk-browser.ts';
import { ownBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar } from '../../helpers/settlements.ts';

const WIDTHS = [380, 800, 1440];
const TOML = `time_zone = "UTC"\n[couriers.cedar]\nkind = "files"\nmap = "cedar"\npayers = ["Cedar Cash"]\n${CEDAR}`;
const OLD = cedar('118,2026-10-12,Unpaid,C-1,SO-1,Delivery,90.00,3.00,1.00,0.50,85.50');
const RENAMED = cedar('119,2026-10-13,Unpaid,C-2,SO-2,Delivery,70.00,3.00,1.00,0.50,65.50')
  .replace(',COD,', ',قيمة التحصيل,')
  .replace(',Net', ',Final');
const CASH = 'date,amount,currency,text,account\n2026-10-20,85.50,USD,Cedar Cash,LB1\n';

it.skipIf(!hasChromium)(
  'a renamed sheet is taken, and a receipt explained, by clicks alone; axe finds nothing in either language',
  async () => {
    const browser = await openBrowser();
    try {
      for (const language of ['en', 'ar'] as const) {
        const books = ownBooks('', new Date('2026-11-20T09:00:00Z'));
        books.file('remit.toml', TOML);
        await books.json(['import', 'settlement', books.file('old.csv', OLD)]);
        await books.json(['import', 'receipts', books.file('bank.csv', CASH)]);
        const desk = await startDesk([], { cwd: books.folder });
        try {
          await desk.enter();
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
          await page.goto(`${desk.origin}/imports`);
          const buffer = Buffer.from(RENAMED);
          await page.locator('input[type=file]').setInputFiles([{ name: 'new.csv', mimeType: 'text/csv', buffer }]);
          await page.locator('form[action^="/imports"] button.first').click();
          await page.locator('a[href^="/maps/new"]').click();
          await fits('renamed columns');
          expect(await page.locator('select[name="now-cod"] option:checked').textContent()).toBe('قيمة التحصيل');
          await page.locator('select[name="now-net"]').selectOption({ label: 'Final' });
          await page.locator('form[action="/maps"] button.first').click();
          await page.locator('form[action^="/imports"] button.first').click();
          const settings = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
          expect(settings).toContain('cod = ["COD", "قيمة التحصيل"]');
          await page.goto(`${desk.origin}/receipts/1`);
          const folded = page.locator('details', {
            hasText: language === 'en' ? 'Why this match' : 'لماذا هذه المطابقة',
          });
          await folded.locator('summary').click();
          expect(await folded.locator('tbody tr').count()).toBeGreaterThan(1);
          await fits('why this match');
          expect(misdeeds).toEqual([]);
          await context.close();
          await books.verify();
        } finally {
          await desk.stop();
        }
      }
    } finally {
      await browser.close();
    }
  },
  200_000,
);
