import { textApart } from './direction.ts';
import { ENGLISH, explained, say } from './english.ts';
import type { Language } from './language.ts';

export { ENGLISH, explained, type Language, say, textApart };

/** Every language in which a statement is written. A new one is a file here and a line; all but English are loaded when they are asked for. */
const LANGUAGES = {
  en: async () => ENGLISH,
  ar: async () => (await import('./arabic.ts')).ARABIC,
} as const satisfies Readonly<Record<string, () => Promise<Language>>>;

export type LanguageCode = keyof typeof LANGUAGES;

/** The codes of all languages. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[];

/** Whether remit speaks a language. */
export function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(LANGUAGES, code);
}

/** The language of a code. */
export function languageOf(code: LanguageCode): Promise<Language> {
  return LANGUAGES[code]();
}
