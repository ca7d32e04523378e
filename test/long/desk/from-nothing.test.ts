import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import { hasChromium, openBrowser, openFinished, openWindow } from '../../helpers/desk-browser.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const BANK = 'date,amount,currency,text,invoice\n2026-10-28,97.00,USD,Cedar Road invoice 10001,\n';
const SHEET = 'Payout,Paid on,AWB,Collected,Charged,To pay\n10001,05/10/2026,CX-1,100.00,3.00,97.00\n';
const SHEET_FIELDS = [
  ['Payout', 'invoice'],
  ['Paid on', 'issued_on'],
  ['AWB', 'order'],
  ['Collected', 'cod'],
  ['Charged', 'fee'],
  ['To pay', 'net'],
] as const;
const OTHER = 'Valuta;Betrag;Zweck\n30.10.2026;47,00;Cedar Road invoice 10002\n';

let browser: Browser;
let courier: FakeCourier;

describe.skipIf(!hasChromium)('from an empty folder to a closed month, by clicks', () => {
  beforeAll(async () => {
    browser = await openBrowser();
    courier = await startFakeCourier({
      invoices: [[10_001, 'A', '100.00'] as const, [10_002, 'B', '50.00'] as const].map(([number, id, cod]) =>
        invoiceOf(
          number,
          '2026-10-05T10:00:00+03:00',
          [{ order_id: id, cod: [['USD', cod]], delivery_fee: [['USD', '3.00']] }],
          { status: 'PENDING_PAYMENT' },
        ),
      ),
    });
  });
  afterAll(async () => {
    await browser?.close();
    await courier?.close();
  });

  const EACH = [
    ['with a script', true],
    ['without one', false],
  ] as const;

  it.each(EACH)('by an API, on a file, %s', { timeout: 200_000 }, (_, script) => walk(script, {}));

  it.skipIf(!hasPostgres).each(EACH)('by an API, on a server, %s', { timeout: 200_000 }, async (_, script) => {
    await walk(script, { REMIT_LEDGER: (await newDatabase({ create: 'template template0' })).url });
  });

  it.each(EACH)('by sheets, %s', { timeout: 200_000 }, async (_, script) => {
    await atDesk(script, {}, async (page, desk) => {
      await page.goto(`${desk.origin}/`);
      await page.getByLabel(/^Their short names/).fill('cedar');
      await page.getByLabel(/^Who pays you for the courier/).fill('Cedar Road');
      await page.getByRole('button', { name: 'Set up' }).click();
      await upload(page, desk.origin, 'sheet.csv', SHEET);
      await page.getByRole('link', { name: 'Say what its columns are' }).click();
      await page.getByRole('link', { name: 'Settlement sheet of a courier' }).click();
      for (const [header, field] of SHEET_FIELDS) await page.getByLabel(header).selectOption(field);
      await page.getByLabel(/^Currency, where/).fill('USD');
      await page.getByLabel(/^Keep it under/).fill('cedar');
      await page.getByRole('button', { name: /^Save and show/ }).click();
      await page.getByRole('button', { name: /^Import \d+ lines?$/ }).click();
      await upload(page, desk.origin, 'bank.csv', BANK);
      await page.getByRole('button', { name: 'Import 1 line', exact: true }).click();
      expect(await page.getByRole('status').textContent()).toContain('matched 1 invoice (97.00 USD)');
      await closeMonth(page, desk.origin);
    });
  });

  it.each(EACH)('by the demo, %s', { timeout: 200_000 }, async (_, script) => {
    await atDesk(script, {}, async (page, desk) => {
      await page.goto(`${desk.origin}/`);
      await page.getByRole('button', { name: 'Try the demo' }).click();
      await page.getByRole('heading', { level: 1, name: 'Month end' }).waitFor();
      await figuresAgree(page, desk);
    });
  });
});

/** Works at the desk of an empty folder; afterwards nothing was complained about, and the books are sound. */
async function atDesk(
  script: boolean,
  env: Readonly<Record<string, string>>,
  work: (page: Page, desk: RunningDesk) => Promise<void>,
): Promise<void> {
  const cwd = scratchFolder();
  const desk = await startDesk([], { cwd, now: () => NOW, env });
  await desk.enter();
  const { page, context, misdeeds } = await openWindow(browser, desk, { script });
  context.setDefaultTimeout(60_000);
  try {
    await work(page, desk);
    expect(misdeeds).toEqual([]);
    expect((await remit(['verify'], { cwd, now: NOW, env })).code).toBe(0);
  } finally {
    await context.close();
    await desk.stop();
  }
}

