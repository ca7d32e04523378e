import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { CEDAR, cedar } from '../helpers/settlements.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const TOML = `time_zone = "UTC"
# The one that pays on Thursdays.
[couriers.cedar]
kind = "files"
map = "cedar"
# Theirs since 2024.
${CEDAR}`;
const OLD = cedar('118,2026-10-12,Unpaid,C-1,SO-1,Delivery,90.00,3.00,1.00,0.50,85.50');
const RENAMED = cedar('119,2026-10-13,Unpaid,C-2,SO-2,Delivery,70.00,3.00,1.00,0.50,65.50')
  .replace(',COD,', ',COD Amount,')
  .replace(',Net', ',Final')
  .replace('WHT 2%', 'Zakat');

let books: OwnBooks;
let desk: RunningDesk;

beforeEach(async () => {
  books = ownBooks('', NOW);
  books.file('remit.toml', TOML);
  await books.json(['import', 'settlement', books.file('old.csv', OLD)]);
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
});

const page = (address: string) => desk.send(address, { headers: { cookie: desk.cookie, accept: 'text/html' } });

async function wizard(file: string, text: string): Promise<string> {
  const shown = await desk.upload('/imports?preview=1', { [file]: text });
  return /href="(\/maps\/new\?import=[^"]*)"/.exec(shown.text)![1]!.replaceAll('&amp;', '&');
}

it('a sheet whose courier renamed its columns is shown beside the map, and the map then reads both', async () => {
  const address = await wizard('new.csv', RENAMED);
  const { changed } = await desk.json<{
    changed: { map: string; fields: { field: string; old: string[]; header: string | null; values: string[] }[] };
  }>(address);
  expect(changed.map).toBe('cedar');
  const of = (field: string) => changed.fields.find((one) => one.field === field);
  expect(of('cod')).toEqual({ field: 'cod', old: ['COD'], header: 'COD Amount', isHeld: false, values: ['70.00'] });
  expect(of('net')).toMatchObject({ old: ['Net'], header: null });
  expect(of('invoice')).toMatchObject({ header: 'Payout', isHeld: true, values: ['119'] });
  const asked = await page(address);
  expect([asked.status, asked.text.includes('name="now-cod"'), asked.text.includes('>Final<')]).toEqual([
    200,
    true,
    true,
  ]);
  const staged = /name="staged" value="([^"]*)"/.exec(asked.text)![1]!;
  const headers = RENAMED.split('\n')[0]!.split(',');
  const at = (header: string) => String(headers.indexOf(header));
  const answers = { staged, kind: 'settlement', changes: 'cedar', 'now-cod': at('COD Amount'), 'now-net': at('Final') };
  const before = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
  // What nobody answered is not taken out of the map.
  const open = await desk.submit('/maps', { ...answers, 'now-taxes.wht': '' });
  expect([open.status, open.text.includes('role="alert"'), open.text.includes('name="now-cod"')]).toEqual([
    422,
    true,
    true,
  ]);
  expect(readFileSync(path.join(books.folder, 'remit.toml'), 'utf8')).toBe(before);
  const shown = await desk.submit('/maps', { ...answers, 'now-taxes.wht': at('Zakat') });
  expect([shown.status, shown.text.includes('>Import 1 line</button>')]).toEqual([200, true]);
  expect(readFileSync(path.join(books.folder, 'remit.toml'), 'utf8')).toBe(
    before
      .replace('cod = "COD"', 'cod = ["COD", "COD Amount"]')
      .replace('net = "Net"', 'net = ["Net", "Final"]')
      .replace('wht = "WHT 2%"', 'wht = ["WHT 2%", "Zakat"]'),
  );
  const fields = { staged: /name="staged" value="([^"]*)"/.exec(shown.text)![1]!, kind: 'settlement', map: 'cedar' };
  expect((await desk.submit('/imports', fields)).status).toBe(303);
  const report = await books.json<{ new: number }>([
    'import',
    'settlement',
    books.file('older.csv', OLD.replace('118', '117')),
  ]);
  expect(report.new).toBe(1);
  await books.verify();
});

it('a column that is no longer there is taken out of the map only where somebody says so', async () => {
  const gone = OLD.split('\n')
    .map((line) => line.split(',').slice(0, -1).join(','))
    .join('\n')
    .replace('118', '119');
  const asked = await page(await wizard('gone.csv', gone));
  const staged = /name="staged" value="([^"]*)"/.exec(asked.text)![1]!;
  const shown = await desk.submit('/maps', { staged, kind: 'settlement', changes: 'cedar', 'now-net': 'gone' });
  expect(shown.status).toBe(200);
  const settings = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
  expect([settings.includes('net ='), settings.includes('# The one that pays on Thursdays.')]).toEqual([false, true]);
});

it('a table that no map reads is shown as a map would read it, with its totals, before the map is saved', async () => {
  const text = 'Buchung;Betrag;Waehrung;Zweck\n05.11.2026;1.250,00;USD;Cedar\n06.11.2026;-20,50;USD;Gebuehr\n';
  const asked = await page(`${await wizard('bank.csv', text)}&kind=receipts`);
  const staged = /name="staged" value="([^"]*)"/.exec(asked.text)![1]!;
  const columns = { 'column-0': 'date', 'column-1': 'amount', 'column-2': 'currency', 'column-3': 'text' };
  const form = { staged, kind: 'receipts', ...columns, decimal: ',', thousands: '.', account: 'DE-1', name: 'bank' };
  const before = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
  const tried = await desk.submit('/maps', { ...form, date: 'DD.MM.YYYY', delimiter: ';', try: 'true' });
  const cells = [...tried.text.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, cell]) => cell);
  expect([tried.status, cells.slice(8)]).toEqual([
    200,
    [
      ...['5 Nov 2026', '1,250.00', 'USD', 'Cedar'],
      ...['6 Nov 2026', '-20.50', 'USD', 'Gebuehr'],
      ...['USD', '2', '20.50', '1,250.00'],
    ],
  ]);
  expect(tried.text).toContain('name="name" required value="bank"');
  expect(tried.text).toContain(`/maps/new?import=${staged}&amp;kind=receipts&amp;map=&amp;lang=ar`);
  // The wrong order of day and month is seen before anything is saved.
  const wrong = await desk.submit('/maps', { ...form, date: 'MM.DD.YYYY', delimiter: ';', try: 'true' });
  expect(wrong.text).toContain('11 May 2026');
  expect(readFileSync(path.join(books.folder, 'remit.toml'), 'utf8')).toBe(before);
});
