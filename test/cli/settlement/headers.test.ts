import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar } from '../../helpers/settlements.ts';

const TOML = `time_zone = "UTC"\n[couriers.cedar]\nkind = "files"\nmap = "cedar" # theirs\n${CEDAR}`;
const OLD = cedar(
  '118,2026-10-12,Unpaid,C-1,SO-1,Delivery,90.00,3.00,1.00,0.50,85.50',
  '118,2026-10-12,Unpaid,C-2,SO-2,Delivery,40.00,3.00,,0.50,36.50',
);
const RENAMED = OLD.replaceAll('118', '119').replace(',COD,', ',COD Amount,').replace(',Net', ',Net payable');

function sheetBooks(): OwnBooks {
  const books = ownBooks('', new Date('2026-11-20T09:00:00Z'));
  books.file('remit.toml', TOML);
  return books;
}

it('--explain says which column becomes which field, with the first values, and writes nothing', async () => {
  const books = sheetBooks();
  const file = books.file(
    'old.csv',
    OLD.replace('Your ref', 'Your ref,Branch').replaceAll('SO-1', 'SO-1,North').replaceAll('SO-2', 'SO-2,South'),
  );
  const explained = await books.json<{ columns: object[] }>(['import', 'settlement', file, '--explain']);
  expect(explained).toMatchObject({
    file,
    kind: 'settlement',
    map: 'cedar',
    unused: [{ header: 'Branch', values: ['North', 'South'] }],
  });
  expect(explained.columns).toContainEqual({ field: 'cod', header: 'COD', values: ['90.00', '40.00'] });
  expect(explained.columns).toContainEqual({ field: 'charges.handling', header: 'COD %', values: ['1.00'] });
  const { code, stdout } = await books.remit(['import', 'settlement', file, '--explain']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('cod               "COD": 90.00 · 40.00\n')]);
  expect(existsSync(path.join(books.folder, 'ledger.db'))).toBe(false);
  const bank = books.file('bank.csv', 'date,amount,currency,text,invoice\n2026-10-28,7.00,USD,Cedar,\n');
  expect(await books.json(['import', 'receipts', bank, '--explain'])).toMatchObject({ map: 'cash-book', unused: [] });
  const ofx = await books.remit(['import', 'receipts', books.file('bank.ofx', '<OFX></OFX>'), '--explain']);
  expect([ofx.code, ofx.stderr]).toEqual([1, expect.stringContaining('it is ofx, which has no columns')]);
});

it('--explain shows no totals row among the values', async () => {
  const books = sheetBooks();
  const file = books.file('old.csv', `${OLD}Total,,,,,,130.00,6.00,1.00,1.00,122.00\n`);
  const { columns } = await books.json<{ columns: { field: string; values: string[] }[] }>([
    'import',
    'settlement',
    file,
    '--explain',
  ]);
  const valuesOf = (name: string) => columns.find(({ field }) => field === name)!.values;
  expect([valuesOf('invoice'), valuesOf('cod')]).toEqual([['118'], ['90.00', '40.00']]);
});

it('a renamed sheet is refused with the map to paste, which reads it and the sheets before', async () => {
  const books = sheetBooks();
  await books.json(['import', 'settlement', books.file('old.csv', OLD)]);
  for (const more of [[], ['--explain']]) {
    const file = books.file('new.csv', RENAMED);
    const refused = await books.remit(['import', 'settlement', file, ...more]);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('no column "COD", "Net" that the map "cedar" names');
    expect(refused.stderr).toContain('cod = ["COD", "COD Amount"], net = ["Net", "Net payable"] }');
  }
  const { stderr } = await books.remit(['import', 'settlement', 'new.csv', '--json']);
  const { hint } = JSON.parse(stderr).error as { hint: string };
  const map = hint.slice(hint.indexOf('[maps.cedar]'));
  books.file('remit.toml', TOML.replace(CEDAR, `${map}\n`));
  await books.json(['import', 'settlement', 'new.csv']);
  // The map has gained a header: the sheet of before is the same still.
  const again = await books.remit(['import', 'settlement', 'old.csv']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('already imported')]);
  const two = books.file('two.csv', RENAMED.replaceAll('119', '120').replace('Your ref', 'COD'));
  expect((await books.remit(['import', 'settlement', two])).stderr).toContain('"COD" and "COD Amount" are both "cod"');
  await books.verify();
});

it('on a terminal the map is changed in its place once a person agrees', async () => {
  const books = sheetBooks();
  const file = books.file('new.csv', RENAMED.replace('Net payable', 'Final'));
  const typed = [
    ['Which column holds the net', 'Final'],
    ['change the map cedar in remit.toml', 'y'],
  ] as const;
  const done = await books.remit(['import', 'settlement', file], { typed });
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('change the map cedar in remit.toml')]);
  expect(readFileSync(path.join(books.folder, 'remit.toml'), 'utf8')).toBe(
    TOML.replace('cod = "COD"', 'cod = ["COD", "COD Amount"]').replace('net = "Net"', 'net = ["Net", "Final"]'),
  );
});
