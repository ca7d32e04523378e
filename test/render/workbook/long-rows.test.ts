import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Column } from '../../../reports/model.ts';
import { type PackedRow, PackedRows, unpacked } from '../../../reports/packed.ts';
import { CountSums } from '../../../reports/sums.ts';
import { accentOf } from '../../../src/render/colour.ts';
import { ENGLISH } from '../../../src/render/language/index.ts';
import { tableSheet } from '../../../src/render/workbook/table-sheet.ts';
import { writeWorkbook } from '../../../src/render/workbook/write.ts';
import { CellDigest } from '../../../src/workbook-mark.ts';
import { readWorkbook } from '../../helpers/workbook.ts';

const COLUMNS: readonly Column[] = [
  { name: 'invoice_number', title: 'Invoice', type: 'number' },
  { name: 'order_id', title: 'Order', type: 'id' },
  { name: 'currency', title: 'Currency', type: 'text' },
  { name: 'delivered_on', title: 'Delivered on', type: 'date' },
  { name: 'orders', title: 'Orders', type: 'count' },
  { name: 'cod', title: 'COD', type: 'money' },
];

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '=1+1',
    'a & b',
    ' blank ',
    'PAID_TO_MERCHANT',
    '_x0041_',
    'x_x0041_',
    '12',
    'طلب',
    '\u0007',
    'é',
    '',
  ),
  fc.string({ minLength: 190, maxLength: 210 }),
);
const count = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, 1, 100, 50_600, 408_750_900, 136_539_200_000, -1, 10_000, 999_999_999_999_999, 1e15, -1e15),
  fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }),
);
const row = fc.tuple(
  fc.integer({ min: 0, max: 1e9 }),
  fc.option(text),
  fc.option(fc.constantFrom('USD', 'LBP')),
  fc.option(fc.constantFrom('2026-10-01', '2026-02-30', 'soon')),
  fc.option(fc.nat()),
  fc.option(count),
) as fc.Arbitrary<PackedRow>;

async function* one<T>(page: T): AsyncGenerator<T> {
  yield page;
}

/** The parts of a workbook with one table, and the digest of its cells. */
async function written(rows: readonly PackedRow[], isLong: boolean) {
  const sums = new CountSums('cod');
  for (const cells of rows) sums.add(cells[2] as string | null, cells, 5);
  const digest = new CellDigest();
  const sheet = await tableSheet({
    name: 'Orders',
    accent: accentOf(null),
    language: ENGLISH,
    columns: COLUMNS,
    rows: isLong ? new PackedRows(COLUMNS, one(rows)) : rows.map((cells) => unpacked(COLUMNS, cells)),
    totals: () => sums.rows(),
  });
  const pieces: Uint8Array[] = [];
  const workbook = { title: 'T', subject: 'S', date: new Date(0), sheets: [sheet], digest };
  for await (const piece of await writeWorkbook(workbook)) pieces.push(piece);
  const { zip } = await readWorkbook(Buffer.concat(pieces));
  const parts = ['xl/worksheets/sheet1.xml', 'xl/styles.xml'].map((part) => zip.file(part)!.async('string'));
  return [...(await Promise.all(parts)), digest.text()];
}

it('writes the rows of a long table as it writes all others, to the byte, with the same digest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
      expect(await written(rows, true)).toEqual(await written(rows, false));
    }),
    { numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 40) },
  );
});

it('remembers no more of a column than it has room for', async () => {
  const rows = Array.from({ length: 5_000 }, (_, at): PackedRow => [at, `A${at}`, 'USD', null, null, at]);
  expect(await written(rows, true)).toEqual(await written(rows, false));
});
