import { quoted } from '../../base/text.ts';
import { type ErrorSpeech, explainer, plain, wording } from './explain.ts';
import { DAMAGED } from './remedies.ts';

/** The Arabic of what a row may lack, by the readers' words for it. */
const WHAT_IN_ARABIC: Readonly<Record<string, string>> = {
  amount: 'المبلغ',
  currency: 'العملة',
  date: 'التاريخ',
  fee: 'الرسم',
  order: 'الطلب',
  'payout number': 'رقم الدفعة',
  rate: 'السعر',
  reference: 'المرجع',
  sign: 'الإشارة',
  total: 'المجموع',
};

const MOST_HEADERS = 20;

function headersInEnglish(headers: readonly string[]): string {
  const more = headers.length > MOST_HEADERS ? ` and ${headers.length - MOST_HEADERS} more` : '';
  return headersOf(headers, quoted).join(', ') + more;
}

function headersInArabic(headers: readonly string[], inQuotes: ErrorSpeech['quoted']): string {
  const more = headers.length > MOST_HEADERS ? ` و${headers.length - MOST_HEADERS} غيرها` : '';
  return headersOf(headers, inQuotes).join('، ') + more;
}

function headersOf(headers: readonly string[], inQuotes: ErrorSpeech['quoted']): string[] {
  return headers.slice(0, MOST_HEADERS).map((header) => inQuotes(header));
}

function fieldInEnglish(field: string): string {
  return field === 'cod' ? 'COD' : field.replaceAll('_', ' ');
}

