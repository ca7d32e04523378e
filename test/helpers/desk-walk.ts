/** A month end at the desk, by clicks alone. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const NOTE = 'asked the courier on the telephone';

/** What of some books is clicked. */
export interface Walk {
  /** The month whose mismatches are looked at, as home names it and as its own page does. */
  readonly triage: readonly [month: string, title: string];
  /** A receipt, and an invoice that it may pay. */
  readonly receipt: string;
  readonly invoice: string;
  /** What the match shows. */
  readonly amount: string;
  /** The month that is claimed and closed; opened again before where it is closed. */
  readonly month: string;
  readonly isClosed: boolean;
}

/** The demo: the ambiguous receipt may pay invoice 10041, and October is closed. */
export const DEMO: Walk = {
  triage: ['2026-09', 'September 2026'],
  receipt: '13',
  invoice: '10041',
  amount: '17.05',
  month: '2026-10',
  isClosed: true,
};

/** `2026-10` as home shows it. */
export function monthName(month: string): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${month}-01`).toLocaleDateString('en-GB', options);
}

/** Walks it from home: triage, match, claim, close, and undo. */
export async function walkMonthEnd(page: Page, walk: Walk, script: boolean): Promise<void> {
  await triage(page, walk);
  await match(page, walk, script);
  await claim(page, walk);
  await close(page, walk);
  await undo(page);
}

/** From home to what is open in a month; one kind of it is acknowledged with a note. */
async function triage(page: Page, { triage: [month, title] }: Walk): Promise<void> {
  await page.locator('table.months').getByRole('link', { name: title }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.getByRole('link', { name: /^Open mismatches/ }).click();
  await page.getByText(/^By cause/).click();
  await page.locator('table.causes a').first().click();
  await page.waitForURL(/code=/);
  await page.locator('input[name=ids]').first().waitFor();
  for (const box of await page.locator('input[name=ids]').all()) await box.check();
  await page.locator('#decide').getByLabel('Note').fill(NOTE);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await done(page, 'Acknowledged');
  // From the list to the finding, and from there to the document.
  await page.goto(`${new URL(page.url()).origin}/mismatches?month=${month}&status=acknowledged`);
  await page.locator('main td a[href^="/mismatches/"]').first().click();
  await page.locator('main', { hasText: NOTE }).waitFor();
  await page.getByLabel('To whom').fill('Karim');
  await page.getByRole('button', { name: 'Assign' }).click();
  await done(page, 'Assigned');
  await page.locator('main', { hasText: 'Assigned to: Karim' }).waitFor();
  await page.locator('a[href^="/evidence/"]').first().click();
  expect(await page.locator('dd.good').textContent()).toContain('the same');
}

/** The receipt is matched to the invoice. */
async function match(page: Page, { receipt, invoice, amount }: Walk, script: boolean): Promise<void> {
  await page.getByRole('link', { name: 'Receipts', exact: true }).click();
  // A page shows the first of a long list: what is looked for is found by its amount.
  await page.goto(`${page.url()}?text=${amount}`);
  await page.getByRole('radio', { name: `Choose ${receipt}`, exact: true }).check();
  await page.getByRole('checkbox', { name: `Choose ${invoice}`, exact: true }).check();
  if (script) {
    expect(await page.locator('#tally').textContent()).toBe('Left: 0.00 USD');
  }
  await page.getByRole('button', { name: 'Match', exact: true }).click();
  await confirm(page, `Match ${amount} USD`);
  await done(page, `Matched 1 invoice (${amount} USD)`);
  await page.locator('table tr', { hasText: invoice }).filter({ hasText: amount }).first().waitFor();
}

/** What the courier owes of the month is claimed. */
async function claim(page: Page, { month }: Walk): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click();
  await page
    .locator('table.months')
    .getByRole('link', { name: monthName(month) })
    .click();
  await page.getByRole('button', { name: /^Claim what you are owed/ }).click();
  expect(await page.locator('pre').textContent()).toContain('OWED TO US');
  await confirm(page, /^Claim \d+ findings?, /);
  await done(page, 'Claimed');
  await page.getByRole('link', { name: 'Claims', exact: true }).click();
  await page.locator('main table').last().locator('tbody tr').first().waitFor();
}

/** The month is closed although errors are open, for a reason; the conditions say so. */
async function close(page: Page, { month, isClosed }: Walk): Promise<void> {
  await page.getByRole('link', { name: 'Home' }).click();
  await page
    .locator('table.months')
    .getByRole('link', { name: monthName(month) })
    .click();
  if (isClosed) {
    await page.getByLabel('Reason').fill('a correction');
    await page.getByRole('button', { name: 'Open the month again' }).click();
    await confirm(page, /^Open again /);
    await done(page, 'Opened the month again');
  }
  await page.locator('.unmet').first().waitFor();
  await page.getByLabel('The books begin with this month').check();
  await page.getByLabel(/^Close it although/).fill(NOTE);
  await page.getByRole('button', { name: `Close ${monthName(month)}`, exact: true }).click();
  await confirm(page, /^Close [A-Z][a-z]+ 2026$/);
  await done(page, 'Closed the month');
  await page.locator('.status', { hasText: 'Closed: rana' }).waitFor();
  expect(await page.getByRole('link', { name: /page that one signs/ }).count()).toBe(1);
}

/** The match is undone from the list of decisions. */
async function undo(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Decisions' }).click();
  const row = page.locator('main tbody tr', { hasText: 'Matched' }).first();
  await row.locator('summary').click();
  await row.getByLabel('Reason').fill('the wrong invoice');
  await row.getByRole('button', { name: /^Undo/ }).click();
  await confirm(page, /^Undo /);
  await done(page, 'Took away the match');
}

/** Follows a preview to its button. */
async function confirm(page: Page, name: string | RegExp): Promise<void> {
  expect(await page.locator('main .hint').first().textContent()).toContain('Nothing is decided yet');
  await page.getByRole('button', { name }).click();
}

async function done(page: Page, what: string): Promise<void> {
  expect(await page.getByRole('status').first().textContent()).toContain(what);
}
