import { ARABIC } from '../words/arabic.ts';
import { ENGLISH, type Language, type LanguageCode } from '../words/index.ts';

/** The desk has readers of each, so it holds them all. */
const LANGUAGES: Readonly<Record<LanguageCode, Language>> = { en: ENGLISH, ar: ARABIC };

/** The language of a reader. */
export function heldLanguage(code: LanguageCode): Language {
  return LANGUAGES[code];
}
