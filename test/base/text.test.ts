import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanLines, cleanText, escapeMarks, fileText, quoted, shellWord } from '../../src/base/text.ts';

/**
 * What no terminal, message or file name may get raw: controls, marks of direction, separators, halves of a character.
 */
const FORBIDDEN =
  /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFFE\uFFFF\u{E0000}-\u{E007F}]/u;

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
const nastyText = fc.string({
  unit: fc.constantFrom(
    'a',
    'ب',
    '😀',
    '\0',
    '\n',
    '\u001b',
    '\u007f',
    '\u009b',
    '\u202e',
    '\ud83d',
    '\udb40',
    '\udc41',
    '\u200b',
    '\ufeff',
    '\u{E0041}',
    '"',
    '\\',
  ),
});

describe('cleanText', () => {
  test.each([
    ['an escape', 'a\u001b[31mb', 'a␛[31mb'],
    ['NUL and DEL', 'a\0b\u007fc', 'a␀b␡c'],
    ['C1', 'a\u009b31mb', 'a�31mb'],
    ['breaks of every kind', 'a\r\nb\tc\u2028d\u2029e\u0085f\vg', 'a b c d e f g'],
    ['bidi controls', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['a byte order mark', '\ufeffa', 'a'],
    ['a half of a character', 'a\ud83db', 'a�b'],
    ['halves around what nobody sees', 'a\udb40\u200b\udc41b', 'a��b'],
    ['tags nobody sees', 'a\u{E0041}\u{E007F}b', 'ab'],
  ])('%s', (_name, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test('leaves names as people write them', () => {
    for (const name of ['Bayt al Zaytoun', 'بيت الزيتون', 'لُبنان', 'می‌خواهم', '👩‍👩‍👧 & Söhne', '日本 – “x”  y']) {
      expect(cleanText(name)).toBe(name);
    }
  });

  test('cuts at max characters, the last of them an ellipsis, and never through one', () => {
    expect(cleanText('abcde', 5)).toBe('abcde');
    expect(cleanText('abcdef', 5)).toBe('abcd…');
    expect(cleanText('😀😀😀', 3)).toBe('😀😀😀');
    expect(cleanText('😀😀😀😀', 3)).toBe('😀😀…');
  });

  test('a text of 50 MB makes a short line', () => {
    expect([...cleanText('x'.repeat(50_000_000))]).toHaveLength(300);
    expect(cleanText('\u200b'.repeat(50_000_000))).toBe('…');
  });

  test('whatever comes in, what comes out is clean, short, and stays as it is', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nastyText), fc.integer({ min: 1, max: 20 }), (text, max) => {
        const clean = cleanText(text, max);
        expect(clean).not.toMatch(FORBIDDEN);
        expect([...clean].length).toBeLessThanOrEqual(max);
        expect(cleanText(clean, max)).toBe(clean);
        expect(cleanText(text, Number.POSITIVE_INFINITY)).not.toMatch(FORBIDDEN);
        expect(fileText(text).replaceAll(/[\t\n\r]/g, '')).not.toMatch(FORBIDDEN);
      }),
    );
  });
});

test('cleanLines keeps breaks and indents, and cleans each line from its beginning', () => {
  expect(cleanLines('a\n  b\u001b\n\n\tc')).toBe('a\n  b␛\n\n\tc');
  for (const mark of ['\f', '\v', '\u2028', '\ufeff', '\r']) {
    expect(cleanLines(`a\n ${mark}b\n${mark}`)).not.toContain(mark);
  }
});

describe('shellWord', () => {
  test.each([
    ['ledger.db', 'ledger.db', 'ledger.db'],
    ['my books', '"my books"', '"my books"'],
    ["it's mine", '"it\'s mine"', '"it\'s mine"'],
    ['$HOME/`id`', `'$HOME/\`id\`'`, '"$HOME/`id`"'],
    ["it's $1", `'it'\\''s $1'`, '"it\'s $1"'],
    ['C:\\books', `'C:\\books'`, 'C:\\books'],
  ])('%s', (text, elsewhere, onWindows) => {
    expect(shellWord(text, 'linux')).toBe(elsewhere);
    expect(shellWord(text, 'win32')).toBe(onWindows);
  });
});

describe('quoted', () => {
  test('writes what a terminal would obey as escapes', () => {
    expect(quoted('\u{E0041}a"\u001b\u009b\u202e\u2028\ud83d')).toBe(
      '"\\udb40\\udc41a\\"\\u001b\\u009b\\u202e\\u2028\\ud83d"',
    );
  });

  test('cuts at max characters', () => {
    expect(quoted('x'.repeat(50_000_000), 4)).toBe('"xxx…"');
  });

  test('whatever comes in, it is clean, and JSON reads it back', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nastyText), (text) => {
        const written = quoted(text, Number.POSITIVE_INFINITY);
        expect(written).not.toMatch(FORBIDDEN);
        expect(JSON.parse(written)).toBe(text);
      }),
    );
  });
});

test('escapeMarks keeps the meaning of a JSON document', () => {
  fc.assert(
    fc.property(fc.jsonValue(), nastyText, (value, text) => {
      const document = JSON.stringify({ value, text });
      expect(JSON.parse(escapeMarks(document))).toEqual(JSON.parse(document));
      expect(escapeMarks(document)).not.toMatch(FORBIDDEN);
    }),
  );
});
