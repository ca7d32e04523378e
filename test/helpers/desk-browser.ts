/** Pages of a desk in Debian's Chromium: tests that use it are skipped, with the reason, on machines without one. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core';
import type { RunningDesk } from './desk.ts';

const CHROMIUM = process.env.REMIT_TEST_CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}

export interface Look {
  readonly width?: number;
  readonly dark?: boolean;
  readonly script?: boolean;
  readonly language?: 'en' | 'ar';
}

/** A person's window at a desk, let in by the cookie; what it asks of elsewhere and what it complains about is kept. */
export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly misdeeds: string[];
}

export async function openWindow(browser: Browser, desk: RunningDesk, look: Look = {}): Promise<Window> {
  const { width = 1440, dark = false, script = true, language = 'en' } = look;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: script,
    locale: language === 'ar' ? 'ar-LB' : 'en-GB',
  });
  const [name = '', value = ''] = desk.cookie.split('=');
  await context.addCookies([{ name, value, url: desk.origin, httpOnly: true, sameSite: 'Strict' }]);
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const misdeeds: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') misdeeds.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => misdeeds.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== desk.origin) misdeeds.push(`asked ${request.url()}`);
  });
  return { page, context, misdeeds };
}

/**
 * Opens a page and waits until it has all that it shows: until then it loads itself again, under the hands of whoever
 * looks at it.
 */
export async function openFinished(page: Page, address: string): Promise<Response> {
  for (;;) {
    // It may load itself again just as it is left.
    const answer = await page.goto(address).catch(() => null);
    if (answer !== null && answer.headers().refresh === undefined) return answer;
    await page.waitForTimeout(300);
  }
}

/**
 * What axe-core has against a page: each rule with the first element that breaks it.
 *
 * @param rules only these; all where absent
 */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe comes as text.
    const { violations } = await (globalThis as any).axe.run(document, {
      resultTypes: ['violations'],
      ...(only ? { runOnly: only } : {}),
    });
    return violations.map(
      (one: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${one.id}: ${one.nodes[0]!.html} ${one.nodes[0]!.failureSummary}`,
    );
  }, rules);
}

/** Times and amounts of a page that read from right to left, such as `01-2026` and `5.00-` within Arabic. */
export function reversedFigures(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const placeOf = (text: Node, at: number) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect();
    };
    const found: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const figures =
        /\d{4}-\d{2}(?:-\d{2}(?: \d{2}:\d{2}:\d{2} (?:UTC|[+-]\d{2}:\d{2}))?)?|-\d[\d,]*\.\d{2}(?: [A-Z]{3})?/g;
      for (const { 0: figure, index } of (text.textContent ?? '').matchAll(figures)) {
        const [first, last] = [placeOf(text, index), placeOf(text, index + figure.length - 1)];
        if (first.width > 0 && first.top === last.top && first.left > last.left) found.push(figure);
      }
    }
    return found;
  });
}

/** The tables that are wider than their place. */
export function scrolledTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('.rows')].filter((box) => box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.getAttribute('aria-label') + ' ' + box.scrollWidth)`,
  );
}

/** The figures of a page that are cut off at the edge of a table's place which does not show that it scrolls. */
export function cutFigures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.rows')]
      .filter((box) => getComputedStyle(box).maskImage === 'none')
      .flatMap((box) => {
        const edge = box.getBoundingClientRect();
        // The head of a table that is drawn as cards is for screen readers alone.
        return [...box.querySelectorAll(':is(tbody, tfoot) .figure')].flatMap((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          const { left, right, width } = text.getBoundingClientRect();
          return cell.checkVisibility() && width > 0 && (left < edge.left - 1 || right > edge.right + 1)
            ? [`${cell.textContent}`]
            : [];
        });
      }),
  );
}
