import type { Texts } from '../../base/sentence.ts';

/** What to do about a file: the same for many faults. */
export const DAMAGED: Texts = { en: 'The file is damaged: export it again.', ar: 'الملف تالف: صدّره من جديد.' };
export const DAMAGED_OR_CUT: Texts = {
  en: 'The file is damaged or cut off: export it again.',
  ar: 'الملف تالف أو مقطوع: صدّره من جديد.',
};
export const CUT_OR_DAMAGED: Texts = {
  en: 'The file is cut off or damaged: export it again.',
  ar: 'الملف مقطوع أو تالف: صدّره من جديد.',
};
export const CUT: Texts = { en: 'The file is cut off: export it again.', ar: 'الملف مقطوع: صدّره من جديد.' };
export const NOTHING_TO_BOOK: Texts = {
  en: 'There is nothing to book: export it again.',
  ar: 'لا شيء فيه ليُقيَّد: صدّره من جديد.',
};
export const DOWNLOAD_AGAIN: Texts = {
  en: 'Download the file again; if it stays so, ask the bank.',
  ar: 'نزّل الملف من جديد؛ فإن بقي كذلك فاسأل المصرف.',
};
export const DAMAGED_ARCHIVE: Texts = {
  en: 'The file is damaged or cut off: download or save it again.',
  ar: 'الملف تالف أو مقطوع: نزّله أو احفظه من جديد.',
};
export const DO_NOT_OPEN: Texts = {
  en: 'No workbook of a bank or shop is like this: do not open it, and ask the sender.',
  ar: 'لا مصنّف لمصرف أو متجر كهذا: لا تفتحه، واسأل المرسل.',
};
export const SAVE_WITH_EXCEL: Texts = {
  en: 'Save it as .xlsx with Excel or LibreOffice, or as CSV.',
  ar: 'احفظه بصيغة \u2068.xlsx\u2069 ببرنامج Excel أو LibreOffice، أو بصيغة CSV.',
};
export const SAVE_AS_XLSX: Texts = { en: 'Save it as .xlsx or as CSV.', ar: 'احفظه بصيغة \u2068.xlsx\u2069 أو CSV.' };
export const WITHOUT_PASSWORD: Texts = { en: 'Save it without a password.', ar: 'احفظه دون كلمة سر.' };
export const NAME_ENCODING: Texts = {
  en: 'Save the file as UTF-8, or name its encoding in a map: encoding = "windows-1256" (Arabic Windows), "windows-1252" (Western Windows), "iso-8859-6", "cp720" or "cp864" (Arabic DOS).',
  ar: 'احفظ الملف بترميز UTF-8، أو سمِّ ترميزه في خريطة: \u2068encoding = "windows-1256"\u2069 (ويندوز العربي)، أو \u2068"windows-1252"\u2069 (ويندوز الغربي)، أو \u2068"iso-8859-6"\u2069، أو \u2068"cp720"\u2069 أو \u2068"cp864"\u2069 (دوس العربي).',
};
export const EXPORT_IN_PARTS: Texts = {
  en: 'Export it in parts, a month or a year each.',
  ar: 'صدّره على أجزاء، شهرًا شهرًا أو سنة سنة.',
};
