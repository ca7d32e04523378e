import type { Texts } from '../../base/sentence.ts';
import { explainer, plain, wording } from './explain.ts';
import { CUT, CUT_OR_DAMAGED, DAMAGED, DAMAGED_OR_CUT, DOWNLOAD_AGAIN, NOTHING_TO_BOOK } from './remedies.ts';

const noAmount = (remedy: Texts) =>
  wording<{ amount: string }>(({ amount }, { quoted }) => ({
    en: [`${quoted(amount)} is not an amount`, remedy.en],
    ar: [`${quoted(amount)} ليس مبلغًا`, remedy.ar],
  }));

const noDate = (remedy: Texts) =>
  wording<{ date: string }>(({ date }, { quoted }) => ({
    en: [`${quoted(date)} is not a date`, remedy.en],
    ar: [`${quoted(date)} ليس تاريخًا`, remedy.ar],
  }));

/** What is wrong with a bank's statement. */
export const BANKS_ERRORS = {
  'entry-status': wording<{ status: string }>(({ status }, { quoted }) => ({
    en: [`the entry's status ${quoted(status)} is not known`, 'Ask the bank what it means.'],
    ar: [`حالة القيد ${quoted(status)} غير معروفة`, 'اسأل المصرف عن معناها.'],
  })),
  'entry-without-date': plain('the entry has no date', 'القيد بلا تاريخ', DAMAGED),
  'no-amount': noAmount(DAMAGED),
  'no-direction': wording<{ direction: string }>(({ direction }, { quoted }) => ({
    en: [`${quoted(direction)} says neither CRDT nor DBIT, so that the amount has no direction`, DAMAGED.en],
    ar: [`${quoted(direction)} ليس CRDT ولا DBIT، فلا اتجاه للمبلغ`, DAMAGED.ar],
  })),
  'no-date': noDate(DAMAGED),
  'camt-without-bookings': wording<{ message: string }>(({ message }, { text }) => ({
    en: [`it is a camt.${message} message, which lists no bookings`, 'Ask the bank for camt.053, the statement.'],
    ar: [`هو رسالة ${text(`camt.${text(message)}`)}، وليس فيها قيود`, `اطلب من المصرف ${text('camt.053')}، وهو الكشف.`],
  })),
  'camt-version': wording<{ message: string; version: string }>(({ message, version }, { text }) => ({
    en: [`its version camt.${message}.001.${version} is not known`, 'Ask the bank for version 02 to 13.'],
    ar: [
      `إصداره ${text(`camt.${text(message)}.001.${text(version)}`)} غير معروف`,
      'اطلب من المصرف إصدارًا من 02 إلى 13.',
    ],
  })),
  'no-camt': wording((_, { text }) => ({
    en: ['it is no camt.052, .053 or .054 message', 'Ask the bank for camt.053.'],
    ar: [
      `ليس رسالة ${text('camt.052')} ولا ${text('.053')} ولا ${text('.054')}`,
      `اطلب من المصرف ${text('camt.053')}.`,
    ],
  })),
  'camt-empty': wording((_, { text }) => ({
    en: ['it holds no statement', 'There is nothing to book: ask the bank for camt.053 with its entries.'],
    ar: ['ليس فيه كشف', `لا شيء فيه ليُقيَّد: اطلب من المصرف ${text('camt.053')} بقيوده.`],
  })),
  'statement-without-currency': plain('its statement names no currency', 'كشفه لا يذكر عملة', DAMAGED),
  'before-first-field': wording<{ tag: string }>(({ tag }, { text }) => ({
    en: [`:${tag}: stands before :20:`, CUT.en],
    ar: [`الحقل ${text(`:${text(tag)}:`)} قبل ${text(':20:')}`, CUT.ar],
  })),
  'field-without-end': wording<{ tag: string }>(({ tag }, { text }) => ({
    en: [`:${tag}: goes on without end`, DAMAGED.en],
    ar: [`الحقل ${text(`:${text(tag)}:`)} لا نهاية له`, DAMAGED.ar],
  })),
  'mt940-empty': plain('it holds no statement', 'ليس فيه كشف', NOTHING_TO_BOOK),
  'no-opening-balance': wording((_, { text }) => ({
    en: ['the statement has no opening balance (:60F:)', 'An MT942 is not a statement: ask the bank for MT940.'],
    ar: [`الكشف بلا رصيد افتتاحي (${text(':60F:')})`, 'MT942 ليس كشفًا: اطلب من المصرف MT940.'],
  })),
  'no-closing-balance': wording((_, { text }) => ({
    en: ['it ends before the closing balance (:62F:)', DAMAGED_OR_CUT.en],
    ar: [`ينتهي قبل الرصيد الختامي (${text(':62F:')})`, DAMAGED_OR_CUT.ar],
  })),
  'two-currencies': wording<{ first: string; last: string }>(({ first, last }, { text }) => ({
    en: [`the statement opens in ${first} and closes in ${last}`, DAMAGED_OR_CUT.en],
    ar: [`يبدأ الكشف بعملة ${text(first)} وينتهي بعملة ${text(last)}`, DAMAGED_OR_CUT.ar],
  })),
  'field-twice': wording<{ tag: string }>(({ tag }, { text }) => ({
    en: [`a second :${tag}: stands in one statement`, DAMAGED_OR_CUT.en],
    ar: [`الحقل ${text(`:${text(tag)}:`)} مرتين في كشف واحد`, DAMAGED_OR_CUT.ar],
  })),
  'no-balance': wording<{ field: string }>(({ field }, { quoted }) => ({
    en: [`${quoted(field)} is not a balance`, DAMAGED_OR_CUT.en],
    ar: [`${quoted(field)} ليس رصيدًا`, DAMAGED_OR_CUT.ar],
  })),
  'no-amount-cut': noAmount(DAMAGED_OR_CUT),
  'no-line': wording<{ line: string }>(({ line }, { quoted }) => ({
    en: [`${quoted(line)} is not a line of a statement`, DAMAGED_OR_CUT.en],
    ar: [`${quoted(line)} ليس سطرًا من كشف`, DAMAGED_OR_CUT.ar],
  })),
  'no-date-cut': noDate(DAMAGED_OR_CUT),
  'no-ofx': wording((_, { text }) => ({
    en: ['it has no <OFX> element', CUT_OR_DAMAGED.en],
    ar: [`ليس فيه عنصر ${text('<OFX>')}`, CUT_OR_DAMAGED.ar],
  })),
  'ofx-doctype': wording(() => ({
    en: ['it declares a document type, which can hide entities', "No bank's file does: export it again."],
    ar: ['يصرّح بنوع مستند قد يخفي كيانات', 'لا ملف لمصرف يفعل ذلك: صدّره من جديد.'],
  })),
  'ends-within-tag': plain('it ends within a tag or comment', 'ينتهي داخل وسم أو تعليق', CUT_OR_DAMAGED),
  'ofx-too-deep': wording<{ most: number }>(({ most }) => ({
    en: [`its elements are nested more than ${most} deep`, CUT_OR_DAMAGED.en],
    ar: [`عناصره متداخلة إلى أكثر من ${most} طبقة`, CUT_OR_DAMAGED.ar],
  })),
  'ofx-not-ended': wording((_, { text }) => ({
    en: ['it ends before </OFX>', CUT_OR_DAMAGED.en],
    ar: [`ينتهي قبل ${text('</OFX>')}`, CUT_OR_DAMAGED.ar],
  })),
  'text-between': wording<{ words: string }>(({ words }, { quoted }) => ({
    en: [`the text ${quoted(words)} stands between elements`, CUT_OR_DAMAGED.en],
    ar: [`النص ${quoted(words)} بين العناصر`, CUT_OR_DAMAGED.ar],
  })),
  'closes-nothing': wording<{ name: string }>(({ name }, { text }) => ({
    en: [`</${name}> closes nothing`, CUT_OR_DAMAGED.en],
    ar: [`${text(`</${text(name)}>`)} لا يغلق شيئًا`, CUT_OR_DAMAGED.ar],
  })),
  'never-closed': wording<{ name: string }>(({ name }, { text }) => ({
    en: [`<${name}> is never closed`, CUT_OR_DAMAGED.en],
    ar: [`${text(`<${text(name)}>`)} لا يُغلق أبدًا`, CUT_OR_DAMAGED.ar],
  })),
  'ofx-empty': wording(() => ({
    en: ['it holds no bank or card statement', 'There is nothing to book: export the account as OFX.'],
    ar: ['ليس فيه كشف حساب مصرفي ولا كشف بطاقة', 'لا شيء فيه ليُقيَّد: صدّر الحساب بصيغة OFX.'],
  })),
  'server-error': wording<{ code: string | null; message: string | null }>(({ code, message }, { quoted, text }) => ({
    en: [
      `the bank's server answered with an error (code ${code ?? 'none'}${message === null ? '' : `: ${quoted(message, 120)}`})`,
      DOWNLOAD_AGAIN.en,
    ],
    ar: [
      `أجاب خادم المصرف بخطأ (${code === null ? 'بلا رمز' : `الرمز ${text(code)}`}${message === null ? '' : `: ${quoted(message, 120)}`})`,
      DOWNLOAD_AGAIN.ar,
    ],
  })),
  'ofx-without-currency': plain('the statement names no currency', 'الكشف لا يذكر عملة', DOWNLOAD_AGAIN),
  'line-corrects': wording(() => ({
    en: [
      'the line corrects or deletes an earlier one, which looks like a new one here',
      'Export the account once more for the whole period: a fresh file holds the corrected line.',
    ],
    ar: [
      'السطر يصحّح سطرًا أسبق أو يحذفه، وهو يبدو هنا سطرًا جديدًا',
      'صدّر الحساب مرة أخرى للمدة كلها: الملف الجديد يحوي السطر المصحَّح.',
    ],
  })),
  'no-amount-ofx': noAmount(DOWNLOAD_AGAIN),
  'no-date-ofx': noDate(DOWNLOAD_AGAIN),
  'qif-empty': wording(() => ({
    en: ['it holds no transactions of a bank, cash or card account', 'There is nothing to book: export the account.'],
    ar: ['ليس فيه حركات حساب مصرفي أو صندوق أو بطاقة', 'لا شيء فيه ليُقيَّد: صدّر الحساب.'],
  })),
  'qif-without-currency': wording((_, { text }) => ({
    en: ['QIF does not say which currency its amounts are in', 'Name it in a map: currency = "USD".'],
    ar: ['صيغة QIF لا تذكر عملة مبالغها', `سمِّها في خريطة: ${text('currency = "USD"')}.`],
  })),
  'no-amount-qif': noAmount({
    en: 'A QIF amount has no currency beside it.',
    ar: 'المبلغ في QIF بلا عملة إلى جانبه.',
  }),
  'transaction-lacks': wording<{ what: 'date' | 'amount' }>(({ what }) => ({
    en: [`the transaction has no ${what}`, DAMAGED.en],
    ar: [`الحركة بلا ${what === 'date' ? 'تاريخ' : 'مبلغ'}`, DAMAGED.ar],
  })),
  'transaction-has-two': wording<{ what: 'date' | 'amount' }>(({ what }) => ({
    en: [`the transaction has two ${what}s`, 'A ^ is missing between two transactions: export it again.'],
    ar: [`للحركة ${what === 'date' ? 'تاريخان' : 'مبلغان'}`, 'علامة ^ ناقصة بين حركتين: صدّره من جديد.'],
  })),
  'not-ended': plain('the last transaction is not ended by ^', 'الحركة الأخيرة لا تنتهي بعلامة ^', CUT),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const banksError = explainer('banks', BANKS_ERRORS);
