import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellDigest, formatMark, parseMark } from '../../src/base/workbook-mark.ts';

const cell = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }));

function digestOf(cells: readonly (string | number)[]): string {
  const digest = new CellDigest();
  for (const one of cells) {
    if (typeof one === 'number') digest.addNumber(one);
    else digest.add(one);
  }
  return digest.text();
}

describe('the digest of cells', () => {
  it('does not mind their order, marks and empty cells', () => {
    fc.assert(
      fc.property(fc.array(cell), (cells) => {
        const mark = formatMark({ month: '2026-10', status: 'draft', head: null, cells: digestOf(cells) });
        expect(digestOf([...cells].reverse().concat('', mark))).toBe(digestOf(cells));
      }),
    );
  });

  it('tells one more, one less and another', () => {
    fc.assert(
      fc.property(fc.array(cell), fc.string({ minLength: 1 }), (cells, typed) => {
        fc.pre(typed.trim() !== '');
        expect(digestOf([...cells, typed])).not.toBe(digestOf(cells));
        expect(digestOf([...cells, typed])).not.toBe(digestOf([...cells, `${typed}!`]));
      }),
    );
    expect(digestOf([1])).not.toBe(digestOf(['1']));
  });

  it('takes a float for the number that was meant', () => {
    expect(digestOf([4.1])).toBe(digestOf([4.0999999999999996]));
    expect(digestOf([46323.41666666667])).toBe(digestOf([46323.41666666666]));
    expect(digestOf([0.01])).not.toBe(digestOf([0.02]));
  });
});

describe('the mark', () => {
  it('reads back as it was written, and nothing else does', () => {
    const head = { id: 57, chain: 'ab'.repeat(32) };
    const cells = digestOf(['a']);
    expect(parseMark(formatMark({ month: '2026-10', status: 'draft', head, cells }))).toEqual({
      month: '2026-10',
      status: 'draft',
      evidence: 57,
      chain: 'ab'.repeat(8),
      cells,
    });
    expect(parseMark(formatMark({ month: '2026-10', status: 'draft', head: null, cells }))).toMatchObject({
      evidence: 0,
      chain: '',
    });
    fc.assert(fc.property(fc.string(), (text) => parseMark(text) === null));
  });
});
