import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, makeDemo } from '../../helpers/demo-desk.ts';
import type { RunningDesk } from '../../helpers/desk.ts';
import { hasChromium, openBrowser, openWindow } from '../../helpers/desk-browser.ts';

const NOTE = 'asked the courier on the telephone';

let demo: Demo;
let browser: Browser;

describe.skipIf(!hasChromium)('a month end at the desk', () => {
  beforeAll(async () => {
    demo = await makeDemo();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    demo?.end();
  });

  it.each([
    ['with a script', true],
    ['without one', false],
  ])('is walked by clicks, %s', async (name, script) => {
    const desk = await demo.desk(name.replaceAll(' ', '-'));
    const { page, context, misdeeds } = await openWindow(browser, desk, { script });
    try {
      await page.goto(`${desk.origin}/`);
      await triage(page);
      await match(page, script);
      await claim(page);
      await close(page);
      await undo(page);
      expect(misdeeds).toEqual([]);
      const { rows } = await mismatchesOf(desk, 'acknowledged');
      expect(rows.length).toBeGreaterThan(0);
      expect((await demo.cli(['verify'], name.replaceAll(' ', '-'))).code).toBe(0);
    } finally {
      await context.close();
      await desk.stop();
    }
  });

  it('is walked by the keyboard alone', async () => {
    const desk = await demo.desk('keys');
    const { page, context, misdeeds } = await openWindow(browser, desk);
    try {
      await page.goto(`${desk.origin}/mismatches?month=2026-10&severity=error`);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('skip');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      expect(await page.locator('input[name=ids]:checked').count()).toBe(2);
      const amounts = await page
        .locator('input[name=ids]:checked')
        .evaluateAll((boxes) => boxes.map((box) => (box as HTMLElement).dataset.amount));
      expect(await page.locator('#chosen').textContent()).toContain(`: 2 · `);
      expect(amounts).toHaveLength(2);
      await page.locator('input[name=ids]').first().click();
      await page
        .locator('input[name=ids]')
        .nth(4)
        .click({ modifiers: ['Shift'] });
      expect(await page.locator('input[name=ids]:checked').count()).toBeGreaterThanOrEqual(5);
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.id')).toBe('q');
      await page.keyboard.press('Escape');
      await page.locator('input[name=ids]').first().focus();
      await Promise.all([page.waitForNavigation(), page.keyboard.press('a')]);
      expect(await page.locator('.notice').textContent()).toBe('Done.');
      expect((await mismatchesOf(desk, 'acknowledged')).rows.length).toBeGreaterThanOrEqual(5);
      expect(misdeeds).toEqual([]);
    } finally {
      await context.close();
      await desk.stop();
    }
  });
});

/** From home to what is open in October; one kind of it is acknowledged with a note. */
async function triage(page: Page): Promise<void> {
  await page.locator('table.months tr', { hasText: '2026-09' }).first().getByRole('link', { name: '2026-09' }).click();
  expect(await page.locator('h1').textContent()).toBe('September 2026');
  await page.getByRole('link', { name: /^Open mismatches/ }).click();
  await page.locator('table.causes a').first().click();
  for (const box of await page.locator('input[name=ids]').all()) await box.check();
  await page.locator('#decide').getByLabel('Note').fill(NOTE);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await done(page);
  // From the list to the finding, and from there to the document.
  await page.goto(`${new URL(page.url()).origin}/mismatches?month=2026-09&status=acknowledged`);
  await page.locator('main td a[href^="/mismatches/"]').first().click();
  expect(await page.locator('main').textContent()).toContain(NOTE);
  await page.getByLabel('To whom').fill('Karim');
  await page.getByRole('button', { name: 'Assign' }).click();
  await done(page);
  expect(await page.locator('main').textContent()).toContain('Assigned to: Karim');
  await page.locator('a[href^="/evidence/"]').first().click();
  expect(await page.locator('dd.good').textContent()).toContain('the same');
}

/** The ambiguous receipt is matched to one of its invoices. */
async function match(page: Page, script: boolean): Promise<void> {
  await page.getByRole('link', { name: 'Receipts', exact: true }).click();
  await page.getByRole('radio', { name: 'Choose 13' }).check();
  await page.getByRole('checkbox', { name: 'Choose 10041' }).check();
  if (script) {
    expect(await page.locator('#tally').textContent()).toBe('Left: 0.00 USD');
  }
  await page.getByRole('button', { name: 'Match', exact: true }).click();
  await done(page);
  expect(await page.locator('table tr', { hasText: '10041' }).first().textContent()).toContain('17.05');
}

/** What the courier owes of October is claimed. */
async function claim(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click();
  await page.locator('table.months').getByRole('link', { name: '2026-10' }).first().click();
  await page.getByRole('button', { name: /^Claim what you are owed/ }).click();
  await done(page);
  await page.getByRole('link', { name: 'Claims', exact: true }).click();
  expect(await page.locator('main table').last().locator('tbody tr').count()).toBeGreaterThan(3);
}

/** October is opened again and closed once more, since errors are open for a reason; the conditions say so. */
async function close(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click();
  await page.locator('table.months').getByRole('link', { name: '2026-10' }).first().click();
  await page.getByLabel('Reason').fill('a correction');
  await page.getByRole('button', { name: 'Open the month again' }).click();
  await done(page);
  expect(await page.locator('.unmet').count()).toBeGreaterThan(0);
  await page.getByLabel('The books begin with this month').check();
  await page.getByLabel(/^Close it although/).fill(NOTE);
  await page.getByRole('button', { name: 'Close the month' }).click();
  await done(page);
  expect(await page.locator('.status').textContent()).toContain('Closed: rana');
  expect(await page.getByRole('link', { name: /page that one signs/ }).count()).toBe(1);
}

/** The match is undone from the list of decisions. */
async function undo(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Decisions' }).click();
  const row = page.locator('main tbody tr', { hasText: 'Matched' }).first();
  await row.locator('summary').click();
  await row.getByLabel('Reason').fill('the wrong invoice');
  await row.getByRole('button', { name: /^Undo/ }).click();
  await done(page);
}

async function done(page: Page): Promise<void> {
  const said = await page.locator('.notice, .message').first().textContent();
  expect(said).toBe('Done.');
}

function mismatchesOf(desk: RunningDesk, status: string): Promise<{ rows: object[] }> {
  return desk.json(`/mismatches?status=${status}`);
}
