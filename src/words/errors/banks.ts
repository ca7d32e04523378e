import { explainer, wording } from './explain.ts';
import { CUT_OR_DAMAGED, DAMAGED, DAMAGED_OR_CUT, DOWNLOAD_AGAIN } from './remedies.ts';

/** What is wrong with a bank's statement. */
export const BANKS_ERRORS = {
  'entry-status': wording<{ status: string }>({
    en: ({ status }, { quoted }) => [
      `the entry's status ${quoted(status)} is not known`,
      'Ask the bank what it means.',
    ],
    ar: ({ status }, { quoted }) => [`حالة القيد ${quoted(status)} غير معروفة`, 'اسأل المصرف عن معناها.'],
  }),
  'entry-without-date': wording({
    en: () => ['the entry has no date', DAMAGED.en],
    ar: () => ['القيد بلا تاريخ', DAMAGED.ar],
  }),
  'no-amount': wording<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, DAMAGED.en],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, DAMAGED.ar],
  }),
  'no-direction': wording<{ direction: string }>({
    en: ({ direction }, { quoted }) => [
      `${quoted(direction)} says neither CRDT nor DBIT, so that the amount has no direction`,
      DAMAGED.en,
    ],
    ar: ({ direction }, { quoted }) => [`${quoted(direction)} ليس CRDT ولا DBIT، فلا اتجاه للمبلغ`, DAMAGED.ar],
  }),
  'no-date': wording<{ date: string }>({
    en: ({ date }, { quoted }) => [`${quoted(date)} is not a date`, DAMAGED.en],
    ar: ({ date }, { quoted }) => [`${quoted(date)} ليس تاريخًا`, DAMAGED.ar],
  }),
  'camt-without-bookings': wording<{ message: string }>({
    en: ({ message }) => [
      `it is a camt.${message} message, which lists no bookings`,
      'Ask the bank for camt.053, the statement.',
    ],
    ar: ({ message }, { text }) => [
      `هو رسالة ${text(`camt.${text(message)}`)}، وليس فيها قيود`,
      `اطلب من المصرف ${text('camt.053')}، وهو الكشف.`,
    ],
  }),
  'camt-version': wording<{ message: string; version: string }>({
    en: ({ message, version }) => [
      `its version camt.${message}.001.${version} is not known`,
      'Ask the bank for version 02 to 13.',
    ],
    ar: ({ message, version }, { text }) => [
      `إصداره ${text(`camt.${text(message)}.001.${text(version)}`)} غير معروف`,
      'اطلب من المصرف إصدارًا من 02 إلى 13.',
    ],
  }),
  'no-camt': wording({
    en: () => ['it is no camt.052, .053 or .054 message', 'Ask the bank for camt.053.'],
    ar: (_, { text }) => [
      `ليس رسالة ${text('camt.052')} ولا ${text('.053')} ولا ${text('.054')}`,
      `اطلب من المصرف ${text('camt.053')}.`,
    ],
  }),
  'camt-empty': wording({
    en: () => ['it holds no statement', 'There is nothing to book: ask the bank for camt.053 with its entries.'],
    ar: (_, { text }) => ['ليس فيه كشف', `لا شيء فيه ليُقيَّد: اطلب من المصرف ${text('camt.053')} بقيوده.`],
  }),
  'statement-without-currency': wording({
    en: () => ['its statement names no currency', DAMAGED.en],
    ar: () => ['كشفه لا يذكر عملة', DAMAGED.ar],
  }),
  'before-first-field': wording<{ tag: string }>({
    en: ({ tag }) => [`:${tag}: stands before :20:`, 'The file is cut off: export it again.'],
    ar: ({ tag }, { text }) => [`الحقل ${text(`:${text(tag)}:`)} قبل ${text(':20:')}`, 'الملف مقطوع: صدّره من جديد.'],
  }),
  'field-without-end': wording<{ tag: string }>({
    en: ({ tag }) => [`:${tag}: goes on without end`, DAMAGED.en],
    ar: ({ tag }, { text }) => [`الحقل ${text(`:${text(tag)}:`)} لا نهاية له`, DAMAGED.ar],
  }),
  'mt940-empty': wording({
    en: () => ['it holds no statement', 'There is nothing to book: export it again.'],
    ar: () => ['ليس فيه كشف', 'لا شيء فيه ليُقيَّد: صدّره من جديد.'],
  }),
  'no-opening-balance': wording({
    en: () => ['the statement has no opening balance (:60F:)', 'An MT942 is not a statement: ask the bank for MT940.'],
    ar: (_, { text }) => [`الكشف بلا رصيد افتتاحي (${text(':60F:')})`, 'MT942 ليس كشفًا: اطلب من المصرف MT940.'],
  }),
  'no-closing-balance': wording({
    en: () => ['it ends before the closing balance (:62F:)', DAMAGED_OR_CUT.en],
    ar: (_, { text }) => [`ينتهي قبل الرصيد الختامي (${text(':62F:')})`, DAMAGED_OR_CUT.ar],
  }),
  'two-currencies': wording<{ first: string; last: string }>({
    en: ({ first, last }) => [`the statement opens in ${first} and closes in ${last}`, DAMAGED_OR_CUT.en],
    ar: ({ first, last }, { text }) => [
      `يبدأ الكشف بعملة ${text(first)} وينتهي بعملة ${text(last)}`,
      DAMAGED_OR_CUT.ar,
    ],
  }),
  'field-twice': wording<{ tag: string }>({
    en: ({ tag }) => [`a second :${tag}: stands in one statement`, DAMAGED_OR_CUT.en],
    ar: ({ tag }, { text }) => [`الحقل ${text(`:${text(tag)}:`)} مرتين في كشف واحد`, DAMAGED_OR_CUT.ar],
  }),
  'no-balance': wording<{ field: string }>({
    en: ({ field }, { quoted }) => [`${quoted(field)} is not a balance`, DAMAGED_OR_CUT.en],
    ar: ({ field }, { quoted }) => [`${quoted(field)} ليس رصيدًا`, DAMAGED_OR_CUT.ar],
  }),
  'no-amount-cut': wording<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, DAMAGED_OR_CUT.en],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, DAMAGED_OR_CUT.ar],
  }),
  'no-line': wording<{ line: string }>({
    en: ({ line }, { quoted }) => [`${quoted(line)} is not a line of a statement`, DAMAGED_OR_CUT.en],
    ar: ({ line }, { quoted }) => [`${quoted(line)} ليس سطرًا من كشف`, DAMAGED_OR_CUT.ar],
  }),
  'no-date-cut': wording<{ date: string }>({
    en: ({ date }, { quoted }) => [`${quoted(date)} is not a date`, DAMAGED_OR_CUT.en],
    ar: ({ date }, { quoted }) => [`${quoted(date)} ليس تاريخًا`, DAMAGED_OR_CUT.ar],
  }),
  'no-ofx': wording({
    en: () => ['it has no <OFX> element', CUT_OR_DAMAGED.en],
    ar: (_, { text }) => [`ليس فيه عنصر ${text('<OFX>')}`, CUT_OR_DAMAGED.ar],
  }),
  'ofx-doctype': wording({
    en: () => ['it declares a document type, which can hide entities', "No bank's file does: export it again."],
    ar: () => ['يصرّح بنوع مستند قد يخفي كيانات', 'لا ملف لمصرف يفعل ذلك: صدّره من جديد.'],
  }),
  'ends-within-tag': wording({
    en: () => ['it ends within a tag or comment', CUT_OR_DAMAGED.en],
    ar: () => ['ينتهي داخل وسم أو تعليق', CUT_OR_DAMAGED.ar],
  }),
  'ofx-too-deep': wording<{ most: number }>({
    en: ({ most }) => [`its elements are nested more than ${most} deep`, CUT_OR_DAMAGED.en],
    ar: ({ most }) => [`عناصره متداخلة إلى أكثر من ${most} طبقة`, CUT_OR_DAMAGED.ar],
  }),
  'ofx-not-ended': wording({
    en: () => ['it ends before </OFX>', CUT_OR_DAMAGED.en],
    ar: (_, { text }) => [`ينتهي قبل ${text('</OFX>')}`, CUT_OR_DAMAGED.ar],
  }),
  'text-between': wording<{ words: string }>({
    en: ({ words }, { quoted }) => [`the text ${quoted(words)} stands between elements`, CUT_OR_DAMAGED.en],
    ar: ({ words }, { quoted }) => [`النص ${quoted(words)} بين العناصر`, CUT_OR_DAMAGED.ar],
  }),
  'closes-nothing': wording<{ name: string }>({
    en: ({ name }) => [`</${name}> closes nothing`, CUT_OR_DAMAGED.en],
    ar: ({ name }, { text }) => [`${text(`</${text(name)}>`)} لا يغلق شيئًا`, CUT_OR_DAMAGED.ar],
  }),
  'never-closed': wording<{ name: string }>({
    en: ({ name }) => [`<${name}> is never closed`, CUT_OR_DAMAGED.en],
    ar: ({ name }, { text }) => [`${text(`<${text(name)}>`)} لا يُغلق أبدًا`, CUT_OR_DAMAGED.ar],
  }),
  'ofx-empty': wording({
    en: () => ['it holds no bank or card statement', 'There is nothing to book: export the account as OFX.'],
    ar: () => ['ليس فيه كشف حساب مصرفي ولا كشف بطاقة', 'لا شيء فيه ليُقيَّد: صدّر الحساب بصيغة OFX.'],
  }),
  'server-error': wording<{ code: string | null; message: string | null }>({
    en: ({ code, message }, { quoted }) => [
      `the bank's server answered with an error (code ${code ?? 'none'}${message === null ? '' : `: ${quoted(message, 120)}`})`,
      DOWNLOAD_AGAIN.en,
    ],
    ar: ({ code, message }, { quoted, text }) => [
      `أجاب خادم المصرف بخطأ (${code === null ? 'بلا رمز' : `الرمز ${text(code)}`}${message === null ? '' : `: ${quoted(message, 120)}`})`,
      DOWNLOAD_AGAIN.ar,
    ],
  }),
  'ofx-without-currency': wording({
    en: () => ['the statement names no currency', DOWNLOAD_AGAIN.en],
    ar: () => ['الكشف لا يذكر عملة', DOWNLOAD_AGAIN.ar],
  }),
  'line-corrects': wording({
    en: () => [
      'the line corrects or deletes an earlier one, which looks like a new one here',
      'Export the account once more for the whole period: a fresh file holds the corrected line.',
    ],
    ar: () => [
      'السطر يصحّح سطرًا أسبق أو يحذفه، وهو يبدو هنا سطرًا جديدًا',
      'صدّر الحساب مرة أخرى للمدة كلها: الملف الجديد يحوي السطر المصحَّح.',
    ],
  }),
  'no-amount-ofx': wording<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, DOWNLOAD_AGAIN.en],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, DOWNLOAD_AGAIN.ar],
  }),
  'no-date-ofx': wording<{ date: string }>({
    en: ({ date }, { quoted }) => [`${quoted(date)} is not a date`, DOWNLOAD_AGAIN.en],
    ar: ({ date }, { quoted }) => [`${quoted(date)} ليس تاريخًا`, DOWNLOAD_AGAIN.ar],
  }),
  'qif-empty': wording({
    en: () => [
      'it holds no transactions of a bank, cash or card account',
      'There is nothing to book: export the account.',
    ],
    ar: () => ['ليس فيه حركات حساب مصرفي أو صندوق أو بطاقة', 'لا شيء فيه ليُقيَّد: صدّر الحساب.'],
  }),
  'qif-without-currency': wording({
    en: () => ['QIF does not say which currency its amounts are in', 'Name it in a map: currency = "USD".'],
    ar: (_, { text }) => ['صيغة QIF لا تذكر عملة مبالغها', `سمِّها في خريطة: ${text('currency = "USD"')}.`],
  }),
  'no-amount-qif': wording<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, 'A QIF amount has no currency beside it.'],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, 'المبلغ في QIF بلا عملة إلى جانبه.'],
  }),
  'transaction-lacks': wording<{ what: 'date' | 'amount' }>({
    en: ({ what }) => [`the transaction has no ${what}`, DAMAGED.en],
    ar: ({ what }) => [`الحركة بلا ${what === 'date' ? 'تاريخ' : 'مبلغ'}`, DAMAGED.ar],
  }),
  'transaction-has-two': wording<{ what: 'date' | 'amount' }>({
    en: ({ what }) => [`the transaction has two ${what}s`, 'A ^ is missing between two transactions: export it again.'],
    ar: ({ what }) => [`للحركة ${what === 'date' ? 'تاريخان' : 'مبلغان'}`, 'علامة ^ ناقصة بين حركتين: صدّره من جديد.'],
  }),
  'not-ended': wording({
    en: () => ['the last transaction is not ended by ^', 'The file is cut off: export it again.'],
    ar: () => ['الحركة الأخيرة لا تنتهي بعلامة ^', 'الملف مقطوع: صدّره من جديد.'],
  }),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const because = explainer('banks', BANKS_ERRORS);
