import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { remit } from '../helpers/cli.ts';
import { type Demo, makeDemo } from '../helpers/demo-desk.ts';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { cut, cutLine, pageOutline, workbookOutline } from '../helpers/outline.ts';
import { MONTH, makeSeenBooks, OPEN_MONTH, type SeenBooks, typed } from '../helpers/seen-books.ts';
import { NOW } from '../helpers/three-couriers.ts';

/**
 * Whatever remit shows of two sets of books, as text, beside what is on record: the demo, in which every check finds
 * something, and three couriers with whatever can be decided. `npx vitest run --config vitest.long.config.ts
 * test/long/seen.test.ts -u` records it anew.
 */
const FOLDER = path.join(import.meta.dirname, '..', 'goldens', 'seen');
const LANGUAGES = ['en', 'ar'] as const;
type LanguageCode = (typeof LANGUAGES)[number];

const seen = new Set<string>();
let made: SeenBooks;
let demo: Demo;
let desks: Readonly<Record<'demo' | 'couriers', RunningDesk>>;

beforeAll(async () => {
  made = await makeSeenBooks();
  demo = await makeDemo();
  const couriers = await startDesk([], { cwd: made.books.folder, now: () => NOW });
  await couriers.enter();
  await couriers.submit('/views', {
    name: 'Errors of October',
    address: `/mismatches?month=${OPEN_MONTH}&severity=error`,
  });
  desks = { demo: await demo.desk('read'), couriers };
  for (const desk of Object.values(desks)) {
    const known = async () => (await desk.json<{ unexplained: object | null }>('/')).unexplained !== null;
    await vi.waitUntil(known, { timeout: 60_000, interval: 100 });
  }
});
afterAll(async () => {
  for (const desk of Object.values(desks ?? {})) await desk.stop();
  await made?.close();
  demo?.end();
});

type Books = 'demo' | 'couriers';

const run = (books: Books, argv: readonly string[]) => (books === 'demo' ? demo.cli(argv) : made.books.run(argv));
const folderOf = (books: Books) => (books === 'demo' ? demo.folder : made.books.folder);

/** A text without what the machine, the port and the moment make of it. */
function fixed(text: string): string {
  return text
    .replaceAll(made.books.folder, 'BOOKS')
    .replaceAll(demo.folder, 'BOOKS')
    .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replace(/\bin \d+\.\d s$/gm, 'in SECONDS')
    .replace(/\b[\da-f]{64}\b/g, 'SHA256')
    .replace(/\b[\da-f]{12}\b/g, 'CHAIN')
    .replace(/(chain|cells \w+-) ?[\da-f]{16}\b/g, '$1 CHAIN')
    .replace(/[\u2066\u2067\u2068]/g, '⟦')
    .replace(/\u2069/g, '⟧')
    .replace(/[\u200e\u200f]/g, '‖');
}

/** Compares a text with the one on record. How far apart columns of text stand, others test. */
async function expectSeen(language: LanguageCode, name: string, text: string): Promise<void> {
  const file = path.join(language, `${name}.txt`);
  seen.add(file);
  const lines = text
    .split('\n')
    .map((line) => cutLine(line.trimEnd().replace(/ {3,}/g, '  ').replace(/─{4,}/g, '───')));
  await expect.soft(lines.join('\n')).toMatchFileSnapshot(path.join(FOLDER, file));
}

/** What commands print, one after another. */
async function typedAll(books: Books, commands: readonly (readonly string[])[]): Promise<string> {
  let text = '';
  for (const argv of commands) {
    const printed = await typed((one) => run(books, one), argv);
    text += cut(fixed(printed).split('\n'), 40, 8).join('\n');
  }
  return text;
}

/** A file that a command writes, as it wrote it. */
async function written(books: Books, argv: readonly string[], file: string): Promise<Buffer> {
  const out = path.join(folderOf(books), file);
  const { code, stderr } = await run(books, [...argv, '--out', out]);
  expect([argv, code < 2, stderr]).toEqual([argv, true, expect.anything()]);
  const bytes = readFileSync(out);
  rmSync(out);
  return bytes;
}

async function outlineOf(bytes: Buffer, file: string): Promise<string> {
  if (file.endsWith('.xlsx')) return workbookOutline(bytes, fixed);
  return file.endsWith('.html') ? pageOutline(fixed(bytes.toString())) : fixed(bytes.toString());
}