/** What is wrong with a table: its columns, rows, amounts and dates. */
export const TABLES_ERRORS = {
  'no-measure': wording<{ cell: string; unit: string }>(({ cell, unit }, { quoted, text }) => ({
    en: [`${quoted(cell)} is no number of ${unit}`, 'Write it as a plain number of up to 4 decimals, such as 1.5.'],
    ar: [`${quoted(cell)} ليس عددًا من ${text(unit)}`, 'اكتبه عددًا بسيطًا بأربع منازل عشرية على الأكثر، مثل 1.5.'],
  })),
  'column-twice': wording<{ column: string }>(({ column }, { quoted }) => ({
    en: [`two of its columns are named ${quoted(column)}`, 'Rename or remove one of them.'],
    ar: [`عمودان اسمهما ${quoted(column)}`, 'غيّر اسم أحدهما أو احذفه.'],
  })),
  'cell-unreadable': wording<{ cell: string }>(({ cell }) => ({
    en: [`the cell ${cell}`, 'Correct the cell, or write its value as text.'],
    ar: ['لا تُقرأ قيمة الخلية', 'صحّح الخلية، أو اكتب قيمتها نصًا.'],
  })),
  'row-lacks': wording<{ what: string }>(({ what }) => ({
    en: [`the row has no ${what}`, 'Fill it in, or remove the row.'],
    ar: [`ينقص السطرَ ${WHAT_IN_ARABIC[what] ?? 'حقل مطلوب'}`, 'املأه، أو احذف السطر.'],
  })),
  'cell-is-date': wording<{ cell: string }>(({ cell }, { text }) => ({
    en: [`the cell is a date (${cell})`, 'Format it as a number, or name another column in the map.'],
    ar: [`الخلية تاريخ (${text(cell)})`, 'نسّقها رقمًا، أو سمِّ عمودًا آخر في الخريطة.'],
  })),
  'currency-unsaid': wording<{ amount: string }>(({ amount }, { quoted, text }) => ({
    en: [
      `nothing says which currency ${quoted(amount)} is in`,
      'Give the currency a column, or name it in a map: currency = "USD".',
    ],
    ar: [`لا شيء يذكر عملة ${quoted(amount)}`, `اجعل للعملة عمودًا، أو سمِّها في خريطة: ${text('currency = "USD"')}.`],
  })),
  'currency-contradicted': wording<{ amount: string; currency: string; stated: string }>(
    ({ amount, currency, stated }, { quoted, text }) => ({
      en: [`${quoted(amount)} is in ${currency} where ${stated} is stated`, 'Correct one of them.'],
      ar: [`عملة ${quoted(amount)} هي ${text(currency)} والمذكور ${text(stated)}`, 'صحّح أحدهما.'],
    }),
  ),
  'currency-shared': wording<{ amount: string; sign: string; stated: string | null }>(
    ({ amount, sign, stated }, { quoted, text }) => ({
      en: [
        stated === null
          ? `${quoted(amount)} does not say whose ${sign} it is in`
          : `${quoted(amount)} is in ${sign} where ${stated} is stated`,
        'Give the currency a column, or name it in a map: currency = "USD".',
      ],
      ar: [
        stated === null
          ? `لا يذكر ${quoted(amount)} أي ${text(sign)} هو`
          : `عملة ${quoted(amount)} هي ${text(sign)} والمذكور ${text(stated)}`,
        `اجعل للعملة عمودًا، أو سمِّها في خريطة: ${text('currency = "USD"')}.`,
      ],
    }),
  ),
  'too-many-rows': wording<{ most: number }>(({ most }) => ({
    en: [`it has more than ${most} rows`, 'Export it in parts.'],
    ar: [`فيه أكثر من ${most} سطر`, 'صدّره على أجزاء.'],
  })),
  'too-many-columns': wording<{ columns: number; most: number }>(({ columns, most }) => ({
    en: [`it has ${columns} columns`, `A table has at most ${most}.`],
    ar: [`عدد أعمدته ${columns}`, `أقصى عدد لأعمدة جدول ${most}.`],
  })),
  'no-header': wording(() => ({
    en: ['it has no header and no rows', 'Export the file again.'],
    ar: ['لا ترويسة فيه ولا أسطر', 'صدّر الملف من جديد.'],
  })),
  'uneven-row': wording<{ cells: number; width: number }>(({ cells, width }, { text }) => ({
    en: [
      `the row has ${cells} cells where the header has ${width}`,
      'Correct that row; if the header is further down, name the lines above it in a map: skip_rows = 3.',
    ],
    ar: [
      `خلايا السطر ${cells} وخلايا الترويسة ${width}`,
      `صحّح ذلك السطر؛ وإن كانت الترويسة في موضع أدنى فسمِّ عدد الأسطر التي فوقها في خريطة: ${text('skip_rows = 3')}.`,
    ],
  })),
  'ends-within-figure': wording<{ cell: string; decimals: string }>(({ cell, decimals }, { quoted, text }) => ({
    en: [
      `the file ends in the figure ${quoted(cell)}, where all others of its column have ${decimals} decimals`,
      'It is cut off: export it again. If it is whole, end its last line with a line end.',
    ],
    ar: [
      `ينتهي الملف بالرقم ${quoted(cell)}، ولسائر أرقام عموده ${text(decimals)} من المنازل العشرية`,
      'الملف مقطوع: صدّره من جديد. وإن كان كاملًا فأنهِ سطره الأخير بعلامة نهاية سطر.',
    ],
  })),
  'quote-never-closed': wording(() => ({
    en: ['a quote opens and is never closed', 'The file is cut off, or a cell holds a stray quote.'],
    ar: ['علامة اقتباس تُفتح ولا تُغلق', 'الملف مقطوع، أو في خلية علامة اقتباس شاردة.'],
  })),
  'row-too-long': plain('the row is too long', 'السطر طويل جدًا', DAMAGED),
  'quote-within-cell': wording((_, { text }) => ({
    en: [
      'a quote stands in the middle of a cell',
      'A cell with quotes is written in quotes, each of its own doubled: "5"" pipe".',
    ],
    ar: [
      'علامة اقتباس في وسط خلية',
      `الخلية التي فيها علامات اقتباس تُكتب بين علامتين، وكل واحدة منها مضاعفة: ${text('"5"" pipe"')}.`,
    ],
  })),
  'delimiter-unsure': wording<{ delimiters: readonly string[] }>(({ delimiters }, { quoted, text }) => ({
    en: [
      `its columns may be parted by ${delimiters.map((one) => (one === '\t' ? 'a tab' : quoted(one))).join(' or ')}`,
      'Name the delimiter in a map: delimiter = ";".',
    ],
    ar: [
      `قد يفصل بين أعمدته ${delimiters.map((one) => (one === '\t' ? 'علامة جدولة' : quoted(one))).join(' أو ')}`,
      `سمِّ الفاصل في خريطة: ${text('delimiter = ";"')}.`,
    ],
  })),
  'no-sheet': wording<{ sheet: string; sheets: readonly string[] }>(({ sheet, sheets }, { quoted }) => ({
    en: [`it has no sheet ${quoted(sheet)}`, `Its sheets are ${sheets.map((one) => quoted(one)).join(', ')}.`],
    ar: [`لا ورقة فيه اسمها ${quoted(sheet)}`, `أوراقه هي: ${sheets.map((one) => quoted(one)).join('، ')}.`],
  })),
  'several-sheets': wording<{ count: number; fits: boolean; sheets: readonly string[] }>(
    ({ count, fits, sheets }, { quoted, text }) => ({
      en: [
        `it has ${count} sheets, and ${fits ? 'several fit' : 'none has columns that are known'}: ${sheets.map((one) => quoted(one)).join(', ')}`,
        `Name the sheet in a map: sheet = ${quoted(sheets[0]!)}.`,
      ],
      ar: [
        `عدد أوراقه ${count}، و${fits ? 'تصلح منها أكثر من واحدة' : 'لا تُعرف أعمدة أي منها'}: ${sheets.map((one) => quoted(one)).join('، ')}`,
        `سمِّ الورقة في خريطة: ${text(`sheet = "${sheets[0]}"`)}.`,
      ],
    }),
  ),
  'sheets-empty': wording(() => ({
    en: ['all of its sheets are empty', 'There is nothing to book: save it again.'],
    ar: ['أوراقه كلها فارغة', 'لا شيء فيه ليُقيَّد: احفظه من جديد.'],
  })),
  'sheets-hidden': wording<{ sheets: readonly string[] }>(({ sheets }, { quoted, text }) => ({
    en: [
      `its sheets are empty, but for hidden ones: ${sheets.map((one) => quoted(one)).join(', ')}`,
      `Show the sheet that is meant, or name it in a map: sheet = ${quoted(sheets[0]!)}.`,
    ],
    ar: [
      `أوراقه فارغة إلا المخفية: ${sheets.map((one) => quoted(one)).join('، ')}`,
      `أظهر الورقة المقصودة، أو سمِّها في خريطة: ${text(`sheet = "${sheets[0]}"`)}.`,
    ],
  })),
  'no-columns-in-format': wording<{ format: string }>(({ format }, { text }) => ({
    en: [`it is ${format}, which has no columns`, 'It needs no columns in a map.'],
    ar: [`صيغته ${text(format)}، ولا أعمدة لها`, 'لا يحتاج إلى أعمدة في خريطة.'],
  })),
  'map-columns-missing': wording<{
    map: string;
    /** For each field that the file lacks, the headers that the map names. */
    missing: readonly (readonly string[])[];
    headers: readonly string[];
  }>(({ map, missing, headers }, { quoted, text }) => ({
    en: [
      `it has no column ${missing.map((names) => names.map((name) => quoted(name)).join(' or ')).join(', ')} that the map ${quoted(map)} names`,
      `Its columns are ${headersInEnglish(headers)}. If the header is further down, name the lines above it: skip_rows = 3. If columns were renamed, put the map below in place of ${quoted(map)}: it reads earlier files too.`,
    ],
    ar: [
      `ليس فيه ما تسمّيه الخريطة ${quoted(map)} من أعمدة: ${missing.map((names) => names.map((name) => quoted(name)).join(' أو ')).join('، ')}`,
      `أعمدته هي: ${headersInArabic(headers, quoted)}. وإن كانت الترويسة في موضع أدنى فسمِّ عدد الأسطر التي فوقها: ${text('skip_rows = 3')}. وإن تغيّرت أسماء أعمدة فضع الخريطة أدناه مكان ${quoted(map)}: وهي تقرأ الملفات السابقة أيضًا.`,
    ],
  })),
  'field-twice': wording<{ field: string; columns: readonly string[]; map: string }>(
    ({ field, columns, map }, { quoted }) => ({
      en: [
        `its columns ${columns.map((one) => quoted(one)).join(' and ')} are both ${quoted(field)} in the map ${quoted(map)}`,
        'Only one of them can be: rename or remove the other in the file, or take it out of the map.',
      ],
      ar: [
        `أعمدته ${columns.map((one) => quoted(one)).join(' و')} كلها ${quoted(field)} في الخريطة ${quoted(map)}`,
        'لا يصح إلا واحد منها: غيّر اسم الآخر في الملف أو احذفه، أو أخرجه من الخريطة.',
      ],
    }),
  ),
  'woocommerce-analytics': wording((_, { text }) => ({
    en: [
      "it is an export of WooCommerce's Analytics, which does not say how an order is paid, so that its COD cannot be known",
      'Export the orders with a plugin that gives payment_method and order_total, or as our CSV: reference,ordered_on,status,currency,cod.',
    ],
    ar: [
      'هو تصدير من Analytics في WooCommerce، وهذا لا يذكر كيف يُدفع الطلب، فلا يُعرف ما يُحصَّل عنه',
      `صدّر الطلبات بإضافة تعطي ${text('payment_method')} و${text('order_total')}، أو بصيغتنا: ${text('reference,ordered_on,status,currency,cod')}.`,
    ],
  })),
  'currency-column-missing': wording(() => ({
    en: ['no column says the currency of its amounts', 'Name the currency in a map.'],
    ar: ['لا عمود يذكر عملة مبالغه', 'سمِّ العملة في خريطة.'],
  })),
  'currency-and-columns-unsure': wording(() => ({
    en: [
      'no column says the currency of its amounts',
      'Name the currency in this map, and see that it has the right columns.',
    ],
    ar: ['لا عمود يذكر عملة مبالغه', 'سمِّ العملة في هذه الخريطة، وتأكّد من صحة أعمدتها.'],
  })),
  'columns-unknown': wording<{ fields: readonly string[]; kind: string; headers: readonly string[] }>(
    ({ fields, kind, headers }, { quoted, text }) => ({
      en: [
        fields.length > 0
          ? `no column is known as the ${fields.map(fieldInEnglish).join(', nor as the ')}; its columns are ${headersInEnglish(headers)}`
          : `its columns are not known as ${kind}: ${headersInEnglish(headers)}`,
        'Say what its columns are; if the header is further down, name the lines above it: skip_rows = 3.',
      ],
      ar: [
        fields.length > 0
          ? `لا عمود معروفًا لهذه الحقول: ${fields.map(text).join('، ')}؛ أعمدته هي: ${headersInArabic(headers, quoted)}`
          : `لا تُعرف أعمدته: ${headersInArabic(headers, quoted)}`,
        `حدّد ما هي أعمدته؛ وإن كانت الترويسة في موضع أدنى فسمِّ عدد الأسطر التي فوقها: ${text('skip_rows = 3')}.`,
      ],
    }),
  ),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const tablesError = explainer('tables', TABLES_ERRORS);
