import { explainer, wording } from './explain.ts';

export const RENDERING_ERRORS = {
  'sheet-too-long': wording<{ sheet: string; most: number }>(({ sheet, most }, { text }) => ({
    en: [
      `the sheet ${sheet} would have more than ${most} rows, which no spreadsheet can hold`,
      'Ask for a shorter period, or for the report as CSV.',
    ],
    ar: [
      `ستكون في ورقة ${text(sheet)} أسطر أكثر من ${most}، ولا يسعها أي جدول`,
      'اطلب مدة أقصر، أو التقرير بصيغة CSV.',
    ],
  })),
  'workbook-too-large': wording(() => ({
    en: [
      'the workbook would be larger than 4 GB, which no spreadsheet program reads',
      'Ask for a shorter period, or for the report as CSV.',
    ],
    ar: ['سيكون الملف أكبر من 4 غيغابايت، ولا يقرؤه أي برنامج جداول', 'اطلب مدة أقصر، أو التقرير بصيغة CSV.'],
  })),
  'sheet-name': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [`${JSON.stringify(name)} cannot be the name of a sheet`, 'Report this: it is a fault of remit.'],
    ar: [`${quoted(name)} لا يصلح اسمًا لورقة`, 'أبلغ عن هذا: هو خلل في remit.'],
  })),
  'not-one-month': wording<{ period: string; months: number }>(({ period, months }, { text }) => ({
    en: [`the dashboard shows one month, and ${period} is ${months}`, 'Name a month: 2026-10'],
    ar: [`تقرير «لمحة عن الشهر» يعرض شهرًا واحدًا، وفي ${text(period)} أشهر عددها ${months}`, 'سمِّ شهرًا: 2026-10'],
  })),
  'too-many-digits': wording<{ place: string; amount: string; most: number }>(({ place, amount, most }, { text }) => ({
    en: [
      `${place}: ${amount} has more than the ${most} digits that the export holds exactly`,
      'Correct the amount at its source; nothing of this table was exported.',
    ],
    ar: [
      `${text(place)}: أرقام ${text(amount)} أكثر من ${most}، وهي ما يحفظه التصدير بدقة`,
      'صحّح المبلغ في مصدره؛ لم يُصدَّر شيء من هذا الجدول.',
    ],
  })),
  'wrong-cell': wording<{ place: string; found: string; type: string }>(({ place, found, type }, { text }) => ({
    en: [`${place}: ${found} where ${type} belongs`, 'Run `remit verify --deep` to find what is wrong in the ledger.'],
    ar: [`${text(place)}: ${text(found)} في موضع ${text(type)}`, 'شغّل `remit verify --deep` ليجد الخلل في الدفتر.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const renderingError = explainer('rendering', RENDERING_ERRORS);
