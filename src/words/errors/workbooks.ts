import { type ErrorSpeech, explainer, plain, wording } from './explain.ts';
import {
  CUT,
  DAMAGED,
  DAMAGED_ARCHIVE,
  DAMAGED_OR_CUT,
  DO_NOT_OPEN,
  NAME_ENCODING,
  NOTHING_TO_BOOK,
  SAVE_AS_XLSX,
  SAVE_WITH_EXCEL,
  WITHOUT_PASSWORD,
} from './remedies.ts';

function exportAs(formats: readonly string[]): string {
  const read = new Intl.ListFormat('en-GB').format(formats);
  return `It is none of the formats that are read (${read}): export it as one of these.`;
}

function asInArabic(formats: readonly string[], list: ErrorSpeech['list']): string {
  return `ليس من الصيغ التي تُقرأ (${list(formats)}): صدّره بإحداها.`;
}

/** The Arabic of the kind of file that a file's ending promises, if that is no name (`camt`), by its English. */
const PROMISED: Readonly<Record<string, string>> = { 'a workbook': 'مصنّف' };

/** @param part of an archive; empty for a file that is none */
function within(part: string): string {
  return part === '' ? '' : `its part ${part}: `;
}

function inPart(part: string, text: ErrorSpeech['text']): string {
  return part === '' ? '' : `الجزء ${text(part)}: `;
}

