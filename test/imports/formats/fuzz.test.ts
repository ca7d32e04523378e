import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportFileError } from '../../../src/base/errors.ts';
import { readBytes } from '../../../src/imports/formats/read-bytes.ts';
import type { ImportKind } from '../../../src/imports/maps/column-map.ts';
import { bankFile, sheetRow, workbook } from '../../helpers/bank-files.ts';
import { countInputs } from '../../helpers/fuzzed.ts';
import { bookedLines, wrongFigure } from '../../helpers/honest-figures.ts';

/** Set REMIT_FUZZ to run longer: so many variants of each file and kind of damage. */
const RUNS = Number(process.env.REMIT_FUZZ ?? 20);

const LONG = { timeout: 60_000 + 1_000 * RUNS };

/** Set REMIT_FUZZ_FILES to a folder with one folder a format: its files of banks are damaged too. */
const FOLDER = process.env.REMIT_FUZZ_FILES;

const ORDERS = `reference,ordered_on,status,currency,cod,district,note
SO-1,2026-10-01,handed_over,USD,25.00,Beirut,"a, b"
SO-1,2026-10-01,handed_over,LBP,100000,Beirut,
SO-2,2026-10-13,open,USD,0,Tyre,call first
`;
const CASH = `date,amount,currency,text,invoice
2026-10-28,100.00,USD,COD of the courier,10009
2026-10-29,-12.50,USD,Stamps,
2026-10-30,7.25,USD,"Rana, ""Hamra""",10011
`;

/** Formats that say where they end: of these nothing is missing unnoticed. */
const HAS_AN_END = /\.(ofx|xml|xlsx)$/;

type Source = readonly [name: string, kind: ImportKind, bytes: Uint8Array];

const FILES: readonly Source[] = [
  ['month.sta', 'receipts', bankFile('month.sta')],
  ['card-and-bank.ofx', 'receipts', bankFile('card-and-bank.ofx')],
  ['statement.camt.xml', 'receipts', bankFile('statement.camt.xml')],
  ['quicken.qif', 'receipts', bankFile('quicken.qif')],
  ['shopify.csv', 'orders', bankFile('shopify.csv')],
  ['woocommerce.csv', 'orders', bankFile('woocommerce.csv')],
  ['orders.csv', 'orders', Buffer.from(ORDERS)],
  ['cash.csv', 'receipts', Buffer.from(CASH)],
  ['cash-utf16.csv', 'receipts', Buffer.from(`\uFEFF${CASH}`, 'utf16le')],
  [
    'cash.xlsx',
    'receipts',
    workbook([
      {
        name: 'A',
        rows:
          sheetRow(1, 'date', 'amount', 'currency', 'text', 'invoice') + sheetRow(2, '2026-10-01', '1.50', 'USD', 'x'),
      },
    ]),
  ],
  ...(FOLDER === undefined ? [] : filesOf(FOLDER)),
];

function filesOf(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && path.resolve(entry.parentPath) !== path.resolve(folder))
    .map(({ parentPath, name }): Source => [name, 'receipts', readFileSync(path.join(parentPath, name))])
    .filter(([, , bytes]) => bytes.length > 0);
}

/** Reads a file by a map that says no more than it must; null where it is refused with where and what to do. */
function read([name, kind]: Source, bytes: Uint8Array) {
  try {
    return readBytes(kind, bytes, name, { map: { name: 'fuzz', kind, columns: {}, currency: 'USD' } });
  } catch (error) {
    if (error instanceof ImportFileError && error.message.startsWith(name) && error.hint !== '') return null;
    throw error;
  }
}

const count = countInputs('files');

/** Anything but a refusal, or figures that stand in the file, is a bug. */
function readDamaged(source: Source, bytes: Uint8Array) {
  count();
  const file = read(source, bytes);
  if (file === null) return null;
  // What is packed holds its figures out of sight.
  if (!source[0].endsWith('.xlsx')) expect(wrongFigure(file, bytes)).toBeNull();
  return file;
}

describe.each(FILES)('%s, damaged', (...source) => {
  const [, , bytes] = source;

  it('cut off anywhere is refused, or holds the first lines as they are', LONG, () => {
    const whole = read(source, bytes);
    const lines = whole === null ? null : bookedLines(whole);
    fc.assert(
      fc.property(fc.nat(bytes.length), (length) => {
        const cut = readDamaged(source, bytes.subarray(0, length));
        if (cut === null || lines === null) return;
        const left = bookedLines(cut);
        // Nobody can see that the only figure of a column is cut short: it is said that the file ends in it.
        if (cut.notes.some((note) => note.includes('and no line end'))) left.pop();
        expect(left).toEqual(lines.slice(0, left.length));
        if (HAS_AN_END.test(source[0])) expect(left).toEqual(lines);
      }),
      { numRuns: RUNS },
    );
  });

  it('with other bits is refused, or read as it stands', LONG, () => {
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 7 })), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(flips, (bits) => {
        const damaged = Uint8Array.from(bytes);
        for (const [at, bit] of bits) damaged[at]! ^= 1 << bit;
        readDamaged(source, damaged);
      }),
      { numRuns: RUNS },
    );
  });

  it('with pieces moved, doubled or replaced is refused, or read as it stands', LONG, () => {
    const edit = fc.record({
      from: fc.nat(bytes.length),
      length: fc.nat(80),
      to: fc.nat(bytes.length),
      text: fc.string({ maxLength: 8 }),
    });
    fc.assert(
      fc.property(edit, ({ from, length, to, text }) => {
        const piece = bytes.subarray(from, from + length);
        readDamaged(source, Buffer.concat([bytes.subarray(0, to), piece, Buffer.from(text), bytes.subarray(to)]));
        readDamaged(source, Buffer.concat([bytes.subarray(0, from), Buffer.from(text), bytes.subarray(from + length)]));
      }),
      { numRuns: RUNS },
    );
  });
});
