import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedNumbers } from '../../src/matching/invoice-numbers.ts';

const KNOWN = new Set([41, 42, 50, 100, 101, 2026, 10009, 10010, 10011, 10012]);
const named = (text: string) => {
  const { strong, weak } = namedNumbers(text, (number) => KNOWN.has(number));
  return `${strong.join(' ')}|${weak.join(' ')}`;
};

describe('invoice numbers in a text', () => {
  it.each([
    ['10009', '10009|'],
    ['COD remittance 10009 Example Delivery', '10009|'],
    ['10009, 10011', '10009 10011|'],
    ['10009,10011', '10009 10011|'],
    ['10009/10011-10012', '10009 10011 10012|'],
    ['10009 & 10010 and 10011 et 10012', '10009 10010 10011 10012|'],
    ['#10009', '10009|'],
    ['INV-10009', '10009|'],
    ['INV10009;INV10010', '10009 10010|'],
    ['Invoice No. 41', '41|'],
    ['Invoices 41, 42', '41 42|'],
    ['n° 41', '41|'],
    ['№41', '41|'],
    ['41', '41|'],
    ['41 42', '41 42|'],
    ['٤١', '41|'],
    ['فاتورة رقم ١٠٠٠٩، ١٠٠١١', '10009 10011|'],
    ['فاتورة ۱۰۰۰۹', '10009|'],
    ['دفعة \u200f10009\u200e', '10009|'],
    ['１０００９', '10009|'],
    ['payment for 41 orders', '|41'],
    ['October 2026', '|2026'],
    ['payout 2026', '2026|'],
    ['Payouts: 2026, 10009', '2026 10009|'],
    ['الدفعة 2026', '2026|'],
    ['payout 41', '|41'],
    ['payout 41 Oct 2026', '|'],
    ['payout 10/2026', '|'],
    ['2026-10', '|'],
    ['10 October 2026', '|'],
    ['100,101', '|100 101'],
    ['ref 110009', '|'],
    ['ref 100091', '|'],
    ['ref 0010009', '|'],
    ['AB10009', '|'],
    ['10009A', '|'],
    ['casino41', '|'],
    ['10009.50', '|'],
    ['1,041.50', '|'],
    ['10009.500 JOD', '|'],
    ['10009,50', '|'],
    ['paid 10.009,50', '|'],
    ['١٠٠٠٩٫٥٠', '|'],
    ['١٠٬٠٠٩٫٥٠٠ د.أ', '|'],
    ['10009.10011', '10009 10011|'],
    ['10009,101 TND', '|'],
    ['Invoices 41,42 and 10009,50', '41 42 50 10009|'],
    ['10009. 50 orders', '10009|50'],
    ['nº 41', '41|'],
    ['الفاتورة ٤١', '41|'],
    ['سداد للفاتورة ٤١', '41|'],
    ['وفاتورة ٤١ وبالفاتورة ٤٢', '41 42|'],
    ['والفواتير ٤١ و ٤٢', '41 42|'],
    ['بفاتورة رقم ٤١', '41|'],
    ['الرقم ٤١', '41|'],
    ['مفاتورة ٤١', '|41'],
    ['on 2026-10-41', '|'],
    ['on 41/50/2026', '|'],
    ['LB62099900000001001901229114', '|'],
    ['99999', '|'],
    ['', '|'],
  ])('%j names %s', (text, expected) => {
    expect(named(text)).toBe(expected);
  });

  it('are never a part of a longer number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 1, max: 999_999 }), (number, other) => {
        const known = (candidate: number) => candidate === number;
        for (const text of [`${number}${other}`, `${other}${number}`]) {
          if (text === String(number)) continue;
          expect(namedNumbers(text, known)).toEqual({ strong: [], weak: [] });
        }
        const { strong, weak } = namedNumbers(`paid ${number} today`, known);
        expect([...strong, ...weak]).toEqual([number]);
      }),
    );
  });

  it('are found in time in a text without end', () => {
    expect(named(`${'1'.repeat(200_000)} ${'#'.repeat(50_000)} ${'10 '.repeat(50_000)} #10009`)).toBe('10009|');
  });
});
