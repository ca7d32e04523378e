import { sentenceText } from '../../../base/text.ts';

/** Text as a string of CSS, in quotes: it can end neither the string nor the style. */
export function cssString(text: string): string {
  const inner = sentenceText(text).replace(/\s+/g, ' ');
  return `"${inner.replace(/["\\<>&]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;
}
