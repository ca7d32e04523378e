import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, makeDemo } from '../../helpers/demo-desk.ts';
import type { RunningDesk } from '../../helpers/desk.ts';
import { hasChromium, openBrowser, openWindow } from '../../helpers/desk-browser.ts';
import { DEMO, walkMonthEnd } from '../../helpers/desk-walk.ts';

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
      await walkMonthEnd(page, DEMO, script);
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
      expect(await page.getByRole('status').textContent()).toMatch(/^Acknowledged \d+ findings/);
      expect((await mismatchesOf(desk, 'acknowledged')).rows.length).toBeGreaterThanOrEqual(5);
      expect(misdeeds).toEqual([]);
    } finally {
      await context.close();
      await desk.stop();
    }
  });
});

function mismatchesOf(desk: RunningDesk, status: string): Promise<{ rows: object[] }> {
  return desk.json(`/mismatches?status=${status}`);
}
