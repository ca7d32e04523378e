import { describe, expect, it } from 'vitest';
import { isSamePerson, mixedWord } from '../../src/base/names.ts';

describe('a name', () => {
  it.each([
    ['case', 'RANA'],
    ['space', ' rana  '],
    ['width', 'Ｒana'],
    ['a zero-width joiner', 'ra\u200Dna'],
    ['a zero-width space', 'ra\u200Bna'],
    ['a soft hyphen', 'ra\u00ADna'],
    ['a variation selector', 'rana\uFE0F'],
    ['a Hangul filler', 'rana\u3164'],
    ['a tag character', 'rana\u{E0061}'],
    ['a Cyrillic а', 'r\u0430na'],
    ['Cyrillic letters alone', '\u0433\u0430n\u0430'.replace('\u0433', 'r')],
    ['mathematical letters', '𝐫𝐚𝐧𝐚'],
    ['a combining mark that joins', 'ra\u034Fna'],
    ['a tatweel', 'ra\u0640na'],
  ])('is that of one person with %s', (_, other) => {
    expect(isSamePerson('Rana', other)).toBe(true);
  });

  it('is that of another person where it looks another', () => {
    for (const [a, b] of [
      ['rana', 'rama'],
      ['Karim', 'Karima'],
      ['رنا', 'رنى'],
      ['José', 'Jose'],
    ] as const) {
      expect([a, b, isSamePerson(a, b)]).toEqual([a, b, false]);
    }
  });

  it('mixes no alphabets within a word', () => {
    expect(mixedWord('Rana Kh\u043Eury')).toBe('Kh\u043Eury');
    expect(mixedWord('rana رنا')).toBeUndefined();
    for (const name of [
      'رنا خوري',
      'Анна',
      'Zoë Ünal',
      '渡辺さん',
      'O’Neill-2',
      '김민수',
      'サーラ',
      'Лук\u02BCян',
      'محـمد',
    ]) {
      expect([name, mixedWord(name)]).toEqual([name, undefined]);
    }
  });

  it('is that of the same person however long it is drawn', () => {
    expect(isSamePerson('محمد', 'محـــمد')).toBe(true);
  });

  it('does not hide a second alphabet behind a letter that several share', () => {
    expect(mixedWord('\u0430\u02BCx')).toBe('\u0430\u02BCx');
    expect(mixedWord('a\u30FCサ')).toBe('a\u30FCサ');
  });
});
