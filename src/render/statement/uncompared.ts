import type { Language } from '../../words/index.ts';
import type { SaidStatement } from './in-language.ts';

/** What the checks could not compare, a sentence each. */
export function uncomparedLines({ uncompared }: SaidStatement, { say }: Language): string[] {
  return uncompared.map((sentence) => {
    const text = say(sentence);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  });
}
