import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fourSidedBooks } from '../helpers/four-sides.ts';
import { hasOpenpyxl, readByOpenpyxl, withSheet } from '../helpers/office.ts';
import { named, readWorkbook } from '../helpers/workbook.ts';

interface Written {
  readonly file: string;
  readonly files: readonly { readonly currency: string; readonly file: string }[];
}

const FIGURES = ['COD', 'DELIVERY_FEES', 'NET_DUE', 'OUTSTANDING', 'COURIER', 'OURS', 'UNEXPLAINED', 'SHORT'];
/** The clock of the books. */
const NOW = '2026-11-20T10:00:00Z';
const namesOf = (files: Written['files']) => files.map(({ file }) => path.basename(file));

it('is a workbook a currency, each with the figures of the whole and nothing of another, from which decisions come back', async () => {
  const { books } = await fourSidedBooks();
  const whole = await readWorkbook(readFileSync((await books.json<Written>(['statement', '2026-10'])).file));
  const { files } = await books.json<Written>(['statement', '2026-10', '--split', 'currency']);
  expect(namesOf(files)).toEqual(['2026-10-LBP.xlsx', '2026-10-USD.xlsx']);
  const bytes = new Map(files.map(({ currency, file }) => [currency, readFileSync(file)]));
  for (const [currency, content] of bytes) {
    const book = await readWorkbook(content);
    for (const name of FIGURES) {
      const [here, there] = [book, whole].map((each) => named(each, `${currency}_${name}`)!);
      expect([currency, name, here!.value, here!.formula === null]).toEqual([
        currency,
        name,
        there!.value,
        there!.formula === null,
      ]);
    }
    expect(named(book, `${currency}_OURS`)?.formula).toMatch(/^ROUND\(SUMIFS\('Orders'!/);
    const other = currency === 'USD' ? 'LBP' : 'USD';
    // What was paid in another currency than it was to be is told in both: that is what is wrong.
    const hasOther = (text: string) => text.includes(other) && !/was to bring .* and brought .* instead/.test(text);
    const cells = [...book.sheets.values()].flatMap((sheet) => [...sheet.values()]);
    expect(cells.filter(({ value, formula }) => hasOther(`${value} ${formula}`))).toEqual([]);
    expect([...book.names.keys()].filter((name) => name.startsWith(other))).toEqual([]);
    if (hasOpenpyxl) {
      const read = Object.values(readByOpenpyxl(content)).flatMap((sheet) => Object.values(sheet));
      expect(read.filter(({ value, cached }) => hasOther(`${value} ${cached}`))).toEqual([]);
    }
  }

  // Written again they are the same bytes, which nobody has touched.
  await books.json(['statement', '2026-10', '--split', 'currency']);
  for (const { currency, file } of files) expect(readFileSync(file).equals(bytes.get(currency)!)).toBe(true);

  const { file } = files.find(({ currency }) => currency === 'USD')!;
  const worked = await withSheet(bytes.get('USD')!, 6, (xml) =>
    xml.replace(/(<c r="H2"[^>]*><v>)open(<\/v>)/, '$1acknowledged$2'),
  );
  writeFileSync(file, worked);
  const refused = await books.remit(['statement', '2026-10', '--split', 'currency']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('2026-10-USD.xlsx is left as it is')]);
  expect(readFileSync(file).equals(worked)).toBe(true);
  expect(await books.json(['import', 'resolutions', file])).toMatchObject({ changed: 1, conflicts: [] });

  const out = await books.json<Written>([
    'statement',
    '2026-10',
    '--split',
    'currency',
    '--out',
    'x.xlsx',
    '--lang',
    'ar',
  ]);
  expect(namesOf(out.files)).toEqual(['x-LBP.xlsx', 'x-USD.xlsx']);
  const range = await books.json<{ statements: Written[] }>([
    ...['statement', '--from', '2026-09', '--to', '2026-10', '--split', 'currency', '--quiet'],
  ]);
  expect(range.statements.map((one) => namesOf(one.files))).toEqual(
    ['2026-09', '2026-10'].map((month) => [`${month}-LBP.xlsx`, `${month}-USD.xlsx`]),
  );

  // What was known then is split alike, beside the month's own files; so is what an auditor is handed.
  const past = await books.json<Written>(['statement', '2026-10', '--split', 'currency', '--as-of', NOW]);
  const stamp = NOW.replaceAll(':', '');
  expect(namesOf(past.files)).toEqual(['LBP', 'USD'].map((code) => `2026-10 as of ${stamp}-${code}.xlsx`));
  const present = ['statement', '2026-10', '--split', 'currency', '--out', 'now.xlsx'];
  const now = (await books.json<Written>(present)).files.map((one) => readFileSync(one.file));
  expect(past.files.map((one, i) => readFileSync(one.file).equals(now[i]!))).toEqual([true, true]);
  const pack = ['statement', '--close-pack', '2026-10', '--split', 'currency', '--out', 'pack'];
  const { code, stdout } = await books.remit([...pack, '--json']);
  const { folder, files: packed } = JSON.parse(stdout) as { folder: string; files: { name: string }[] };
  expect([code, packed.map(({ name }) => name).filter((name) => name.endsWith('.xlsx'))]).toEqual([
    0,
    ['2026-10-LBP.xlsx', '2026-10-USD.xlsx'],
  ]);
  const same = ['LBP', 'USD'].map((each, i) => readFileSync(path.join(folder, `2026-10-${each}.xlsx`)).equals(now[i]!));
  expect(same).toEqual([true, true]);
  expect(await books.json(['verify', folder])).toMatchObject({ ok: true, in_ledger: true, problems: [] });
  await books.verify();
});
