import type { Explanation } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';
import { EN, EN_AGES, EN_DATES, EN_FIGURES, EN_READ_BACK, EN_SMALL_WORDS } from './en.ts';
import { makeLanguage } from './language.ts';

/** English: the command line and everything that other programs read. */
export const ENGLISH = makeLanguage({
  code: 'en',
  dates: EN_DATES,
  rightToLeft: false,
  smallWords: EN_SMALL_WORDS,
  words: EN,
  // Reports name their columns in English.
  tables: { titles: {}, headings: {}, cells: { bucket: EN_AGES, figure: EN_FIGURES } },
  readBack: EN_READ_BACK,
});

/** Says a sentence in English. */
export const say = ENGLISH.say;

/** A sentence as a part of what an error says. */
export function explained(sentence: Sentence): Explanation {
  return { sentence, message: say(sentence), hint: '' };
}
