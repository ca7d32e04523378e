import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { fitted, rulerFor } from '../../src/render/terminal-table.ts';

it('a text is measured as wide as a terminal shows it, whichever ruler is taken for it', async () => {
  const wrong: string[] = [];
  for (let code = 0x20; code < 0x3000; code += 1) {
    const text = `a${String.fromCodePoint(code)}b`;
    if (code >= 0x7f && code < 0xa0) continue;
    if ((await rulerFor([[text]])).width(text) !== stringWidth(text)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

it('is cut between letters, in any script', async () => {
  const name = async (text: string, columns: number) => fitted(text, columns, 'left', await rulerFor([[text]]));
  expect(await name('Büro – Nord', 8)).toBe('Büro – …');
  expect(await name('Büro', 6)).toBe('Büro  ');
  expect(await name('👨‍👩‍👧 family', 5)).toBe('👨‍👩‍👧 f…');
  expect(await name('日本語テキスト', 6)).toBe('日本… ');
  expect(await name('ab', 1)).toBe('…');
});
