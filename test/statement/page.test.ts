import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement } from '../../reports/statement/index.ts';
import { findBrowser, printPage, usualPlaces } from '../../src/app/statement/print.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { annexTable } from '../../src/render/statement/html/annex.tsx';
import { writeStatementPage } from '../../src/render/statement/index.ts';
import { ENGLISH } from '../../src/words/index.ts';
import { check } from '../checks/options.ts';
import { hasChromium, usingBrowser } from '../helpers/browser.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type LedgerSpec, withLedger } from '../helpers/ledger.ts';
import { PIXEL, setAccount } from '../helpers/statement.ts';

const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0 && spawnSync('pdfinfo', ['-v']).status === 0;
const ATTACK = '</style><script>console.error(1)</script>"; } @import url(http://evil.example/a)';

/** Three currencies, more steps than the page has lines for, names that attack and are long, Arabic beside Latin. */
const WORLD: LedgerSpec = {
  invoices: [
    {
      number: 1001,
      status: 'PENDING_PAYMENT',
      rows: [
        {
          order_id: 'A1',
          reference_id: ATTACK,
          amounts: { USD: ['25.10', '3.00'], LBP: ['922000000000.25', '300000'] },
        },
        { order_id: 'A2', amounts: { USD: ['40.00', '3.00'] }, book: { amounts: { USD: ['45.00', '3.00'] } } },
        { order_id: 'A3', reference_id: 'طلب-1709', amounts: { EUR: ['12.00', '1.00'] } },
        { order_id: 'A4', delivery_state: 'AWAITING_RETURN', amounts: { USD: ['9.00', '3.00'] } },
        { order_id: 'A4', amounts: { USD: ['9.00', '3.00'] } },
      ],
      header: {
        USD: ['80.00', '13.00', '66.50'],
        LBP: ['922000000000.25', '300000', '921999700000.25'],
        EUR: ['12.00', '1.00', '11.00'],
      },
    },
    {
      number: 1002,
      rows: [
        { order_id: 'A2', amounts: { USD: ['40.00', '3.00'] } },
        { order_id: 'B2', amounts: { EUR: ['7.00', '1.00'] } },
      ],
    },
    { number: 900, period: '2026-09', rows: [{ order_id: 'old', amounts: { USD: ['10.00', '2.00'] } }] },
  ],
  orders: [{ order_id: 'E', delivery_state: 'DELIVERED', first_delivered_at: '2026-10-02T10:00:00+03:00' }],
};

/** The words of the annex's headings that stand on two lines, or reach out of their cells. */
const WORDS_BROKEN = `[...document.querySelectorAll('.annex thead th')].flatMap((head) => {
  const text = head.firstChild;
  if (text?.nodeType !== 3) return [];
  return [...text.data.matchAll(/\\S+/g)].filter(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const lines = range.getClientRects();
    const cell = head.getBoundingClientRect();
    return lines.length > 1 || lines[0].left < cell.left - 1 || lines[0].right > cell.right + 1;
  }).map(({ 0: word }) => word);
})`;

const folder = mkdtempSync(path.join(tmpdir(), 'remit-page-'));
const NAME = `"; } @import url(//evil.example)</style> متجر الأرز ${ATTACK} ${'long '.repeat(60)}`;
/** Every amount of the statement that the page may show, as its reports have them in JSON. */
let figures: { balance: string[]; bridge: string[]; short: string[]; causes: string[] };

