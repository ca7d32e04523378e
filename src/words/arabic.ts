import { REPORTS } from '../../reports/index.ts';
import { AR, AR_DATES, AR_SMALL_WORDS } from './ar.ts';
import { AR_READ_BACK, AR_TABLES } from './ar-tables.ts';
import { sayInArabic } from './errors/index.ts';
import { makeLanguage } from './language.ts';

const titles = Object.fromEntries(REPORTS.map(({ name, titleIn }) => [name, titleIn.ar]));

export const ARABIC = makeLanguage({
  code: 'ar',
  dates: AR_DATES,
  rightToLeft: true,
  smallWords: AR_SMALL_WORDS,
  words: AR,
  sayError: sayInArabic,
  tables: { ...AR_TABLES, titles: { ...titles, ...AR_TABLES.titles } },
  readBack: AR_READ_BACK,
});
