import type { Explanation } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';
import { textApart } from './direction.ts';
import { type Language, makeLanguage } from './language.ts';
import { EN, EN_DATES, EN_SMALL_WORDS } from './sentences.en.ts';

/** The language of the command line and of everything that other programs read. */
export const ENGLISH = makeLanguage({
  code: 'en',
  dates: EN_DATES,
  isRightToLeft: false,
  smallWords: EN_SMALL_WORDS,
  words: EN,
});

export const say = ENGLISH.say;

export { type Language, textApart };

/** Makes an explanation of a sentence, so that it can be a part of an error. */
export function explained(sentence: Sentence): Explanation {
  return { sentence, message: say(sentence), hint: '' };
}

/** The languages of statements and of the desk. All but English are loaded only when they are needed. */
const LANGUAGES = {
  en: async () => ENGLISH,
  ar: async () => (await import('./sentences.ar.ts')).ARABIC,
} as const satisfies Readonly<Record<string, () => Promise<Language>>>;

export type LanguageCode = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[];

export function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(LANGUAGES, code);
}

export function languageOf(code: LanguageCode): Promise<Language> {
  return LANGUAGES[code]();
}
