import { sayInArabic } from './errors/index.ts';
import { makeLanguage } from './language.ts';
import { AR, AR_SMALL_WORDS } from './sentences.ar.ts';

/** With figures in the digits of the cells beside them. */
const LOCALE = 'ar-LB-u-nu-latn';
const MONTHS = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAYS = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const ARABIC = makeLanguage({
  code: 'ar',
  dates: {
    month: (month) => MONTHS.format(new Date(`${month}-01T00:00:00Z`)),
    day: (day) => DAYS.format(new Date(`${day}T00:00:00Z`)),
  },
  rightToLeft: true,
  smallWords: AR_SMALL_WORDS,
  words: AR,
  sayError: sayInArabic,
});