describe('a person at the command line reads', () => {
  it('what deciding says', async () => {
    await expectSeen('en', 'cli/decisions', fixed(made.decided));
  });

  it('lists', async () => {
    const lists = [
      ['match', 'list'],
      ['match', 'list', '--unmatched'],
      ['settle', 'list'],
      ['approvals', 'list', '--all'],
      ['import', 'list'],
      ['courier', 'list'],
      ['dispute', 'list'],
      ['mismatch', 'list', MONTH],
      ['changes', '--since', 'close'],
      ['evidence', '10001', '--courier', 'cedar', '--diff'],
      ['report'],
      ['close', '2026-11', '--dry-run', '--by', 'Rana'],
      ['verify'],
    ];
    await expectSeen('en', 'cli/lists', await typedAll('couriers', lists));
    const ofDemo = [
      ['check', '2026-11'],
      ['check', '2026-10', '--all'],
      ['mismatch', 'list', '2026-11'],
      ['match', 'list'],
    ];
    await expectSeen('en', 'cli/lists-demo', await typedAll('demo', [...ofDemo, ['changes', '--since', '2026-11-01']]));
  });

  it('what is known of one thing', async () => {
    const { claims } = await made.books.json<{ claims: { mismatch: { id: string } }[] }>(['dispute', 'list']);
    const id = claims[0]!.mismatch.id;
    const things = [
      ['show', 'invoice', '10001', '--courier', 'cedar'],
      ['show', 'invoice', '10003', '--courier', 'olive'],
      ['show', 'order', 'E', '--courier', 'swift'],
      ['show', 'receipt', '2'],
      ['show', 'mismatch', id, '--courier', 'cedar'],
      ['mismatch', 'show', id, '--courier', 'cedar'],
      ['dispute', 'show', id, '--courier', 'cedar'],
      ['dispute', 'letter', id, '--courier', 'cedar'],
      ['show', 'run', '1'],
      ['show', 'close', MONTH],
    ];
    await expectSeen('en', 'cli/show', await typedAll('couriers', things));
  });

  it.each(REPORTS)('report $name', async ({ name, needsPeriod }) => {
    const report = (month: string, ...more: string[]) => ['report', name, ...(needsPeriod ? [month] : []), ...more];
    const texts = [
      await typedAll('demo', [report('2026-11')]),
      await typedAll('couriers', [report(MONTH), report(OPEN_MONTH)]),
    ];
    for (const format of ['csv', 'json']) {
      const { stdout } = await run('couriers', report(OPEN_MONTH, '--format', format));
      texts.push(`${format}\n${cut(fixed(stdout).split('\n'), 24, 6).join('\n')}`);
    }
    await expectSeen('en', `reports/${name}`, texts.join('\n'));
    const [page, book] = ['html', 'xlsx'];
    const html = await written('couriers', report(OPEN_MONTH), `${name}.${page}`);
    const xlsx = await written('couriers', report(OPEN_MONTH), `${name}.${book}`);
    await expectSeen('en', `reports/${name}.html`, await outlineOf(html, 'a.html'));
    await expectSeen('en', `reports/${name}.xlsx`, await outlineOf(xlsx, 'a.xlsx'));
  });

  it('the dashboard of a month of the demo', async () => {
    const html = await written('demo', ['report', 'dashboard', '2026-10'], 'dashboard.html');
    await expectSeen('en', 'reports/dashboard-demo.html', await outlineOf(html, 'a.html'));
  });

  it('charges and taxes of sheets', async () => {
    const sheets = await typed(
      (argv) => remit(argv, { cwd: path.join(demo.folder, 'sheets'), now: NOW }),
      ['report', 'charges'],
    );
    await expectSeen('en', 'reports/charges-sheets', fixed(sheets));
  });

  it('journals', async () => {
    const journal = (format: string) => ['report', 'journal', OPEN_MONTH, '--format', format];
    for (const format of ['hledger', 'beancount', 'xero', 'quickbooks']) {
      await expectSeen('en', `reports/journal.${format}`, await typedAll('couriers', [journal(format)]));
    }
  });
});

