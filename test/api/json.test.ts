import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentFault } from '../../src/api/decode.ts';
import { MAX_LEVELS, parseJson } from '../../src/api/json.ts';
import { decodeList } from '../../src/api/list.ts';
import { ContractError } from '../../src/base/errors.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a body', () => {
  test('is parsed as JSON.parse does, whatever it holds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (json) => {
        const { value, levels, deepItems } = parseJson(Buffer.from(json));
        expect(value).toEqual(JSON.parse(json));
        expect(levels).toBeLessThanOrEqual(MAX_LEVELS);
        expect(deepItems.size).toBe(0);
      }),
    );
  });

  test('with brackets, commas and quotes inside its texts is not deep', () => {
    const text = JSON.stringify({ a: '[['.repeat(500), 'b{{"\\': ',"[{\\'.repeat(500) });
    expect(parseJson(Buffer.from(text))).toMatchObject({ value: JSON.parse(text), levels: 1 });
  });

  test.each(['', '[', '[}', '{"a":', '"', '"\\', 'nul', '[1]]', nested(100).slice(1)])(
    '%j is a SyntaxError',
    (text) => {
      expect(() => parseJson(Buffer.from(text))).toThrow(SyntaxError);
    },
  );

  test('that is not UTF-8 is a SyntaxError', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(SyntaxError);
  });

  test('of millions of values is refused before anything is built of it, and stays on the error', () => {
    // It does not close: if it were parsed first, it would be a SyntaxError.
    const body = Buffer.from(`[${'[],'.repeat(4_000_000)}1`);
    const error = catchError(() => parseJson(body));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toBe('more than 2,000,000 values in one document of 11.4 MB');
    expect((error as ContractError).body).toBe(body);
  });
});

describe('what is nested too deep', () => {
  test.each([MAX_LEVELS, MAX_LEVELS + 1, 20_000, 900_000])('%i levels in a document', (levels) => {
    const json = parseJson(Buffer.from(nested(levels)));
    expect(json.levels).toBe(levels);
    expect(documentFault(Type.Unknown(), json)?.reason).toBe(
      levels > MAX_LEVELS ? 'the document is nested more than 64 levels deep' : undefined,
    );
  });

  test.each([
    ['flat', (items: string) => `{"count":3,"results":[${items}]}`],
    ['array', (items: string) => `{"count":3,"results":[[${items}]]}`],
    ['wrapper', (items: string) => `{"count":3,"results":[{"results":[${items}]}]}`],
    ['object', (items: string) => `{"count":3,"results":{"count":3,"results":[${items}]}}`],
  ])('in an item leaves the others readable, and its own fields (%s)', (_, wrap) => {
    const deep = `{"order_id":"B","x":[1,${nested(20_000)},{"y":${nested(300)}}],"z":"]"}`;
    const json = parseJson(
      Buffer.from(wrap(`{"order_id":"A"},${deep},{"order_id":"C","x":${nested(MAX_LEVELS - 1)}}`)),
    );
    const { items, count } = decodeList(Type.Object({ order_id: Type.String() }), json.value, json.deepItems);
    expect(count).toBe(3);
    expect(items.map(({ ok, raw }) => [ok, (raw as { order_id: string }).order_id])).toEqual([
      [true, 'A'],
      [false, 'B'],
      [true, 'C'],
    ]);
    expect(items[1]).toMatchObject({
      fault: { message: expect.stringMatching(/^results.*\[1\]: nested more than 64/) },
    });
    expect(items[1]?.raw).toMatchObject({ z: ']' });
  });

  test('beside the items is left out, and the items are read', () => {
    const json = parseJson(Buffer.from(`{"meta":${nested(5_000)},"results":[{"a":1}]}`));
    expect(decodeList(Type.Object({ a: Type.Integer() }), json.value, json.deepItems).items).toMatchObject([
      { ok: true },
    ]);
  });
});

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a failure');
}
