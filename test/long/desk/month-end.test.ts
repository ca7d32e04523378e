import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { makeDemo } from '../../helpers/demo-desk.ts';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import { hasChromium, openBrowser, openWindow } from '../../helpers/desk-browser.ts';
import { DEMO, type Walk, walkMonthEnd } from '../../helpers/desk-walk.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const [INVOICES, ROWS] = [200, 500];

let browser: Browser;

describe.skipIf(!hasChromium)('a month end at the desk, by clicks', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it.skipIf(!hasPostgres)('on a ledger that a team shares', async () => {
    const demo = await makeDemo();
    try {
      for (const script of [true, false]) {
        const { url } = await newDatabase({ create: 'template template0' });
        expect((await demo.cli(['ledger', 'copy', url])).code).toBe(0);
        await walk(await demo.deskOn(url), DEMO, script);
        expect((await demo.cli(['verify'], undefined, { REMIT_LEDGER: url })).code).toBe(0);
      }
    } finally {
      demo.end();
    }
  });

  it('on 100,000 rows', async () => {
    const cwd = await largeBooks();
    const large: Walk = {
      triage: ['2026-10', 'October 2026'],
      receipt: '1',
      invoice: '10150',
      amount: '7.77',
      month: '2026-10',
      isClosed: false,
    };
    await walk(await startDesk([], { cwd, now: () => NOW }), large, true);
    expect((await remit(['verify'], { cwd, now: NOW })).code).toBe(0);
  });
});

/** Walks the month end and ends the desk; nothing is asked of elsewhere, and nothing complained about. */
async function walk(desk: RunningDesk, what: Walk, script: boolean): Promise<void> {
  await desk.enter();
  const { page, context, misdeeds } = await openWindow(browser, desk, { script });
  context.setDefaultTimeout(120_000);
  try {
    await page.goto(`${desk.origin}/`);
    await walkMonthEnd(page, what, script);
    expect(misdeeds).toEqual([]);
  } finally {
    await context.close();
    await desk.stop();
  }
}

/**
 * Books of one month: some headers are not their rows, and one receipt pays a part of an invoice that it does not name.
 */
async function largeBooks(): Promise<string> {
  const courier = await startFakeCourier({
    invoices: Array.from({ length: INVOICES }, (_, at) => {
      const rows = Array.from({ length: ROWS }, (_row, position) => ({
        order_id: `O${at}-${position}`,
        reference_id: `SHOP-${at}-${position}`,
        cod: [['USD', `${10 + position}.00`]] as [string, string][],
        delivery_fee: [['USD', '3.00']] as [string, string][],
      }));
      const own =
        at === 150 ? rows.slice(0, 1).map((row) => ({ ...row, cod: [['USD', '10.77']] as [string, string][] })) : rows;
      const fault = at % 40 === 1 ? { cod: [['USD', '1.00']] as [string, string][] } : {};
      return invoiceOf(10_000 + at, '2026-10-05T10:00:00+03:00', own, { status: 'PENDING_PAYMENT', ...fault });
    }),
  });
  const cwd = scratchFolder();
  const toml = `api_url = "${courier.url}"\n[receipts]\npayers = ["Cedar Road"]\n`;
  writeFileSync(path.join(cwd, 'remit.toml'), toml);
  writeFileSync(path.join(cwd, 'receipts.csv'), 'date,amount,currency,text,invoice\n2026-10-30,7.77,USD,Cedar Road,\n');
  try {
    for (const argv of [
      ['sync', '2026-10'],
      ['import', 'receipts', 'receipts.csv'],
      ['check', '--fail-on', 'never'],
    ]) {
      const { code, stderr } = await remit(argv, { cwd, now: NOW, env: { REMIT_API_KEY: KEY } });
      expect([argv, code, code === 0 ? '' : stderr]).toEqual([argv, 0, '']);
    }
  } finally {
    await courier.close();
  }
  return cwd;
}
