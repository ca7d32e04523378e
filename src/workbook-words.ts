/**
 * The words of a statement's workbook that are read back from it, in every language in which it is written. Written by the renderer,
 * read by `remit import resolutions`.
 */

export type LanguageCode = 'en' | 'ar';

/** The sheet that people work in, its columns, and the statuses that they choose from. */
interface ReadBack {
  readonly sheet: string;
  readonly columns: { readonly id: string; readonly status: string; readonly note: string };
  readonly statuses: { readonly open: string; readonly acknowledged: string; readonly resolved: string };
}

/** By language. */
export const READ_BACK: Readonly<Record<LanguageCode, ReadBack>> = {
  en: {
    sheet: 'Mismatches',
    columns: { id: 'Id', status: 'Status', note: 'Note' },
    statuses: { open: 'open', acknowledged: 'acknowledged', resolved: 'resolved' },
  },
  ar: {
    sheet: 'الفروقات',
    columns: { id: 'المعرّف', status: 'الحالة', note: 'ملاحظة' },
    statuses: { open: 'مفتوح', acknowledged: 'تم الاطلاع', resolved: 'محلول' },
  },
};