const walk = (script: boolean, env: Readonly<Record<string, string>>) =>
  atDesk(script, env, async (page, desk) => {
    await setUp(page, desk.origin);
    await bringFiles(page, desk.origin);
    await figuresAgree(page, desk);
    await cancelSync(page, desk.origin);
    await closeMonth(page, desk.origin);
    await page.getByRole('button', { name: 'Next month' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('November 2026');
  });

/** Every amount of home's months is that of the report. */
async function figuresAgree(page: Page, desk: RunningDesk): Promise<void> {
  await openFinished(page, `${desk.origin}/`);
  const { rows } = await desk.json<{ rows: Record<string, string>[] }>('/reports/totals');
  const shown = await page.locator('table.months tbody').innerText();
  for (const row of rows) {
    for (const name of ['net_due_to_merchant', 'received', 'outstanding']) {
      expect(shown).toContain(String(row[name]).replace(/\B(?=(\d{3})+\.)/g, ','));
    }
  }
}

/** A sync of a courier that does not answer is cancelled, and the next one runs. */
async function cancelSync(page: Page, origin: string): Promise<void> {
  const held: (() => void)[] = [];
  courier.world.intercept = (request, response, place) => {
    if (!/^\/invoices?\/\d+/.test(place) || request.headers['x-waited']) return false;
    held.push(() => {
      request.headers['x-waited'] = '1';
      courier.replay(request, response);
    });
    return true;
  };
  await openFinished(page, `${origin}/`);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  delete courier.world.intercept;
  for (const go of held) go();
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor();
  await openFinished(page, `${origin}/`);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^Synced/ })
    .waitFor();
}

async function upload(page: Page, origin: string, name: string, text: string): Promise<void> {
  await page.goto(`${origin}/imports`);
  await page.locator('input[type=file]').setInputFiles([{ name, mimeType: 'text/csv', buffer: Buffer.from(text) }]);
  await page.getByRole('button', { name: 'Import a file' }).click();
}

/** Enters the account, and follows the first sync to its end. */
async function setUp(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Set up');
  await page.getByLabel(/^Address of the API/).fill(courier.url);
  await page.getByLabel(/^API key/).fill(KEY);
  await page.getByLabel(/^Your name/).fill('Zahra');
  await page.getByLabel(/^Who pays you for the courier/).fill('Cedar Road');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL(/\/syncs\/1$/);
  await page.getByRole('status').filter({ hasText: 'Synced: 2 invoices read' }).waitFor();
  await page.getByRole('link', { name: 'Home' }).first().click();
  expect(await page.locator('table.months tbody tr').count()).toBeGreaterThan(0);
}

/** A bank's file is recognised; one of another layout is read once its columns are named. */
async function bringFiles(page: Page, origin: string): Promise<void> {
  await upload(page, origin, 'bank.csv', BANK);
  await page.getByRole('button', { name: 'Import 1 line', exact: true }).click();
  expect(await page.getByRole('status').textContent()).toContain('matched 1 invoice (97.00 USD)');
  await upload(page, origin, 'other.csv', OTHER);
  await page.getByRole('link', { name: 'Say what its columns are' }).click();
  await page.getByLabel('Valuta').selectOption('date');
  await page.getByLabel('Betrag').selectOption('amount');
  await page.getByLabel('Zweck').selectOption('text');
  expect(await page.getByLabel(/^Dates look like/).inputValue()).toBe('DD.MM.YYYY');
  await page.getByLabel(/^Decimal sign/).fill(',');
  await page.getByLabel(/^Currency, where/).fill('USD');
  await page.getByLabel(/^Keep it under/).fill('other');
  await page.getByRole('button', { name: /^Save and show/ }).click();
  await page.getByRole('button', { name: 'Import 1 line', exact: true }).click();
  expect(await page.getByRole('status').textContent()).toContain('matched 1 invoice (47.00 USD)');
}

/** Works through the month's checklist and closes the month. */
async function closeMonth(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/months/2026-10`);
  expect(await page.locator('.steps li').count()).toBe(6);
  expect(await page.locator('.steps li', { hasText: 'Matched' }).getAttribute('class')).toBe('met');
  await page.getByLabel('The books begin with this month').check();
  await page.getByLabel(/^Close it although/).fill('the order book is not ours to check');
  await page.getByRole('button', { name: 'Close October 2026', exact: true }).click();
  await page.getByText('Nothing is decided yet').waitFor();
  await page.getByRole('button', { name: 'Close October 2026', exact: true }).click();
  expect(await page.getByRole('status').textContent()).toContain('Closed the month');
  expect(await page.getByRole('link', { name: /page that one signs/ }).count()).toBe(1);
}
