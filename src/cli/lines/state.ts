import { cleanText } from '../../base/text.ts';
import { ENGLISH } from '../../words/index.ts';

/** A status or state of the courier's, as every page says it: `Pending payment`. */
export function stateText(word: string): string {
  return ENGLISH.state(cleanText(word));
}