describe.each(LANGUAGES)('in %s somebody reads', (language) => {
  const lang = ['--lang', language];

  it.each(['xlsx', 'html'])('the statement as %s', async (format) => {
    const of = async (books: Books, month: string, ...more: string[]) =>
      outlineOf(await written(books, ['statement', month, ...lang, ...more], `s.${format}`), `s.${format}`);
    await expectSeen(language, `statement/demo.${format}`, await of('demo', '2026-10'));
    for (const courier of ['cedar', 'olive']) {
      const month = courier === 'cedar' ? MONTH : OPEN_MONTH;
      await expectSeen(language, `statement/${courier}.${format}`, await of('couriers', month, '--courier', courier));
    }
  });

  it('the statements of several months and couriers', async () => {
    const before = new Set(readdirSync(folderOf('couriers')));
    const indexes = [
      ['statement', '--from', MONTH, '--to', OPEN_MONTH, '--courier', 'swift', ...lang],
      ['statement', OPEN_MONTH, '--all', ...lang],
    ];
    for (const argv of indexes) {
      const { code, stdout } = await run('couriers', [...argv, '--json']);
      expect([argv, code < 2]).toEqual([argv, true]);
      const files = [...new Set(stdout.match(/[^"]+\.xlsx/g) ?? [])];
      const index = files.find((file) => /statements|index/i.test(path.basename(file)));
      if (index === undefined) throw new Error(stdout);
      const at = path.resolve(folderOf('couriers'), index);
      await expectSeen(
        language,
        `statement/index-${argv.includes('--all') ? 'couriers' : 'months'}.xlsx`,
        await outlineOf(readFileSync(at), at),
      );
    }
    for (const name of readdirSync(folderOf('couriers'))) {
      if (!before.has(name)) rmSync(path.join(folderOf('couriers'), name), { recursive: true });
    }
  });

  it.each(['text', 'html', 'csv', 'xlsx'])('the claim as %s', async (format) => {
    const argv = ['dispute', '2026-11', '--dry-run', '--format', format, ...lang];
    const file = `claim.${format}`;
    await expectSeen(language, `claims/demo.${format}`, await outlineOf(await written('demo', argv, file), file));
  });

  it.each(['demo', 'couriers'] as const)('the pages of the desk of %s', async (books) => {
    const desk = desks[books];
    const month = books === 'demo' ? '2026-11' : OPEN_MONTH;
    const page = async (name: string, address: string) => {
      const at = `${address}${address.includes('?') ? '&' : '?'}lang=${language}`;
      const { text } = await desk.send(at, { headers: { cookie: desk.cookie, accept: 'text/html' } });
      const shown = name === 'home' ? text : text.slice(text.indexOf('<main'), text.indexOf('</main>'));
      await expectSeen(language, `desk-${books}/${name}`, pageOutline(fixed(shown)));
    };
    for (const [name, address] of await addressesOf(books, desk, month)) await page(name, address);
    for (const { name } of REPORTS) await page(`report-${name}`, `/reports/${name}?month=${month}`);
  });
});

/** Every page of the desk. */
async function addressesOf(books: 'demo' | 'couriers', desk: RunningDesk, month: string): Promise<[string, string][]> {
  interface Found {
    readonly rows: readonly { readonly id: string; readonly courier?: string }[];
  }
  const code = books === 'demo' ? 'order-amount-differs' : 'order-repeated';
  const { rows } = await desk.json<Found>(`/mismatches?code=${code}`);
  const whose = books === 'demo' ? '' : '?courier=cedar';
  const { documents } = await desk.json<{ documents: { sha256: string }[] }>(`/invoices/10001${whose}`);
  const lists = 'receipts runs imports closes settlements claims decisions approvals views reports'.split(' ');
  const order = books === 'demo' ? (rows[0] as unknown as { order_id: string }).order_id : 'E';
  return [
    ['home', '/'],
    ['month', `/months/${month}`],
    ['month-before', `/months/${books === 'demo' ? '2026-10' : MONTH}`],
    ['mismatches', `/mismatches?month=${month}`],
    ['mismatch', `/mismatches/${rows[0]!.id}`],
    ['invoice', `/invoices/10001${whose}`],
    ['order', `/orders/${order}${whose}`],
    ['rows', `/rows?month=${month}&limit=20`],
    ['receipt', '/receipts/2'],
    ['evidence', `/evidence/${documents[0]!.sha256}?field=cod`],
    ['run', '/runs/1'],
    ['close', `/closes/${MONTH}`],
    ['search', '/search?q=10001'],
    ['refusal', '/months/2026-99'],
    ...lists.map((name): [string, string] => [name, `/${name}`]),
  ];
}

it('and nothing is on record that nobody reads any more', () => {
  const held = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const names = held.map(({ parentPath, name }) => path.relative(FOLDER, path.join(parentPath, name)));
  expect(names.filter((name) => !seen.has(name))).toEqual([]);
});
