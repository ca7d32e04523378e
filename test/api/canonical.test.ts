import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, canonicalOrder } from '../../src/api/canonical.ts';
import { ContractError } from '../../src/base/errors.ts';

/** The same value with the fields of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, turned(inner)]),
  );
}

describe('canonicalJson', () => {
  test('says the same of the same, in any order of fields, and is JSON of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        const value: unknown = JSON.parse(JSON.stringify(any));
        expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  test('sorts every name as text, numbers and __proto__ too', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2,"10":3,"9":4,"a":[{"d":5,"c":null}]}'))).toBe(
      '{"10":3,"9":4,"__proto__":2,"a":[{"c":null,"d":5}],"b":1}',
    );
  });

  test('tells apart what differs', () => {
    expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }));
    expect(canonicalJson([1, [2]])).not.toBe(canonicalJson([[1], 2]));
  });

  test('refuses a value nested 100,000 deep by name, not by the stack', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(() => canonicalJson(deep)).toThrow(ContractError);
    expect(() => canonicalJson(deep)).toThrow(/500 levels/);
  });
});

describe("an order's fingerprint", () => {
  const at = (host: string, fields: object = {}) => ({
    order_id: '86DW546HQX',
    tracking_link: `http://${host}/track/86DW546HQX`,
    order_url: `http://${host}/v1/external/orders/86DW546HQX/`,
    source_url: 'https://shop.example/7',
    cod: [['USD', '25.00']],
    ...fields,
  });

  test('is the same on another host and port', () => {
    expect(canonicalOrder(at('127.0.0.1:4001'))).toBe(canonicalOrder(at('api.example:443')));
    expect(canonicalOrder(at('127.0.0.1:4001'))).not.toContain('127.0.0.1');
  });

  test.each([{ cod: [['USD', '25.01']] }, { source_url: 'https://shop.example/8' }, { new_field: 1 }])(
    'is another when %j',
    (fields) => {
      expect(canonicalOrder(at('x', fields))).not.toBe(canonicalOrder(at('x')));
    },
  );

  test('of what is no object is its JSON', () => {
    expect(canonicalOrder('nonsense')).toBe('"nonsense"');
    expect(canonicalOrder([{ tracking_link: 1 }])).toBe('[{"tracking_link":1}]');
  });
});
