import { cleanText } from '../../base/text.ts';
import { languageOf } from '../../words/index.ts';

/** A status or state of the courier's, as every page says it: `Pending payment`. */
export function stateText(word: string): string {
  return languageOf('en').state(cleanText(word));
}
