import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { statement } from '../../reports/statement/index.ts';
import { findBrowser, printPage, usualPlaces } from '../../src/app/statement/print.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { ExactDecimal } from '../../src/money/decimal.ts';
import { writeStatementPage } from '../../src/render/statement/index.ts';
import { check } from '../checks/options.ts';
import { hasChromium, usingBrowser } from '../helpers/browser.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type LedgerSpec, withLedger } from '../helpers/ledger.ts';
import { PIXEL, setAccount } from '../helpers/statement.ts';

const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;
const folder = mkdtempSync(path.join(tmpdir(), 'remit-currencies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CURRENCIES = ['USD', 'LBP', 'EUR', 'GBP', 'AED', 'SAR'];
const SIGNATURE = { en: 'Reviewed by', ar: 'راجعه' } as const;
type Language = keyof typeof SIGNATURE;

/** A month with every kind of step in each of some currencies. */
function monthIn(count: number): LedgerSpec {
  const each = <T>(of: (currency: string) => T) =>
    Object.fromEntries(CURRENCIES.slice(0, count).map((currency) => [currency, of(currency)]));
  const amounts = (cod: string) =>
    each((currency): [string, string] => [currency === 'LBP' ? cod.replace('.', '00000.') : cod, '3.00']);
  return {
    invoices: [
      {
        number: 1001,
        status: 'PENDING_PAYMENT',
        rows: [
          { order_id: 'A1', amounts: amounts('12525.10') },
          { order_id: 'A2', amounts: amounts('40.00'), book: { amounts: amounts('45.00') } },
          { order_id: 'A3', delivery_state: 'CANCELLED', amounts: amounts('9.00') },
          { order_id: 'A4', amounts: amounts('9.00') },
          { order_id: 'A4', amounts: amounts('9.00') },
        ],
        header: each((): [string, string, string] => ['12600.00', '14.00', '12586.50']),
      },
      { number: 1002, rows: [{ order_id: 'A2', amounts: amounts('40.00') }] },
      { number: 900, period: '2026-09', rows: [{ order_id: 'old', amounts: amounts('10.00') }] },
    ],
    orders: [{ order_id: 'E', delivery_state: 'DELIVERED', first_delivered_at: '2026-10-02T10:00:00+03:00' }],
  };
}

/** Its page as HTML, each line of the balance with a figure, closed with a long reason. */
async function writePage(count: number, language: Language): Promise<string> {
  const file = path.join(folder, `${count}-${language}.html`);
  const amount = (text: string) => new ExactDecimal(text);
  await withLedger(monthIn(count), async (ledger) => {
    await setAccount(ledger, 'Cedar Threads', '#0B6E4F', PIXEL);
    const now = new Date('2026-11-05T08:00:00Z');
    const found = await check(ledger, { periods: ['2026-10'], settings: DEFAULT_SETTINGS, now });
    await usingSnapshot(ledger, async (db) => {
      const made = await statement({ db, month: '2026-10', settings: DEFAULT_SETTINGS, ...found, ...found.reasons });
      const moved = { restated: amount('-12.50'), marked_paid: amount('-100.00'), differences: amount('-3.00') };
      const since = { settledSince: amount('3.00'), restatedSince: amount('4.10') };
      const withOpen = 'the courier answers next week; agreed with the owner';
      const close = { by: 'rana', at: now.toISOString(), chain: 'a'.repeat(64), figures_sha256: 'b'.repeat(64) };
      const model = {
        ...made,
        closed: count % 2 === 0 ? { ...close, with_open: withOpen } : null,
        balance: made.balance.map((block) => ({ ...block, ...moved, ...since })),
        proof: made.proof.map((proof) => ({ ...proof, resolved: amount('4.28') })),
      };
      await writeStatementPage(model, file, language);
    });
  });
  return file;
}

async function firstPageOf(html: string): Promise<string> {
  const { platform, env } = process;
  const program = findBrowser({ chosen: null, path: env.PATH ?? '', places: usualPlaces(platform, env) });
  const pdf = html.replace('.html', '.pdf');
  await printPage({ program, page: html, pdf, signal: new AbortController().signal });
  const text = execFileSync('pdftotext', ['-l', '1', '-layout', pdf, '-'], { encoding: 'utf8' });
  return text.normalize('NFKC').replace(/[\u2066-\u2069\u202a-\u202e\u200e\u200f]/g, '');
}

/** The smallest size of text, in points, and the lines that the longest label of a block takes. */
const SIZES = `(() => {
  const texts = [...document.querySelectorAll('.first *')].filter((one) => one.textContent.trim() !== '');
  const size = (one) => Number.parseFloat(getComputedStyle(one).fontSize) * 0.75;
  const labels = [...document.querySelectorAll('.first tbody th')];
  const lines = labels.map((label) => Math.round((label.clientHeight - 2) / (1.1 * size(label) / 0.75)));
  return [Math.min(...texts.map(size)), Math.max(...lines)];
})()`;

describe.skipIf(!hasChromium || !hasPoppler)('page 1', () => {
  it.each([1, 2, 4, 6])(
    'holds %i currencies, signatures and all, at 8 pt or more, in both languages',
    async (count) => {
      for (const language of ['en', 'ar'] as const) {
        const html = await writePage(count, language);
        const page = await firstPageOf(html);
        expect(page).toContain(SIGNATURE[language]);
        for (const currency of CURRENCIES.slice(0, count)) expect(page).toContain(currency);
        await usingBrowser(async (browser) => {
          await browser.open(html, { width: 688, print: true });
          const [size, lines] = await browser.evaluate<[number, number]>(SIZES);
          expect([count, size > 7.99, lines <= 2]).toEqual([count, true, true]);
        });
      }
    },
  );
});
