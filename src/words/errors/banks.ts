import { explainer, inWords } from './explain.ts';
import { AGAIN, CUT, DAMAGED, DAMAGED_OR_CUT } from './remedies.ts';

/** What is wrong with a bank's statement. */
export const BANKS_ERRORS = {
  'entry-status': inWords<{ status: string }>({
    en: ({ status }, { quoted }) => [
      `the entry's status ${quoted(status)} is not known`,
      'Ask the bank what it means.',
    ],
    ar: ({ status }, { quoted }) => [`حالة القيد ${quoted(status)} غير معروفة`, 'اسأل المصرف عن معناها.'],
  }),
  'entry-without-date': inWords({
    en: () => ['the entry has no date', DAMAGED.en],
    ar: () => ['القيد بلا تاريخ', DAMAGED.ar],
  }),
  'no-amount': inWords<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, DAMAGED.en],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, DAMAGED.ar],
  }),
  'no-direction': inWords<{ direction: string }>({
    en: ({ direction }, { quoted }) => [
      `${quoted(direction)} says neither CRDT nor DBIT, so that the amount has no direction`,
      DAMAGED.en,
    ],
    ar: ({ direction }, { quoted }) => [`${quoted(direction)} ليس CRDT ولا DBIT، فلا اتجاه للمبلغ`, DAMAGED.ar],
  }),
  'no-date': inWords<{ date: string }>({
    en: ({ date }, { quoted }) => [`${quoted(date)} is not a date`, DAMAGED.en],
    ar: ({ date }, { quoted }) => [`${quoted(date)} ليس تاريخًا`, DAMAGED.ar],
  }),
  'camt-without-bookings': inWords<{ message: string }>({
    en: ({ message }) => [
      `it is a camt.${message} message, which lists no bookings`,
      'Ask the bank for camt.053, the statement.',
    ],
    ar: ({ message }, { text }) => [
      `هو رسالة ${text(`camt.${text(message)}`)}، وليس فيها قيود`,
      `اطلب من المصرف ${text('camt.053')}، وهو الكشف.`,
    ],
  }),
  'camt-version': inWords<{ message: string; version: string }>({
    en: ({ message, version }) => [
      `its version camt.${message}.001.${version} is not known`,
      'Ask the bank for version 02 to 13.',
    ],
    ar: ({ message, version }, { text }) => [
      `إصداره ${text(`camt.${text(message)}.001.${text(version)}`)} غير معروف`,
      'اطلب من المصرف إصدارًا من 02 إلى 13.',
    ],
  }),
  'no-camt': inWords({
    en: () => ['it is no camt.052, .053 or .054 message', 'Ask the bank for camt.053.'],
    ar: (_, { text }) => [
      `ليس رسالة ${text('camt.052')} ولا ${text('.053')} ولا ${text('.054')}`,
      `اطلب من المصرف ${text('camt.053')}.`,
    ],
  }),
  'camt-empty': inWords({
    en: () => ['it holds no statement', 'There is nothing to book: ask the bank for camt.053 with its entries.'],
    ar: (_, { text }) => ['ليس فيه كشف', `لا شيء فيه ليُقيَّد: اطلب من المصرف ${text('camt.053')} بقيوده.`],
  }),
  'statement-without-currency': inWords({
    en: () => ['its statement names no currency', DAMAGED.en],
    ar: () => ['كشفه لا يذكر عملة', DAMAGED.ar],
  }),
  'before-first-field': inWords<{ tag: string }>({
    en: ({ tag }) => [`:${tag}: stands before :20:`, 'The file is cut off: export it again.'],
    ar: ({ tag }, { text }) => [`الحقل ${text(`:${text(tag)}:`)} قبل ${text(':20:')}`, 'الملف مقطوع: صدّره من جديد.'],
  }),
  'field-without-end': inWords<{ tag: string }>({
    en: ({ tag }) => [`:${tag}: goes on without end`, DAMAGED.en],
    ar: ({ tag }, { text }) => [`الحقل ${text(`:${text(tag)}:`)} لا نهاية له`, DAMAGED.ar],
  }),
  'mt940-empty': inWords({
    en: () => ['it holds no statement', 'There is nothing to book: export it again.'],
    ar: () => ['ليس فيه كشف', 'لا شيء فيه ليُقيَّد: صدّره من جديد.'],
  }),
  'no-opening-balance': inWords({
    en: () => ['the statement has no opening balance (:60F:)', 'An MT942 is not a statement: ask the bank for MT940.'],
    ar: (_, { text }) => [`الكشف بلا رصيد افتتاحي (${text(':60F:')})`, 'MT942 ليس كشفًا: اطلب من المصرف MT940.'],
  }),
  'no-closing-balance': inWords({
    en: () => ['it ends before the closing balance (:62F:)', DAMAGED_OR_CUT.en],
    ar: (_, { text }) => [`ينتهي قبل الرصيد الختامي (${text(':62F:')})`, DAMAGED_OR_CUT.ar],
  }),
  'two-currencies': inWords<{ first: string; last: string }>({
    en: ({ first, last }) => [`the statement opens in ${first} and closes in ${last}`, DAMAGED_OR_CUT.en],
    ar: ({ first, last }, { text }) => [
      `يبدأ الكشف بعملة ${text(first)} وينتهي بعملة ${text(last)}`,
      DAMAGED_OR_CUT.ar,
    ],
  }),
  'field-twice': inWords<{ tag: string }>({
    en: ({ tag }) => [`a second :${tag}: stands in one statement`, DAMAGED_OR_CUT.en],
    ar: ({ tag }, { text }) => [`الحقل ${text(`:${text(tag)}:`)} مرتين في كشف واحد`, DAMAGED_OR_CUT.ar],
  }),
  'no-balance': inWords<{ field: string }>({
    en: ({ field }, { quoted }) => [`${quoted(field)} is not a balance`, DAMAGED_OR_CUT.en],
    ar: ({ field }, { quoted }) => [`${quoted(field)} ليس رصيدًا`, DAMAGED_OR_CUT.ar],
  }),
  'no-amount-cut': inWords<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, DAMAGED_OR_CUT.en],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, DAMAGED_OR_CUT.ar],
  }),
  'no-line': inWords<{ line: string }>({
    en: ({ line }, { quoted }) => [`${quoted(line)} is not a line of a statement`, DAMAGED_OR_CUT.en],
    ar: ({ line }, { quoted }) => [`${quoted(line)} ليس سطرًا من كشف`, DAMAGED_OR_CUT.ar],
  }),
  'no-date-cut': inWords<{ date: string }>({
    en: ({ date }, { quoted }) => [`${quoted(date)} is not a date`, DAMAGED_OR_CUT.en],
    ar: ({ date }, { quoted }) => [`${quoted(date)} ليس تاريخًا`, DAMAGED_OR_CUT.ar],
  }),
  'no-ofx': inWords({
    en: () => ['it has no <OFX> element', CUT.en],
    ar: (_, { text }) => [`ليس فيه عنصر ${text('<OFX>')}`, CUT.ar],
  }),
  'ofx-doctype': inWords({
    en: () => ['it declares a document type, which can hide entities', "No bank's file does: export it again."],
    ar: () => ['يصرّح بنوع مستند قد يخفي كيانات', 'لا ملف لمصرف يفعل ذلك: صدّره من جديد.'],
  }),
  'ends-within-tag': inWords({
    en: () => ['it ends within a tag or comment', CUT.en],
    ar: () => ['ينتهي داخل وسم أو تعليق', CUT.ar],
  }),
  'ofx-too-deep': inWords<{ most: number }>({
    en: ({ most }) => [`its elements are nested more than ${most} deep`, CUT.en],
    ar: ({ most }) => [`عناصره متداخلة إلى أكثر من ${most} طبقة`, CUT.ar],
  }),
  'ofx-not-ended': inWords({
    en: () => ['it ends before </OFX>', CUT.en],
    ar: (_, { text }) => [`ينتهي قبل ${text('</OFX>')}`, CUT.ar],
  }),
  'text-between': inWords<{ words: string }>({
    en: ({ words }, { quoted }) => [`the text ${quoted(words)} stands between elements`, CUT.en],
    ar: ({ words }, { quoted }) => [`النص ${quoted(words)} بين العناصر`, CUT.ar],
  }),
  'closes-nothing': inWords<{ name: string }>({
    en: ({ name }) => [`</${name}> closes nothing`, CUT.en],
    ar: ({ name }, { text }) => [`${text(`</${text(name)}>`)} لا يغلق شيئًا`, CUT.ar],
  }),
  'never-closed': inWords<{ name: string }>({
    en: ({ name }) => [`<${name}> is never closed`, CUT.en],
    ar: ({ name }, { text }) => [`${text(`<${text(name)}>`)} لا يُغلق أبدًا`, CUT.ar],
  }),
  'ofx-empty': inWords({
    en: () => ['it holds no bank or card statement', 'There is nothing to book: export the account as OFX.'],
    ar: () => ['ليس فيه كشف حساب مصرفي ولا كشف بطاقة', 'لا شيء فيه ليُقيَّد: صدّر الحساب بصيغة OFX.'],
  }),
  'server-error': inWords<{ code: string | null; message: string | null }>({
    en: ({ code, message }, { quoted }) => [
      `the bank's server answered with an error (code ${code ?? 'none'}${message === null ? '' : `: ${quoted(message, 120)}`})`,
      AGAIN.en,
    ],
    ar: ({ code, message }, { quoted, text }) => [
      `أجاب خادم المصرف بخطأ (${code === null ? 'بلا رمز' : `الرمز ${text(code)}`}${message === null ? '' : `: ${quoted(message, 120)}`})`,
      AGAIN.ar,
    ],
  }),
  'ofx-without-currency': inWords({
    en: () => ['the statement names no currency', AGAIN.en],
    ar: () => ['الكشف لا يذكر عملة', AGAIN.ar],
  }),
  'line-corrects': inWords({
    en: () => [
      'the line corrects or deletes an earlier one, which looks like a new one here',
      'Export the account once more for the whole period: a fresh file holds the corrected line.',
    ],
    ar: () => [
      'السطر يصحّح سطرًا أسبق أو يحذفه، وهو يبدو هنا سطرًا جديدًا',
      'صدّر الحساب مرة أخرى للمدة كلها: الملف الجديد يحوي السطر المصحَّح.',
    ],
  }),
  'no-amount-ofx': inWords<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, AGAIN.en],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, AGAIN.ar],
  }),
  'no-date-ofx': inWords<{ date: string }>({
    en: ({ date }, { quoted }) => [`${quoted(date)} is not a date`, AGAIN.en],
    ar: ({ date }, { quoted }) => [`${quoted(date)} ليس تاريخًا`, AGAIN.ar],
  }),
  'qif-empty': inWords({
    en: () => [
      'it holds no transactions of a bank, cash or card account',
      'There is nothing to book: export the account.',
    ],
    ar: () => ['ليس فيه حركات حساب مصرفي أو صندوق أو بطاقة', 'لا شيء فيه ليُقيَّد: صدّر الحساب.'],
  }),
  'qif-without-currency': inWords({
    en: () => ['QIF does not say which currency its amounts are in', 'Name it in a map: currency = "USD".'],
    ar: (_, { text }) => ['صيغة QIF لا تذكر عملة مبالغها', `سمِّها في خريطة: ${text('currency = "USD"')}.`],
  }),
  'no-amount-qif': inWords<{ amount: string }>({
    en: ({ amount }, { quoted }) => [`${quoted(amount)} is not an amount`, 'A QIF amount has no currency beside it.'],
    ar: ({ amount }, { quoted }) => [`${quoted(amount)} ليس مبلغًا`, 'المبلغ في QIF بلا عملة إلى جانبه.'],
  }),
  'transaction-lacks': inWords<{ what: 'date' | 'amount' }>({
    en: ({ what }) => [`the transaction has no ${what}`, DAMAGED.en],
    ar: ({ what }) => [`الحركة بلا ${what === 'date' ? 'تاريخ' : 'مبلغ'}`, DAMAGED.ar],
  }),
  'transaction-has-two': inWords<{ what: 'date' | 'amount' }>({
    en: ({ what }) => [`the transaction has two ${what}s`, 'A ^ is missing between two transactions: export it again.'],
    ar: ({ what }) => [`للحركة ${what === 'date' ? 'تاريخان' : 'مبلغان'}`, 'علامة ^ ناقصة بين حركتين: صدّره من جديد.'],
  }),
  'not-ended': inWords({
    en: () => ['the last transaction is not ended by ^', 'The file is cut off: export it again.'],
    ar: () => ['الحركة الأخيرة لا تنتهي بعلامة ^', 'الملف مقطوع: صدّره من جديد.'],
  }),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const because = explainer('banks', BANKS_ERRORS);
