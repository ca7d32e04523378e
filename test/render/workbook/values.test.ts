import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnLetters, exactNumber, wallTime, workbookText } from '../../../src/render/workbook/values.ts';

/** Digits as units of the last decimal, written as a plain decimal. */
function decimal(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return units < 0n ? `-${whole}` : whole;
}

describe('an amount as a number', () => {
  it('is exactly the amount, for everything of up to 15 digits', () => {
    const most = 10n ** 15n - 1n;
    fc.assert(
      fc.property(fc.bigInt(-most, most), fc.integer({ min: 0, max: 4 }), (units, decimals) => {
        const number = exactNumber(decimal(units, decimals));
        // What a spreadsheet does: take the number's 15 significant digits.
        const shown = Number(number!.toPrecision(15));
        expect(decimal(BigInt(Math.round(shown * 10 ** decimals)), decimals)).toBe(decimal(units, decimals));
      }),
    );
  });

  it.each([
    '12345678901234567.50',
    '-1234567890123456',
    '0.1234567890123456',
    '922337203685477.5807',
    `9${'0'.repeat(30)}`,
  ])('is refused for %s, which a spreadsheet would change', (text) => {
    expect(exactNumber(text)).toBeNull();
  });

  it.each([
    ['123456789012345.00', 123456789012345],
    ['1000000000000000000.00', 1e18],
    ['0.00', 0],
    ['-0.05', -0.05],
  ])('holds %s', (text, number) => {
    expect(exactNumber(text)).toBe(number);
  });
});

describe('text in a cell', () => {
  it('is cut at the limit, never through a character', () => {
    expect(workbookText('x'.repeat(32_767))).toHaveLength(32_767);
    const cut = workbookText('😀'.repeat(20_000));
    expect(cut.length).toBeLessThanOrEqual(32_767);
    expect(cut).toMatch(/^(?:😀)+…$/u);
  });

  it('has no control characters and one kind of line break', () => {
    expect(workbookText('a\u0000b\u001bc\r\nd\re\nf\tg\uFFFF')).toBe('abc\nd\ne\nf\tg');
  });
});

describe('the time of a timestamp', () => {
  it.each([
    ['2026-10-31T23:59:59.999999+03:00', '2026-10-31T23:59:59.000Z'],
    ['2026-10-31T23:59:59-11:00', '2026-10-31T23:59:59.000Z'],
    ['2026-10-31', '2026-10-31T00:00:00.000Z'],
    ['2024-02-29 12:00', '2024-02-29T12:00:00.000Z'],
  ])('of %s is as it is written', (text, iso) => {
    expect(wallTime(text)?.toISOString()).toBe(iso);
  });

  it.each(['2026-02-30T00:00:00Z', '2026-13-01', 'yesterday', '', '1899-01-01'])('is none for %j', (text) => {
    expect(wallTime(text)).toBeNull();
  });
});

it('names columns as spreadsheets do', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});
