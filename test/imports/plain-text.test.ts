import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainText } from '../../src/imports/formats/text-forms.ts';

it.each([
  [' Cedar\tDELIVERY  Ltd ', 'cedar delivery ltd'],
  ['Ｃｅｄａｒ', 'cedar'],
  ['ce\u200bdar', 'cedar'],
  ['', ''],
])('%j is compared as %j', (text, plain) => {
  expect(plainText(text)).toBe(plain);
});

it('the short way leads where the long one does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      // A mark that nobody sees makes it a text that is not plain.
      expect(plainText(text)).toBe(plainText(`\u200b${text}`));
    }),
  );
});
