import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseList } from '../../src/api/cut-list.ts';
import { parseJson } from '../../src/api/json.ts';
import { decodeList, readList } from '../../src/api/list.ts';
import { sliceItems } from '../../src/api/slice-items.ts';

/** The raw items by the decoder; null where it finds no list. */
function itemsOf(body: Buffer): unknown[] | null {
  try {
    const document = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
    return decodeList(Type.Unknown(), document).items.map(({ raw }) => raw);
  } catch {
    return null;
  }
}

function slicesOf(body: Buffer): unknown[] | null {
  const ranges = sliceItems(body);
  return ranges?.map(({ start, end }) => JSON.parse(body.toString('utf8', start, end))) ?? null;
}

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });

/** A text as JSON may write it: any of its characters as an escape. */
const jsonText = (text: string): fc.Arbitrary<string> =>
  fc.infiniteStream(fc.boolean()).map((coins) => {
    const units = text.split('').map((unit) => {
      const plain = JSON.stringify(unit).slice(1, -1);
      return coins.next().value ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : plain;
    });
    return `"${units.join('')}"`;
  });

/** A value as JSON may write it, with white space wherever it may be. */
function jsonOf(value: unknown): fc.Arbitrary<string> {
  const padded = (inner: fc.Arbitrary<string>) => fc.tuple(space, inner, space).map((parts) => parts.join(''));
  if (Array.isArray(value)) return padded(fc.tuple(...value.map(jsonOf)).map((parts) => `[${parts.join(',')}]`));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, inner]) =>
      fc.tuple(padded(jsonText(name)), jsonOf(inner)).map((member) => member.join(':')),
    );
    return padded(fc.tuple(...members).map((parts) => `{${parts.join(',')}}`));
  }
  return padded(typeof value === 'string' ? jsonText(value) : fc.constant(JSON.stringify(value)));
}

const item = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.record({ results: fc.jsonValue({ maxDepth: 2 }), order_id: fc.string({ unit: 'binary' }) }),
);
const list = fc.array(item, { maxLength: 5 });
const wrapped = (results: fc.Arbitrary<unknown>) =>
  fc.record(
    { count: fc.nat(), previous: fc.jsonValue({ maxDepth: 1 }), results, next: fc.constantFrom(null, '?page=2') },
    { requiredKeys: ['results'] },
  );
const nested = fc.oneof(
  list,
  fc.array(list, { maxLength: 3 }),
  fc.array(wrapped(list), { maxLength: 3 }),
  fc.array(fc.oneof(list, wrapped(list), item), { maxLength: 3 }),
);
const document = fc.oneof(nested, wrapped(nested), wrapped(wrapped(nested)), fc.jsonValue());

describe('the byte ranges of the items of a list', () => {
  test('hold what decodeList reads, in any form, order, white space and escapes', () => {
    fc.assert(
      fc.property(
        document.chain(jsonOf).map((json) => Buffer.from(json)),
        fc.boolean(),
        (json, mark) => {
          const body = mark ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json]) : json;
          expect(slicesOf(body)).toEqual(itemsOf(body));
        },
      ),
      { numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 500) },
    );
  });

  test('are exact: no blank before or after', () => {
    const body = Buffer.from('{ "results" : [ {"a": "]}\\"" } ,\n 7 , "é" ] }');
    expect(sliceItems(body)?.map(({ start, end }) => body.toString('utf8', start, end))).toEqual([
      '{"a": "]}\\"" }',
      '7',
      '"é"',
    ]);
  });

  test('of a member that is there twice are those of the last, as JSON.parse has it', () => {
    expect(slicesOf(Buffer.from('{"results":[1],"r\\u0065sults":[2,3]}'))).toEqual([2, 3]);
    expect(slicesOf(Buffer.from('{"results":[1],"results":null}'))).toBeNull();
    expect(slicesOf(Buffer.from('[{"results":[1],"results":[2]}]'))).toEqual([2]);
  });

  test.each([
    '',
    ' ',
    '{}',
    '{"results":{}}',
    '{"results":3}',
    '"results"',
    '{"results":[1',
    '{"results":[1}',
    '[1]]',
    '{"a"}',
    '["',
  ])('of %j there are none', (text) => {
    expect(sliceItems(Buffer.from(text))).toBeNull();
  });

  test('are found below any depth', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const body = Buffer.from(`{"results":[{"a":${deep}},2]}`);
    expect(sliceItems(body)).toHaveLength(2);
    expect(sliceItems(Buffer.from(deep))).toHaveLength(1);
  });

  test('whatever bytes come, it ends', () => {
    const bits = fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', 'results', '"results":', ' ', '1', 'null');
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (parts) => {
        const body = Buffer.from(parts.join(''));
        const items = itemsOf(body);
        if (items !== null) expect(slicesOf(body)).toEqual(items);
        else sliceItems(body);
      }),
      { numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 500) },
    );
  });
});

describe('a list that is parsed without the items that are known', () => {
  /** What a walk reads of a page, or why it does not. */
  const listOf = (value: () => unknown) => {
    try {
      const { items, count, next } = readList(value());
      return { places: items.map(({ place }) => place), count, next };
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('has the same count, next and places as the whole document, and the same items where they are read', () => {
    fc.assert(
      fc.property(document.chain(jsonOf), fc.infiniteStream(fc.boolean()), (json, coins) => {
        const body = Buffer.from(json);
        const whole = parseJson(body);
        const list = parseList(body, () => (coins.next().value ? 'known' : undefined));
        expect(listOf(() => list.value)).toEqual(listOf(() => whole.value));
        const raw = itemsOf(body);
        for (const [index, { json: read }] of (raw === null ? [] : (list.cut?.items ?? [])).entries()) {
          if (read !== null) expect(read.value).toEqual(raw?.[index]);
        }
      }),
      { numRuns: Number(process.env.REMIT_FUZZ_RUNS ?? 500) },
    );
  });

  test.each([
    '{"results":[{"a":tru}]}',
    '{"results":[{}],"count":01}',
    '{"results":[{"a":"\n"}]}',
    '{"results":[7 8]}',
  ])('is no JSON where an item, or what stands around them, is none: %s', (text) => {
    expect(() => parseList(Buffer.from(text), () => undefined)).toThrow(SyntaxError);
  });
});
