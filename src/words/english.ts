import type { Explanation } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';
import { makeLanguage } from './language.ts';
import { EN, EN_SMALL_WORDS } from './sentences.en.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The month of a date (ISO). */
function nameOf(date: string): string {
  return MONTHS[Number(date.slice(5, 7)) - 1]!;
}

/** English: the command line and everything that other programs read. */
export const ENGLISH = makeLanguage({
  code: 'en',
  dates: {
    month: (month) => `${nameOf(month)} ${month.slice(0, 4)}`,
    day: (day) => `${Number(day.slice(8))} ${nameOf(day)}`,
  },
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
