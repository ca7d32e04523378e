import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readBytes } from '../../../src/books/formats/index.ts';
import type { ImportKind } from '../../../src/books/maps/index.ts';
import { ImportFileError } from '../../../src/errors.ts';
import { bankFile, sheetRow, workbook } from '../../helpers/bank-files.ts';

/** Set REMIT_FUZZ to run longer: so many variants of each file. */
const RUNS = Number(process.env.REMIT_FUZZ ?? 60);

const FILES: readonly [name: string, kind: ImportKind, bytes: Uint8Array][] = [
  ['month.sta', 'receipts', bankFile('month.sta')],
  ['card-and-bank.ofx', 'receipts', bankFile('card-and-bank.ofx')],
  ['statement.camt.xml', 'receipts', bankFile('statement.camt.xml')],
  ['quicken.qif', 'receipts', bankFile('quicken.qif')],
  ['shopify.csv', 'orders', bankFile('shopify.csv')],
  ['woocommerce.csv', 'orders', bankFile('woocommerce.csv')],
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
];

/** Reads a damaged file: anything but a result or an error that says where and what to do is a bug. */
function readDamaged(kind: ImportKind, bytes: Uint8Array, name: string): void {
  try {
    readBytes(kind, bytes, name, { map: { name: 'fuzz', kind, columns: {}, currency: 'USD' } });
  } catch (error) {
    if (!(error instanceof ImportFileError) || error.message === '' || error.hint === '') throw error;
  }
}

describe.each(FILES)('%s, damaged', (name, kind, bytes) => {
  it('cut off anywhere is read or refused', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length), (length) => readDamaged(kind, bytes.subarray(0, length), name)),
      { numRuns: RUNS },
    );
  });

  it('with other bits is read or refused', () => {
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 7 })), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(flips, (bits) => {
        const damaged = Uint8Array.from(bytes);
        for (const [at, bit] of bits) damaged[at]! ^= 1 << bit;
        readDamaged(kind, damaged, name);
      }),
      { numRuns: RUNS },
    );
  });

  it('with pieces moved, doubled or replaced is read or refused', () => {
    const edit = fc.record({
      from: fc.nat(bytes.length),
      length: fc.nat(80),
      to: fc.nat(bytes.length),
      text: fc.string({ maxLength: 8 }),
    });
    fc.assert(
      fc.property(edit, ({ from, length, to, text }) => {
        const piece = bytes.subarray(from, from + length);
        readDamaged(kind, Buffer.concat([bytes.subarray(0, to), piece, Buffer.from(text), bytes.subarray(to)]), name);
        readDamaged(
          kind,
          Buffer.concat([bytes.subarray(0, from), Buffer.from(text), bytes.subarray(from + length)]),
          name,
        );
      }),
      { numRuns: RUNS },
    );
  });
});
