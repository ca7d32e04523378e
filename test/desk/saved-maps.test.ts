import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

let books: OwnBooks;
let desk: RunningDesk;

beforeEach(async () => {
  books = await deskBooks('[receipts]\npayers = ["Cedar Road"]');
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(() => desk.stop());

it('a file is recognised by the map that was kept; where several fit, somebody is asked which', async () => {
  const mapOf = (name: string, currency: string) =>
    `[maps.${name}]\nkind = "receipts"\ncolumns = { date = "Valuta", amount = "Betrag" }\ndate = "DD.MM.YYYY"\ndecimal = ","\ncurrency = "${currency}"\n`;
  const toml = path.join(books.folder, 'remit.toml');
  const settings = readFileSync(toml, 'utf8');
  const file = {
    'newbank.csv': 'Valuta;Betrag;Zweck\n28.10.2026;97,00;Cedar Road 10001\n30.10.2026;5,00;Cedar Road\n',
  };
  const previewed = async (fields = {}) =>
    JSON.parse((await desk.upload('/api/v1/imports?preview=1', file, fields, 'application/json')).text);
  writeFileSync(toml, `${settings}\n${mapOf('lb77', 'USD')}`);
  expect(await previewed()).toMatchObject({ kind: 'receipts', lines: 2, new: 2, refusals: [] });
  const kept = books.file('newbank.csv', file['newbank.csv']);
  const explained = await books.remit(['import', 'receipts', kept, '--explain', '--json']);
  expect(JSON.parse(explained.stdout)).toMatchObject({ map: 'lb77' });
  expect((await books.remit(['import', 'receipts', kept])).code).toBe(0);
  expect(await previewed()).toMatchObject({ lines: 2, new: 0, held: 2 });
  await books.verify();
  writeFileSync(toml, `${settings}\n${mapOf('lb77', 'USD')}\n${mapOf('lbp', 'LBP')}`);
  const asked = await previewed();
  expect(asked.refusals).toEqual([{ code: 'usage', why: 'newbank.csv has the columns of several maps: lb77, lbp' }]);
  expect(await previewed({ map: 'lb77' })).toMatchObject({ held: 2, refusals: [] });
});
