import type { Explanation } from '../../base/errors.ts';
import { explainer, wording } from './explain.ts';

/** What is wrong with amounts, currencies and dates as a file writes them. */
export const AMOUNTS_ERRORS = {
  'other-decimal-sign': wording<{ amount: string }>(({ amount }, { quoted, text }) => ({
    en: [
      `${quoted(amount)} has another decimal sign than the amounts before it`,
      'Name the decimal sign in a map: decimal = "." or decimal = ",".',
    ],
    ar: [
      `علامة الكسر العشري في ${quoted(amount)} غير التي في المبالغ قبله`,
      `سمِّ علامة الكسر العشري في خريطة: ${text('decimal = "."')} أو ${text('decimal = ","')}.`,
    ],
  })),
  'amount-in-two-ways': wording<{ amount: string }>(({ amount }, { quoted, text }) => ({
    en: [
      `${quoted(amount)} can be read in two ways, and no other amount says which`,
      'Name the decimal sign in a map: decimal = "." where the comma groups thousands, decimal = "," where it is the decimal sign.',
    ],
    ar: [
      `${quoted(amount)} يُقرأ على وجهين، ولا مبلغ آخر يحسم أيّهما`,
      `سمِّ علامة الكسر العشري في خريطة: ${text('decimal = "."')} حيث تفصل الفاصلة الآلاف، و${text('decimal = ","')} حيث هي علامة الكسر.`,
    ],
  })),
  'no-amount': wording<{ amount: string }>(({ amount }, { quoted }) => ({
    en: [`${quoted(amount)} is not an amount`, 'Correct the amount in the file, or leave that row out.'],
    ar: [`${quoted(amount)} ليس مبلغًا`, 'صحّح المبلغ في الملف، أو احذف ذلك السطر.'],
  })),
  /** `decimal`: the decimal sign of its column; null if nothing tells which it is. */
  'amount-not-so-written': wording<{ amount: string; decimal: string | null }>(({ amount, decimal }, { quoted }) => ({
    en: [
      `${quoted(amount)} ${decimal === null ? 'is not written as an amount' : `is not an amount whose decimal sign is ${quoted(decimal)}`}`,
      'Correct the amount, or set decimal and thousands in a map.',
    ],
    ar: [
      `${quoted(amount)} ليس مبلغًا${decimal === null ? '' : ` علامة كسره العشري ${quoted(decimal)}`}`,
      'صحّح المبلغ، أو اضبط decimal وthousands في خريطة.',
    ],
  })),
  'amount-beyond-range': wording<{ amount: string; most: string }>(({ amount, most }, { quoted, text }) => ({
    en: [
      `${quoted(amount)} is beyond what the ledger holds exactly: four decimals, and ${most} at most`,
      'Correct the amount in the file, or leave that row out.',
    ],
    ar: [
      `${quoted(amount)} أكبر مما يحفظه الدفتر بدقة: أربع منازل عشرية، و${text(most)} على الأكثر`,
      'صحّح المبلغ في الملف، أو احذف ذلك السطر.',
    ],
  })),
  'no-currency': wording<{ why: Explanation }>(({ why }, { say }) => ({
    en: [say(why), 'Correct the currency in the file.'],
    ar: [say(why), 'صحّح العملة في الملف.'],
  })),
  'no-date-form': wording<{ form: string }>(({ form }, { quoted, text }) => ({
    en: [`the map's date ${quoted(form)} is no form of a date`, 'Write it as DD/MM/YYYY, MM/DD/YY or YYYY-MM-DD.'],
    ar: [
      `${quoted(form)} في الخريطة ليس صيغة تاريخ`,
      `اكتبها ${text('DD/MM/YYYY')} أو ${text('MM/DD/YY')} أو ${text('YYYY-MM-DD')}.`,
    ],
  })),
  'date-other-order': wording<{ date: string }>(({ date }, { quoted }) => ({
    en: [
      `${quoted(date)} has its day where dates before it have the month`,
      'Correct the dates in the file, so that all are written alike.',
    ],
    ar: [`في ${quoted(date)} اليوم حيث الشهر في التواريخ قبله`, 'صحّح التواريخ في الملف لتُكتب كلها على نحو واحد.'],
  })),
  'date-in-two-ways': wording<{ date: string; forms: readonly [dayFirst: string, monthFirst: string] }>(
    ({ date, forms }, { quoted, text }) => ({
      en: [
        `${quoted(date)} can be read in two ways, and no other date says which`,
        `Name the order in a map: date = "${forms[0]}" or date = "${forms[1]}".`,
      ],
      ar: [
        `${quoted(date)} يُقرأ على وجهين، ولا تاريخ آخر يحسم أيّهما`,
        `سمِّ الترتيب في خريطة: ${text(`date = "${forms[0]}"`)} أو ${text(`date = "${forms[1]}"`)}.`,
      ],
    }),
  ),
  /** `form`: the form of dates that the map names, as `DD/MM/YYYY`; null if none is named. */
  'no-date': wording<{ date: string; form: string | null }>(({ date, form }, { quoted, text }) => ({
    en: [
      `${quoted(date)} is not a date${form === null ? '' : ` written as ${form}`}`,
      'Correct the date in the file, or name its form in a map: date = "DD/MM/YYYY".',
    ],
    ar: [
      `${quoted(date)} ليس تاريخًا${form === null ? '' : ` مكتوبًا ${text(form)}`}`,
      `صحّح التاريخ في الملف، أو سمِّ صيغته في خريطة: ${text('date = "DD/MM/YYYY"')}.`,
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const amountsError = explainer('amounts', AMOUNTS_ERRORS);
