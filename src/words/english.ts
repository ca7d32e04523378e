import type { Explanation } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';
import { makeLanguage } from './language.ts';
import { EN, EN_DATES, EN_SMALL_WORDS } from './sentences.en.ts';

/** English: the command line and everything that other programs read. */
export const ENGLISH = makeLanguage({
  code: 'en',
  dates: EN_DATES,
  rightToLeft: false,
  smallWords: EN_SMALL_WORDS,
  words: EN,
});

/** Says a sentence in English. */
export const say = ENGLISH.say;

/** A sentence as a part of what an error says. */
export function explained(sentence: Sentence): Explanation {
  return { sentence, message: say(sentence), hint: '' };
}