beforeAll(async () => {
  await withLedger(WORLD, async (ledger) => {
    await setAccount(ledger, NAME, '#0B6E4F', PIXEL);
    const found = await check(ledger, {
      periods: ['2026-10'],
      settings: DEFAULT_SETTINGS,
      now: new Date('2026-11-05T08:00:00Z'),
    });
    for (const [name, language] of [
      ['en', 'en'],
      ['again', 'en'],
      ['ar', 'ar'],
    ] as const) {
      await usingSnapshot(ledger, async (db) => {
        const model = await statement({ db, month: '2026-10', settings: DEFAULT_SETTINGS, ...found, ...found.reasons });
        await writeStatementPage(model, path.join(folder, `${name}.html`), language);
        const rows = model.tables.rollForward.rows as readonly Record<string, string>[];
        const money = model.tables.rollForward.columns
          .filter(({ type }) => type === 'money')
          .map(({ name: column }) => column);
        figures = {
          balance: rows.flatMap((row) => money.map((column) => row[column]!)).filter((amount) => amount !== '0.00'),
          bridge: found.bridge.flatMap(({ courier, ours, unexplained }) => [courier, ours ?? '', unexplained ?? '']),
          short: found.bridge.map(({ short }) => short),
          causes: model.causes.slice(0, 1).map(({ amount }) => amount!),
        };
      });
    }
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const grouped = (decimal: string) => decimal.replace(/\B(?=(\d{3})+(?!\d)(?=.*\.))(?<!\..*)/g, ',');
const html = (name: string) => readFileSync(path.join(folder, `${name}.html`), 'utf8');
const firstPage = (name: string) => html(name).split('<section class="sheet1">')[0]!;

describe('the page that one signs', () => {
  it('shows each figure as its report has it', () => {
    const page = firstPage('en');
    expect(figures.balance.length).toBeGreaterThan(4);
    for (const figure of [...figures.balance, ...figures.bridge, ...figures.causes])
      expect(page).toContain(`>${grouped(figure)}<`);
    for (const short of figures.short.filter((amount) => amount !== '0.00')) {
      expect(page).toContain(`<bdi>${grouped(short.replace('-', ''))}</bdi>`);
    }
  });

  it('has at most eight lines of the bridge, five causes, and only what is short in red', () => {
    const page = firstPage('en');
    const bridge = page.slice(page.indexOf('The bridge: from'), page.indexOf('Short or ahead'));
    expect(bridge.match(/<tr/g)!.length - 1).toBeLessThanOrEqual(8);
    expect(bridge).toContain('other steps');
    expect(page.slice(page.indexOf('Open findings, by cause')).match(/<tr>/g)!.length).toBe(5);
    const red = [...page.matchAll(/<p class="result (\w+)">([^<]*)/g)].map(([, side, text]) => [side, text]);
    expect(red.length).toBe(3);
    for (const [side, text] of red) expect(side === 'short').toBe(/you are short/.test(text!));
    expect(html('en').match(/var\(--short\)/g)).toHaveLength(1);
  });

  it('is the same to the byte as long as the ledger is, and names the state once whole and at each foot in part', () => {
    expect(html('again')).toBe(html('en'));
    const [chain, ...others] = html('en').match(/\b[0-9a-f]{64}(?= \(row)/g)!;
    expect(others).toEqual([]);
    expect(html('en').split(`"Chain ${chain!.slice(0, 12)}"`).length - 1).toBeGreaterThan(11);
  });

  it('takes nothing from outside for a tag or a style', () => {
    for (const name of ['en', 'ar']) {
      expect(html(name)).not.toMatch(/<(script|link|iframe|object|a)\b/);
      expect(html(name).match(/<\/style>/g)).toHaveLength(1);
      const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html(name))!;
      expect(style).toContain('evil.example');
      // What is left of the style without its strings.
      expect(style.replace(/"[^"\n]*"/g, '')).not.toContain('evil.example');
    }
  });

  it('is whole in Arabic: its direction, its punctuation, codes apart, days and amounts between marks', () => {
    const page = firstPage('ar');
    expect(page).toContain('<html lang="ar" dir="rtl">');
    expect(page).toContain('الرصيد الختامي في 31 تشرين الأول');
    expect(page).toMatch(/\u2066[0-9.,-]+/);
    expect(page).toMatch(/<td class="code">[a-z-]+<\/td>/);
    const words = page
      .slice(page.indexOf('<body>'))
      .replace(/<[^>]*>/g, ' ')
      .replaceAll(NAME.slice(0, 20), '');
    expect(words).not.toMatch(/[\u0600-\u06ff][,;?]/);
    // An address keeps its slashes in their places.
    expect(html('ar')).toMatch(/<dd><bdi>املأ courier_title في remit.toml/);
    expect(html('ar')).toContain('صفحة " counter(page) " من " counter(pages) "');
  });
});

describe.skipIf(!hasChromium)('in a browser', () => {
  it('asks for nothing and runs nothing', async () => {
    await usingBrowser(async (page) => {
      for (const name of ['en', 'ar']) await page.open(path.join(folder, `${name}.html`), { width: 1200 });
      const { errors, requests } = page.misdeeds();
      expect(errors).toEqual([]);
      // The logo is in the page itself.
      expect(requests.filter((url) => !url.startsWith('data:image/png;base64,'))).toEqual([]);
    });
  });

  it('breaks no word of a heading of the annex', async () => {
    await usingBrowser(async (page) => {
      for (const name of ['en', 'ar']) {
        await page.open(path.join(folder, `${name}.html`), { width: 1050, print: true });
        expect(await page.evaluate<string[]>(WORDS_BROKEN)).toEqual([]);
      }
    });
  });

  it.skipIf(!hasPoppler)(
    'prints balance, bridge, findings and signatures on one A4 page, in both languages',
    async () => {
      for (const [name, signature, second] of [
        ['en', 'Reviewed by', 'Details'],
        ['ar', 'راجعه', null],
      ] as const) {
        const pdf = path.join(folder, `${name}.pdf`);
        const program = findBrowser({
          chosen: null,
          path: process.env.PATH ?? '',
          places: usualPlaces(process.platform, process.env),
        });
        await printPage({
          program,
          page: path.join(folder, `${name}.html`),
          pdf,
          signal: new AbortController().signal,
        });
        const text = (number: number) =>
          execFileSync('pdftotext', ['-f', String(number), '-l', String(number), '-layout', pdf, '-'], {
            encoding: 'utf8',
          });
        const plain = (shown: string) =>
          shown.normalize('NFKC').replace(/[\u2066-\u2069\u202a-\u202e\u200e\u200f]/g, '');
        if (name === 'en') {
          expect(plain(text(1))).toContain(signature);
          expect(plain(text(1))).toContain('Page 1 of');
          expect(plain(text(1))).toContain('Chain ');
          expect(plain(text(2))).toMatch(new RegExp(`October 2026[^]*${second} · Draft`));
        } else {
          for (const figure of figures.bridge) expect(plain(text(1))).toContain(grouped(figure));
        }
        const sizes = execFileSync('pdfinfo', ['-f', '1', '-l', '2', pdf], { encoding: 'utf8' });
        expect(sizes).toMatch(/Page +1 size: +59\d\.\d+ x 84\d\.\d+ pts/);
        expect(sizes).toMatch(/Page +2 size: +84\d\.\d+ x 59\d\.\d+ pts/);
      }
    },
    120_000,
  );
});

describe('what prints it', () => {
  const nowhere = { path: '', places: [] };

  it('is looked for, and an error says what to install where there is none', () => {
    expect(() => findBrowser({ chosen: null, ...nowhere })).toThrow(/Chromium, Chrome or Edge, and none/);
    const fake = path.join(folder, 'chromium');
    writeFileSync(fake, '#!/bin/sh\nexit 3\n');
    chmodSync(fake, 0o755);
    expect(findBrowser({ chosen: null, path: folder, places: [] })).toBe(fake);
    expect(findBrowser({ chosen: null, path: '', places: [path.join(folder, 'none'), fake] })).toBe(fake);
    expect(findBrowser({ chosen: fake, ...nowhere })).toBe(fake);
    expect(() => findBrowser({ chosen: path.join(folder, 'none'), ...nowhere })).toThrow(/`browser` names .*none/);
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(usualPlaces(platform, { ProgramFiles: 'C:\\Program Files' }).length).toBeGreaterThan(2);
    }
  });

  it.skipIf(process.platform === 'win32')(
    'is ended in time and on Ctrl-C, and what it says is in the error',
    async () => {
      const program = path.join(folder, 'slow');
      const about = {
        page: path.join(folder, 'en.html'),
        pdf: path.join(folder, 'none.pdf'),
        signal: new AbortController().signal,
      };
      writeFileSync(program, '#!/bin/sh\necho $$ > "$0.pid"\nsleep 60\n');
      chmodSync(program, 0o755);
      await expect(printPage({ ...about, program, limitSeconds: 0.5 })).rejects.toThrow(
        /did not end within 0.5 seconds/,
      );
      const stop = new AbortController();
      writeFileSync(`${program}.pid`, '');
      const printing = printPage({ ...about, program, signal: stop.signal }).catch((error: Error) => error);
      while (!readFileSync(`${program}.pid`, 'utf8').endsWith('\n')) await new Promise(setImmediate);
      stop.abort();
      expect(await printing).toMatchObject({ name: 'Error', exitCode: 130 });
      const pid = Number(readFileSync(`${program}.pid`, 'utf8'));
      expect(() => process.kill(pid, 0)).toThrow();
      writeFileSync(program, '#!/bin/sh\necho "no display" >&2\nexit 1\n');
      await expect(printPage({ ...about, program })).rejects.toThrow(/printed no PDF: no display/);
      writeFileSync(program, '#!/bin/sh\nexit 0\n');
      await expect(printPage({ ...about, program })).rejects.toThrow(/printed no PDF$/);
    },
  );
});

it('gives each amount of a long table room for the largest, which no sample shows', async () => {
  const columns = [
    { name: 'cod', title: 'COD', type: 'money' },
    { name: 'difference', title: 'Difference', type: 'money' },
  ] as const;
  const rows = Array.from({ length: 501 }, (_, at) => {
    return { cod: '8550000.00', difference: at === 500 ? '-4000000.00' : '0.00' };
  });
  const report = { report: 'orders', title: 'Orders', period: '2026-10', columns, rows };
  let drawn = '';
  for await (const piece of annexTable({ ...report, totals: () => [], notes: () => [] }, ENGLISH)) drawn += piece;
  const widths = [...drawn.matchAll(/<col style="width:([\d.]+)%"/g)].map(([, width]) => width);
  expect(widths).toEqual(['50.00', '50.00']);
});
