import { describe, expect, it } from 'vitest';
import { FiledMap } from '../../src/base/sqlite/filed-map.ts';

describe('a map that moves into a file when it grows', () => {
  it.each([
    ['in memory', 1_000],
    ['in a file from the first entry on', 0],
    ['that moves half way', 7],
  ])('holds what a map holds: %s', (_, most) => {
    const filed = new FiledMap<number | string>(most);
    const map = new Map<string, number | string>();
    const keys = ['b', 'a', '', 'ä', "a'; drop table entry; --", 'ab', 'B', '\u{1f600}', 'a', '01', '1', 'b'];
    for (const [index, key] of keys.entries()) {
      const value = index % 2 === 0 ? index : `${index} ${key}`;
      filed.set(key, value);
      map.set(key, value);
      expect([filed.size, filed.get(key)]).toEqual([map.size, value]);
    }
    expect(new Map(filed.entries())).toEqual(map);
    expect([filed.has('b'), filed.has('c'), filed.get('c')]).toEqual([true, false, undefined]);
    filed.clear();
    expect([filed.size, [...filed.entries()], filed.has('b')]).toEqual([0, [], false]);
    filed.set('c', 1);
    expect([...filed.entries()]).toEqual([['c', 1]]);
  });

  it('gives entries of more pages than one, each once', () => {
    const filed = new FiledMap<number>(0);
    for (let index = 0; index < 12_000; index += 1) filed.set(`${index}`, index);
    const seen = new Map(filed.entries());
    expect([seen.size, seen.get('11999'), seen.get('0')]).toEqual([12_000, 11_999, 0]);
  });
});
