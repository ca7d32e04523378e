import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import { amountOfUnits } from '../../src/money/units.ts';
import { type ParquetCell, type ParquetColumn, parquetPieces, writeParquet } from '../../src/render/parquet.ts';
import { duckdb, hasDuckDb, WITHOUT_DUCKDB } from '../helpers/duckdb.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'remit-parquet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS: ParquetColumn[] = [
  { name: 'number', type: 'integer' },
  { name: 'order_id', type: 'text' },
  { name: 'reference_id', type: 'text', nullable: true },
  { name: 'cod', type: 'money' },
  { name: 'delivery_fee', type: 'money', nullable: true },
];
const LARGEST = 10n ** 18n - 1n;

const units = fc.oneof(fc.bigInt({ min: -LARGEST, max: LARGEST }), fc.constantFrom(0n, 1n, -1n, LARGEST, -LARGEST));
const row = fc.tuple(
  fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.string({ unit: 'grapheme' }),
  fc.option(fc.constantFrom('', '007', '=1+1', 'مرجع', '2026-10-09T10:00:00+03:00')),
  units,
  fc.option(units),
);

type Rows = readonly (readonly ParquetCell[])[];

async function bytesOf(batches: readonly Rows[], columns = COLUMNS): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of parquetPieces({ name: 'orders', columns, batches })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Reads the integers as they are stored: the reader would make floats of decimals. */
async function readBack(bytes: Uint8Array): Promise<{ readonly rows: unknown[][]; readonly types: unknown[] }> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const metadata = parquetMetadata(file);
  const types = metadata.schema.slice(1).map((one) => [one.name, one.converted_type, one.precision, one.scale]);
  for (const element of metadata.schema) {
    if (element.converted_type !== 'DECIMAL') continue;
    delete element.converted_type;
    delete element.logical_type;
  }
  const rows = await parquetReadObjects({ file, metadata });
  return { rows: rows.map((one) => COLUMNS.map(({ name }) => one[name] ?? null)), types };
}

describe('a table as Parquet', () => {
  it('gives back every cell, money to the last digit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 4 }), async (batches) => {
        const { rows } = await readBack(await bytesOf(batches));
        expect(rows).toEqual(batches.flat().map(([number, ...rest]) => [BigInt(number), ...rest]));
      }),
      { numRuns: 200 },
    );
  });

  it('says of money that it is DECIMAL(18,4)', async () => {
    const { types } = await readBack(await bytesOf([[[1, 'A', null, 5n, null]]]));
    expect(types[3]).toEqual(['cod', 'DECIMAL', 18, 4]);
    expect(types[1]).toEqual(['order_id', 'UTF8', undefined, undefined]);
  });

  it('holds more rows than a group, in their order, and none at all', async () => {
    const many = Array.from({ length: 120_001 }, (_, at): ParquetCell[] => [at, `A${at % 7}`, null, BigInt(at), null]);
    const { rows } = await readBack(
      await bytesOf([many.slice(0, 49_999), many.slice(49_999, 50_001), many.slice(50_001)]),
    );
    expect(rows).toHaveLength(120_001);
    expect(rows.every(([number, , , cod], at) => number === BigInt(at) && cod === BigInt(at))).toBe(true);
    expect((await readBack(await bytesOf([]))).rows).toEqual([]);
  });

  it('is the same file for the same rows', async () => {
    const batches: Rows[] = [[[1, 'A', 'x', 5n, null]]];
    expect(await bytesOf(batches)).toEqual(await bytesOf(batches));
  });

  it.each([LARGEST + 1n, -LARGEST - 1n])('refuses %s units, which it would change', async (cod) => {
    await expect(bytesOf([[[1, 'A', null, 5n, null]], [[2, 'B', null, cod, null]]])).rejects.toThrow(
      `orders.cod, row 2: ${cod < 0n ? '-' : ''}100,000,000,000,000.00 has more than the 18 digits`,
    );
  });

  it.each([
    ['orders.number, row 1: the number 1.5 where integer belongs', [1.5, 'A', null, 5n, null]],
    ['where integer belongs', [2n ** 63n, 'A', null, 5n, null]],
    ['orders.order_id, row 1: number where text belongs', [1, 7, null, 5n, null]],
    ['orders.cod, row 1: number where money belongs', [1, 'A', null, 5, null]],
    ['orders.cod, row 1: string where money belongs', [1, 'A', null, '5.00', null]],
    ['orders.order_id, row 1: nothing where text belongs', [1, null, null, 5n, null]],
    ['orders.cod, row 1: nothing where money belongs', [1, 'A']],
  ] as const)('refuses a row: %s', async (message, cells) => {
    await expect(bytesOf([[cells]])).rejects.toThrow(message);
  });

  it('leaves no file behind when it is refused', async () => {
    const target = path.join(folder, 'refused.parquet');
    const table = { name: 'orders', columns: COLUMNS, batches: [[[1, 'A', null, 10n ** 18n, null]]] };
    await expect(writeParquet(target, table)).rejects.toThrow('orders.cod, row 1');
    expect(existsSync(target)).toBe(false);
  });
});

describe.skipIf(!hasDuckDb)(`DuckDB${WITHOUT_DUCKDB}`, () => {
  it('sums the same figures', async () => {
    const target = path.join(folder, 'orders.parquet');
    const rows = fc.sample(row, { numRuns: 3_000, seed: 5 }).map(([, ...rest], at): ParquetCell[] => [at, ...rest]);
    await writeParquet(target, { name: 'orders', columns: COLUMNS, batches: [rows] });
    const query = `select count(*), sum(cod), sum(delivery_fee), typeof(any_value(cod)), count(reference_id) from 'orders.parquet'`;
    const sum = (at: number) =>
      amountOfUnits(rows.reduce((total, cells) => total + ((cells[at] as bigint | null) ?? 0n), 0n)).toFixed(4);
    const references = rows.filter((cells) => cells[2] !== null).length;
    expect(duckdb(query, folder)).toEqual([['3000', sum(3), sum(4), 'DECIMAL(18,4)', String(references)]]);
  });
});
