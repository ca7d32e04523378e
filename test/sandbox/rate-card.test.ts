import { describe, expect, test } from 'vitest';
import { quoteFee } from '../../src/sandbox/rules/rate-card.ts';

const order = { workflow: 'STANDARD', district: 'Beirut', date: '2026-10-01' };

describe('the rate card', () => {
  test('prices by workflow, district and date, in exact units', () => {
    expect(quoteFee(order)).toEqual([{ currency: 'USD', units: 30_000n }]);
    expect(quoteFee({ ...order, district: 'Metn' })).toEqual([{ currency: 'USD', units: 37_500n }]);
    expect(quoteFee({ ...order, workflow: 'RETURN' })).toEqual([{ currency: 'USD', units: 25_000n }]);
    expect(quoteFee({ ...order, district: 'Metn', date: '2025-12-31T23:59:59.999999+00:00' })).toEqual([
      { currency: 'USD', units: 35_000n },
    ]);
  });

  test('prices a district that it does not name, and none, as the farthest', () => {
    const remote = [
      { currency: 'USD', units: 60_000n },
      { currency: 'LBP', units: 450_000_000n },
    ];
    expect(['Akkar', 'Atlantis', 'constructor', null].map((district) => quoteFee({ ...order, district }))).toEqual(
      Array(4).fill(remote),
    );
  });

  test('adds a surcharge in pounds on the far roads, and only there', () => {
    expect(quoteFee({ ...order, district: 'Tyre', workflow: 'RETURN' })).toEqual([
      { currency: 'USD', units: 47_500n },
      { currency: 'LBP', units: 450_000_000n },
    ]);
    expect(quoteFee({ ...order, district: 'Jbeil' })).toHaveLength(2);
    expect(quoteFee({ ...order, district: 'Aley' })).toHaveLength(1);
  });

  test('refuses what it has no price for', () => {
    expect(() => quoteFee({ ...order, workflow: 'EXPRESS' })).toThrow(/no rates for the workflow "EXPRESS"/);
    expect(() => quoteFee({ ...order, workflow: 'constructor' })).toThrow(/no rates/);
    expect(() => quoteFee({ ...order, date: 'soon' })).toThrow(/no rates for the date "soon"/);
  });
});
