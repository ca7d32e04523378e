import { type LanguageCode, READ_BACK } from '../../workbook-words.ts';
import { sayArabicMismatch } from './arabic/checks.ts';
import { ARABIC, type Phrase } from './arabic/phrases.ts';
import { tellInArabic } from './arabic/sentences.ts';

export type { LanguageCode, Phrase };

/** What stands in a phrase's `{places}`. */
export type Values = Readonly<Record<string, string | number>>;

/** The language of a workbook. The English phrase is its own key: one that the other language lacks is a fault of types. */
export interface Language {
  readonly code: LanguageCode;
  readonly rightToLeft: boolean;
  /** A phrase of the renderer's own. */
  readonly say: (phrase: Phrase, values?: Values) => string;
  /** A text that a report or a check made: as it is where the language does not know it, so that nothing is lost. */
  readonly tell: (text: string) => string;
  /** What a mismatch's sentence is; with the code, which says what it is about. */
  readonly message: (code: string, sentence: string) => string;
  /** `2026-10` in words. */
  readonly month: (month: string) => string;
  readonly statuses: (typeof READ_BACK)[LanguageCode]['statuses'];
}

const PLACE = /\{(\w+)\}/g;

function filled(text: string, values: Values = {}): string {
  return text.replace(PLACE, (place, name: string) => String(values[name] ?? place));
}

function monthIn(locale: string): Language['month'] {
  return (month) =>
    new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${month}-01T00:00:00Z`),
    );
}

export const ENGLISH: Language = {
  code: 'en',
  rightToLeft: false,
  say: filled,
  tell: (text) => text,
  message: (_, sentence) => sentence,
  month: monthIn('en'),
  statuses: READ_BACK.en.statuses,
};

const ARABIC_LANGUAGE: Language = {
  code: 'ar',
  rightToLeft: true,
  say: (phrase, values) => filled(ARABIC[phrase], values),
  tell: tellInArabic,
  message: sayArabicMismatch,
  // Figures are written in the digits of the cells beside them.
  month: monthIn('ar-LB-u-nu-latn'),
  statuses: READ_BACK.ar.statuses,
};

/** The language that a statement is asked for in. */
export function languageOf(code: LanguageCode): Language {
  return code === 'ar' ? ARABIC_LANGUAGE : ENGLISH;
}
