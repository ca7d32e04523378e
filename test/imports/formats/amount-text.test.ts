import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, refusal } from '../../helpers/bank-files.ts';

const quotedCell = (text: string) => `"${text.replaceAll('"', '""')}"`;
/** The amounts of a cash book, as it was read. */
const amounts = (texts: readonly string[], map = {}, currency = 'USD') =>
  read(
    'receipts',
    `date,amount,currency,text,invoice\n${texts.map((text) => `2026-10-01,${quotedCell(text)},${currency},x,`).join('\n')}`,
    'book.csv',
    Object.keys(map).length === 0 ? null : map,
  ).statements.flatMap(({ lines }) => lines.map(({ amount }) => amount));
const refused = (texts: readonly string[], map = {}, currency = 'USD') =>
  refusal(
    'receipts',
    `date,amount,currency,text,invoice\n${texts.map((text) => `2026-10-01,${quotedCell(text)},${currency},x,`).join('\n')}`,
    'book.csv',
    Object.keys(map).length === 0 ? null : map,
  );

describe('an amount as people and banks write it', () => {
  it.each([
    ['12.50', '12.50'],
    ['-12.5', '-12.50'],
    ['1200', '1200.00'],
    ['+7', '7.00'],
    ['.50', '0.50'],
    ['-.5', '-0.50'],
    ['0,125', '0.125'],
    ['1234,567', '1234.567'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1,234,567', '1234567.00'],
    ['12,34,567.80', '1234567.80'],
    ["1'234.50", '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u00A0234', '1234.00'],
    ['1\u202F234,5', '1234.50'],
    ['(1,234.50)', '-1234.50'],
    ['$(12.50)', '-12.50'],
    ['- $220.00', '-220.00'],
    ['-$220.00', '-220.00'],
    ['$ -220.00', '-220.00'],
    ['12.50-', '-12.50'],
    ['\u221212.50', '-12.50'],
    ["'579,68 USD", '579.68'],
    ['USD 579.68', '579.68'],
    ['US$12.00', '12.00'],
    ['12.00 CR', '12.00'],
    ['12.00DR', '-12.00'],
    ['\u200F\u0661\u0662\u066B\u0665', '12.50'],
    ['\u0661\u066C\u0662\u0663\u0664', '1234.00'],
    ['\u06F1\u06F2.\u06F5', '12.50'],
    ['007.10', '7.10'],
    ['-0.00', '0.00'],
  ])('%j is %s', (text, amount) => {
    expect(amounts([text])).toEqual([amount]);
  });

  it('reads the Arabic name of a currency, with its points, before the digits', () => {
    expect(amounts(['\u200Fد.ا.\u200F 12.50', 'د.ا.7.25'], {}, 'JOD')).toEqual(['12.50', '7.25']);
  });

  it.each([
    '',
    '12.3x',
    '1e5',
    '0x1f',
    '--5',
    '(-5)',
    '1,23,4',
    '1.2.3,4,5',
    '12 500 00',
    '=1+2',
    '12.50 kg',
    'N/A',
    '5%',
    '٫٬',
    '1.2٫3',
    '1,,5',
  ])('%j is refused with its line, never a nought', (text) => {
    const error = refused(['1.50', text]);
    expect(error.line).toBe(3);
    expect(error.column).toBe('amount');
  });

  it('refuses what can be read in two ways, with the map that decides it', () => {
    const error = refused(['1,234', '5']);
    expect(error.message).toBe(
      'book.csv, line 2, amount: "1,234" can be read in two ways, and no other amount says which',
    );
    expect(error.map).toContain('[maps.mine]\nkind = "receipts"\ndecimal = "."\nthousands = ","');
    expect(refused(['7', '1.234']).line).toBe(3);
  });

  it('takes what the map says', () => {
    expect(amounts(['1,234'], { decimal: '.' })).toEqual(['1234.00']);
    expect(amounts(['1,234'], { decimal: ',' })).toEqual(['1.234']);
    expect(amounts(['1.234'], { thousands: '.' })).toEqual(['1234.00']);
    expect(refused(['12,50'], { decimal: '.', thousands: ',' }).message).toContain('decimal sign is "."');
    expect(refused(["1'234.50"], { decimal: '.', thousands: ',' }).line).toBe(2);
  });

  it('takes what another amount of the file decides', () => {
    expect(amounts(['1,234', '1,234.50'])).toEqual(['1234.00', '1234.50']);
    expect(amounts(['1.234', '7,50'])).toEqual(['1234.00', '7.50']);
    expect(refused(['12,50', '12.50']).message).toContain('has another decimal sign than the amounts before it');
  });

  it('refuses more than the ledger holds', () => {
    expect(refused(['1.00001']).message).toContain('beyond what the ledger holds');
    expect(refused(['99999999999999999999']).message).toContain('beyond what the ledger holds');
    expect(amounts(['1.12340000'])).toEqual(['1.1234']);
  });

  it('refuses a currency beside the amount that another one contradicts', () => {
    expect(refused(['12.50 EUR']).message).toContain('is in EUR where USD is stated');
    expect(refused(['$12.50'], {}, 'LBP').message).toContain('is in $ where LBP is stated');
    expect(amounts(['€12.50'], {}, 'EUR')).toEqual(['12.50']);
    expect(amounts(['$12.50 CAD'], {}, 'CAD')).toEqual(['12.50']);
    expect(refused(['$12.50 EUR'], {}, 'EUR').line).toBe(2);
  });

  it('reads back every amount in every style', () => {
    const styles = [
      { decimal: '.', thousands: ',' },
      { decimal: ',', thousands: '.' },
      { decimal: ',', thousands: ' ' },
      { decimal: '.', thousands: "'" },
    ] as const;
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...styles),
        fc.boolean(),
        (cents, { decimal, thousands }, named) => {
          const plain = cents.map((one) => {
            const digits = String(one < 0n ? -one : one).padStart(3, '0');
            return { sign: one < 0n ? '-' : '', whole: digits.slice(0, -2), part: digits.slice(-2) };
          });
          const texts = plain.map(
            ({ sign, whole, part }) => `${sign}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, thousands)}${decimal}${part}`,
          );
          expect(amounts(texts, named ? { decimal, thousands } : {})).toEqual(
            plain.map(({ sign, whole, part }) => `${sign}${whole}.${part}`),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('never reads an amount as another one, whichever characters it holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."0123456789.,-+ ()$€'CDR٣٫٬\u200F"), maxLength: 14 }),
        (text) => {
          let amount: string | undefined;
          try {
            [amount] = amounts([text]);
          } catch {
            return;
          }
          const digits = text.replace(/[٣]/g, '3').replace(/\D/g, '');
          expect(amount!.replace(/\D/g, '').replace(/^0+|0+$/g, '')).toBe(digits.replace(/^0+|0+$/g, ''));
        },
      ),
      { numRuns: 500 },
    );
  });
});
