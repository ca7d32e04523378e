import { sayInArabic } from './errors/index.ts';
import { makeLanguage } from './language.ts';
import { AR, AR_DATES, AR_SMALL_WORDS } from './sentences.ar.ts';

export const ARABIC = makeLanguage({
  code: 'ar',
  dates: AR_DATES,
  isRightToLeft: true,
  smallWords: AR_SMALL_WORDS,
  words: AR,
  sayError: sayInArabic,
});