/** Why a file's kind, encoding, archive or XML cannot be read. */
export const WORKBOOKS_ERRORS = {
  'bytes-mean-nothing': wording<{ encoding: string }>(({ encoding }, { quoted }) => ({
    en: [`it holds bytes that mean nothing in ${quoted(encoding)}`, NAME_ENCODING.en],
    ar: [`فيه بايتات لا معنى لها في ${quoted(encoding)}`, NAME_ENCODING.ar],
  })),
  'encoding-unsaid': wording(() => ({
    en: ['it is not UTF-8, and nothing says which encoding it has', NAME_ENCODING.en],
    ar: ['ليس بترميز UTF-8، ولا شيء يذكر ترميزه', NAME_ENCODING.ar],
  })),
  'says-utf8': plain('it says that it is UTF-8 and is not', 'يذكر أنه بترميز UTF-8 وليس كذلك', NAME_ENCODING),
  utf32: wording(() => ({
    en: ['it is UTF-32', 'Save the file as UTF-8.'],
    ar: ['ترميزه UTF-32', 'احفظ الملف بترميز UTF-8.'],
  })),
  'holds-nul': wording(() => ({
    en: ['it holds NUL bytes, which no text does', 'The file is damaged or of another kind: export it again.'],
    ar: ['فيه بايتات NUL، ولا نص فيه مثلها', 'الملف تالف أو من نوع آخر: صدّره من جديد.'],
  })),
  'utf16-cut': plain('it is UTF-16 and ends within a character', 'ترميزه UTF-16 وينتهي داخل حرف', CUT),
  'no-utf16': plain('it looks like UTF-16 and is not', 'يبدو بترميز UTF-16 وليس كذلك', NAME_ENCODING),
  'encoding-unknown': wording<{ encoding: string }>(({ encoding }, { quoted }) => ({
    en: [`its encoding ${quoted(encoding)} is not known`, NAME_ENCODING.en],
    ar: [`ترميزه ${quoted(encoding)} غير معروف`, NAME_ENCODING.ar],
  })),
  empty: plain('it is empty', 'الملف فارغ', NOTHING_TO_BOOK),
  packed: wording<{ by: string }>(({ by }, { text }) => ({
    en: [`it is packed (${by})`, 'Unpack it first.'],
    ar: [`هو مضغوط (${text(by)})`, 'فكّه أولًا.'],
  })),
  picture: wording<{ kind: string; formats: readonly string[] }>(({ kind, formats }, { list, text }) => ({
    en: [`it is a picture (${kind})`, exportAs(formats)],
    ar: [`هو صورة (${text(kind)})`, asInArabic(formats, list)],
  })),
  xlsb: plain('it is a binary workbook (XLSB)', 'هو مصنّف ثنائي (XLSB)', SAVE_AS_XLSX),
  'open-document': plain('it is an OpenDocument file', 'هو ملف OpenDocument', SAVE_AS_XLSX),
  zip: wording(() => ({
    en: ['it is a zip archive', 'Unpack it and import the files in it.'],
    ar: ['هو أرشيف zip', 'فكّه واستورد ما فيه من ملفات.'],
  })),
  'workbook-locked': wording(() => ({
    en: ['it is a workbook that is locked with a password', WITHOUT_PASSWORD.en],
    ar: ['هو مصنّف مقفل بكلمة سر', WITHOUT_PASSWORD.ar],
  })),
  'old-excel': wording((_, { text }) => ({
    en: ['it is a workbook of old Excel (.xls)', 'Open it in Excel or LibreOffice and save it as .xlsx or as CSV.'],
    ar: [`هو مصنّف Excel قديم (${text('.xls')})`, `افتحه في Excel أو LibreOffice واحفظه بصيغة ${text('.xlsx')} أو CSV.`],
  })),
  'web-page': wording(() => ({
    en: [
      'it is a web page, not a file of figures',
      "Most likely it is the bank's error or login page: download the file again.",
    ],
    ar: ['هو صفحة ويب، لا ملف أرقام', 'الأرجح أنها صفحة خطأ أو دخول من موقع المصرف: نزّل الملف من جديد.'],
  })),
  json: wording<{ formats: readonly string[] }>(({ formats }, { list }) => ({
    en: ['it is JSON', exportAs(formats)],
    ar: ['هو ملف JSON', asInArabic(formats, list)],
  })),
  'other-message': wording<{ message: string }>(({ message }, { text }) => ({
    en: [`it is a ${message} message, not a statement`, 'Ask the bank for camt.053, the statement.'],
    ar: [`هو رسالة ${text(message)}، لا كشف`, `اطلب من المصرف ${text('camt.053')}، وهو الكشف.`],
  })),
  'excel-2003': plain('it is a workbook of Excel 2003 as XML', 'هو مصنّف Excel 2003 بصيغة XML', SAVE_AS_XLSX),
  'unknown-xml': wording<{ formats: readonly string[] }>(({ formats }, { list }) => ({
    en: ['it is XML of a kind that is not known', exportAs(formats)],
    ar: ['هو ملف XML من نوع غير معروف', asInArabic(formats, list)],
  })),
  'name-says': wording<{ format: string }>(({ format }, { text }) => ({
    en: [`its name says ${format} and its content does not`, DAMAGED_OR_CUT.en],
    ar: [`اسمه يدلّ على ${PROMISED[format] ?? text(format)} ومضمونه ليس كذلك`, DAMAGED_OR_CUT.ar],
  })),
  'no-text': wording<{ formats: readonly string[] }>(({ formats }, { list }) => ({
    en: ['this is not a text file', exportAs(formats)],
    ar: ['هذا ليس ملفًا نصيًا', asInArabic(formats, list)],
  })),
  'unknown-kind': wording<{ begins: string; formats: readonly string[] }>(({ begins, formats }, { quoted, list }) => ({
    en: [`it is of no kind that is known (it begins with ${quoted(begins)})`, exportAs(formats)],
    ar: [`ليس من نوع معروف (أوله ${quoted(begins)})`, asInArabic(formats, list)],
  })),
  'no-workbook': plain('it is an archive, not a workbook', 'هو أرشيف، لا مصنّف', SAVE_WITH_EXCEL),
  'texts-too-long': wording(() => ({
    en: ['its texts are too long to be read', 'Export it in parts.'],
    ar: ['نصوصه أطول من أن تُقرأ', 'صدّره على أجزاء.'],
  })),
  'part-not-utf8': wording<{ part: string }>(({ part }, { text }) => ({
    en: [`its part ${part} is not UTF-8`, SAVE_WITH_EXCEL.en],
    ar: [`جزؤه ${text(part)} ليس بترميز UTF-8`, SAVE_WITH_EXCEL.ar],
  })),
  'row-out-of-order': wording<{ row: string }>(({ row }, { quoted }) => ({
    en: [`its row ${quoted(row)} is out of order`, SAVE_WITH_EXCEL.en],
    ar: [`السطر ${quoted(row)} في غير موضعه`, SAVE_WITH_EXCEL.ar],
  })),
  'cell-out-of-order': wording<{ cell: string }>(({ cell }, { quoted }) => ({
    en: [`its cell ${quoted(cell)} is out of order`, SAVE_WITH_EXCEL.en],
    ar: [`الخلية ${quoted(cell)} في غير موضعها`, SAVE_WITH_EXCEL.ar],
  })),
  'cell-too-far': wording<{ column: number; most: number }>(({ column, most }) => ({
    en: [`it has a cell in column ${column}`, `A table has at most ${most} columns.`],
    ar: [`فيه خلية في العمود ${column}`, `أقصى عدد لأعمدة جدول ${most}.`],
  })),
  'sheet-missing': wording<{ sheet: string }>(({ sheet }, { quoted }) => ({
    en: [`its sheet ${quoted(sheet)} is missing`, SAVE_WITH_EXCEL.en],
    ar: [`ورقته ${quoted(sheet)} مفقودة`, SAVE_WITH_EXCEL.ar],
  })),
  'cell-beyond-header': wording(() => ({
    en: ["the row has a cell beyond the header's last column", 'Give that column a header, or empty the cell.'],
    ar: ['في السطر خلية بعد آخر عمود في الترويسة', 'أعطِ ذلك العمود ترويسة، أو أفرغ الخلية.'],
  })),
  'too-many-rows': wording<{ most: number }>(({ most }) => ({
    en: [`it has more than ${most} rows`, 'Export it in parts.'],
    ar: [`فيه أكثر من ${most} سطر`, 'صدّره على أجزاء.'],
  })),
  'sheet-empty': wording<{ sheet: string }>(({ sheet }, { quoted, text }) => ({
    en: [`its sheet ${quoted(sheet)} is empty`, 'Name another sheet in a map: sheet = "Orders".'],
    ar: [`ورقته ${quoted(sheet)} فارغة`, `سمِّ ورقة أخرى في خريطة: ${text('sheet = "Orders"')}.`],
  })),
  'not-well-formed': wording<{ part: string; why: string }>(({ part, why }, { text }) => ({
    en: [`${within(part)}it is not well-formed XML (${why})`, DAMAGED_OR_CUT.en],
    ar: [`${inPart(part, text)}هو XML غير سليم البناء (${text(why)})`, DAMAGED_OR_CUT.ar],
  })),
  'xml-doctype': wording<{ part: string }>(({ part }, { text }) => ({
    en: [
      `${within(part)}it declares a document type, which can hide entities`,
      "No bank's statement does: export it again, or ask the sender.",
    ],
    ar: [`${inPart(part, text)}يصرّح بنوع مستند قد يخفي كيانات`, 'لا كشف لمصرف يفعل ذلك: صدّره من جديد، أو اسأل المرسل.'],
  })),
  'xml-too-deep': wording<{ part: string; most: number }>(({ part, most }, { text }) => ({
    en: [`${within(part)}its elements are nested more than ${most} deep`, DAMAGED.en],
    ar: [`${inPart(part, text)}عناصره متداخلة إلى أكثر من ${most} طبقة`, DAMAGED.ar],
  })),
  'archive-of-many': wording<{ count: number }>(({ count }) => ({
    en: [`the archive holds ${count} files`, DO_NOT_OPEN.en],
    ar: [`عدد الملفات في الأرشيف ${count}`, DO_NOT_OPEN.ar],
  })),
  'directory-damaged': plain("the archive's directory is damaged", 'فهرس الأرشيف تالف', DAMAGED_ARCHIVE),
  'archive-locked': plain('it is locked with a password', 'هو مقفل بكلمة سر', WITHOUT_PASSWORD),
  'unpacks-too-far': wording<{ times: number }>(({ times }) => ({
    en: [`a part of it unpacks to ${times} times its size`, DO_NOT_OPEN.en],
    ar: [`جزء منه يكبر عند فكّه ${times} مرة`, DO_NOT_OPEN.ar],
  })),
  'unpacks-too-large': wording<{ megabytes: number }>(({ megabytes }) => ({
    en: [`it unpacks to more than ${megabytes} MB`, DO_NOT_OPEN.en],
    ar: [`ينفكّ إلى أكثر من ${megabytes} ميغابايت`, DO_NOT_OPEN.ar],
  })),
  'directory-missing': plain("the archive's directory is missing", 'فهرس الأرشيف مفقود', DAMAGED_ARCHIVE),
  'part-damaged': wording<{ part: string }>(({ part }, { text }) => ({
    en: [`its part ${part} is damaged`, DAMAGED_ARCHIVE.en],
    ar: [`جزؤه ${text(part)} تالف`, DAMAGED_ARCHIVE.ar],
  })),
  'part-larger': wording<{ part: string }>(({ part }, { text }) => ({
    en: [`its part ${part} is larger than the archive says`, DO_NOT_OPEN.en],
    ar: [`جزؤه ${text(part)} أكبر مما يذكر الأرشيف`, DO_NOT_OPEN.ar],
  })),
  'part-packing': wording<{ part: string }>(({ part }, { text }) => ({
    en: [`its part ${part} is packed in a way that is not known`, 'Save it again with Excel or LibreOffice.'],
    ar: [`جزؤه ${text(part)} مضغوط بطريقة غير معروفة`, 'احفظه من جديد ببرنامج Excel أو LibreOffice.'],
  })),
  'part-cut': wording<{ part: string }>(({ part }, { text }) => ({
    en: [`its part ${part} is cut off`, DAMAGED_ARCHIVE.en],
    ar: [`جزؤه ${text(part)} مقطوع`, DAMAGED_ARCHIVE.ar],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const workbooksError = explainer('workbooks', WORKBOOKS_ERRORS);
