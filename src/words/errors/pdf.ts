import { explainer, wording } from './explain.ts';

const ASK_FOR_CSV = {
  en: 'Ask the sender for the same as CSV or XLSX, which is taken as it stands.',
  ar: 'اطلب من المرسل الملف نفسه بصيغة CSV أو XLSX، فيؤخذ كما هو.',
};

/** A row of a page, with its text. */
interface Row {
  readonly page: number;
  readonly row: string;
}

/** An amount that the PDF states, and by how much it differs from what its rows give. */
interface Figures {
  readonly stated: string;
  readonly apart: string;
}

/** Why a PDF is not taken. */
export const PDF_ERRORS = {
  'pdf-kind': wording<{ kind: string }>(({ kind }, { text }) => ({
    en: [
      `it is a PDF, and ${kind} are not read from one: nothing in it would prove them`,
      'Import them as CSV or XLSX.',
    ],
    ar: [`هو ملف PDF، ولا تُقرأ منه ملفات ${text(kind)}: لا شيء فيه يثبتها`, 'استوردها بصيغة CSV أو XLSX.'],
  })),
  'pdf-damaged': wording(() => ({
    en: ['it is a PDF that cannot be read to its end', 'The file is damaged or cut off: download it again.'],
    ar: ['هو ملف PDF لا يُقرأ حتى آخره', 'الملف تالف أو مقطوع: نزّله من جديد.'],
  })),
  'pdf-protected': wording(() => ({
    en: [
      'it is a PDF that is protected by a password: save it without one, or import it with `--password-file FILE`',
      'The first line of that file is the password. It is kept nowhere.',
    ],
    ar: [
      'هو ملف PDF محمي بكلمة سر: احفظه دونها، أو استورده مع \u2068--password-file FILE\u2069',
      'السطر الأول من ذلك الملف كلمة السر. لا يُحتفظ بها في أي مكان.',
    ],
  })),
  'pdf-password-wrong': wording(() => ({
    en: ['the password is not that of the PDF', 'See that the file of `--password-file` holds it on its first line.'],
    ar: ['كلمة السر ليست كلمة سر ملف PDF', 'تحقّق من أن ملف \u2068--password-file\u2069 يحويها في سطره الأول.'],
  })),
  'pdf-scanned': wording<{ page: number }>(({ page }) => ({
    en: [`its page ${page} holds no text: it is a picture (a scan), or empty`, ASK_FOR_CSV.en],
    ar: [`صفحته ${page} لا نص فيها: هي صورة (ممسوحة) أو فارغة`, ASK_FOR_CSV.ar],
  })),
  'pdf-too-long': wording<{ pages: number; most: number }>(({ pages, most }) => ({
    en: [`it says that it has ${pages} pages, and at most ${most} are read`, 'Export it in parts.'],
    ar: [`يذكر أن عدد صفحاته ${pages}، ولا يُقرأ أكثر من ${most}`, 'صدّره على أجزاء.'],
  })),
  'pdf-too-many-texts': wording<{ most: number }>(({ most }) => ({
    en: [`it holds more than ${most} pieces of text`, 'Export it in parts.'],
    ar: [`فيه أكثر من ${most} قطعة نص`, 'صدّره على أجزاء.'],
  })),
  'pdf-no-table': wording(() => ({
    en: [
      'no line of its pages is like the header of a table',
      'Name its columns in a map: `[maps.NAME]` of remit.toml, with `--map NAME`.',
    ],
    ar: [
      'لا سطر في صفحاته يشبه رأس جدول',
      'سمِّ أعمدته في خريطة: \u2068[maps.NAME]\u2069 في \u2068remit.toml\u2069، مع \u2068--map NAME\u2069.',
    ],
  })),
  'pdf-no-rows': wording(() => ({
    en: ['no way of reading its table gives each line one figure a column', ASK_FOR_CSV.en],
    ar: ['لا قراءة لجدوله تعطي كل سطر رقمًا واحدًا في كل عمود', ASK_FOR_CSV.ar],
  })),
  'pdf-numbers-run-on': wording(() => ({
    en: ['the numbers of its orders or payouts run into the cells beside them', ASK_FOR_CSV.en],
    ar: ['أرقام طلباته أو دفعاته تمتد إلى الخلايا بجانبها', ASK_FOR_CSV.ar],
  })),
  'pdf-two-readings': wording(() => ({
    en: ['its table can be read in two ways that both add up', ASK_FOR_CSV.en],
    ar: ['يُقرأ جدوله بطريقتين كلتاهما تستقيم حسابًا', ASK_FOR_CSV.ar],
  })),
  'pdf-label-twice': wording<{ header: string; values: readonly [string, string] }>(
    ({ header, values: [one, other] }, { quoted }) => ({
      en: [
        `its pages state ${quoted(header)} outside the table as ${quoted(one)} and as ${quoted(other)}, and no column says which row is of which`,
        ASK_FOR_CSV.en,
      ],
      ar: [
        `تذكر صفحاته ${quoted(header)} خارج الجدول مرة ${quoted(one)} ومرة ${quoted(other)}، ولا عمود يقول أي سطر لأيهما`,
        ASK_FOR_CSV.ar,
      ],
    }),
  ),
  'pdf-unproven': wording(() => ({
    en: [
      'it does not prove itself: it states neither a running balance, nor an opening and a closing balance, nor totals of all its lines',
      ASK_FOR_CSV.en,
    ],
    ar: ['لا يثبت نفسه: لا يذكر رصيدًا جاريًا، ولا رصيدًا افتتاحيًا وختاميًا، ولا مجاميع كل أسطره', ASK_FOR_CSV.ar],
  })),
  'pdf-balance-breaks': wording<Row & Figures & { due: string }>(
    ({ page, row, due, stated, apart }, { quoted, text }) => ({
      en: [
        `it does not prove itself: on page ${page} the balance of ${quoted(row, 80)} should be ${due} and is ${stated}, ${apart} apart`,
        `A line before it is missing or was read wrong. ${ASK_FOR_CSV.en}`,
      ],
      ar: [
        `لا يثبت نفسه: الصفحة ${page}، ${quoted(row, 80)}: الرصيد المنتظر ${text(due)} والمذكور ${text(stated)}، والفرق ${text(apart)}`,
        `سطر قبله ناقص أو قُرئ خطأ. ${ASK_FOR_CSV.ar}`,
      ],
    }),
  ),
  'pdf-total-differs': wording<Row & Figures & { sum: string }>(
    ({ page, row, stated, sum, apart }, { quoted, text }) => ({
      en: [
        `it does not prove itself: on page ${page} ${quoted(row, 80)} states ${stated} and its rows come to ${sum}, ${apart} apart`,
        `A row is missing or was read wrong. ${ASK_FOR_CSV.en}`,
      ],
      ar: [
        `لا يثبت نفسه: الصفحة ${page}، ${quoted(row, 80)}: المذكور ${text(stated)} ومجموع الأسطر ${text(sum)}، والفرق ${text(apart)}`,
        `سطر ناقص أو قُرئ خطأ. ${ASK_FOR_CSV.ar}`,
      ],
    }),
  ),
  'pdf-payout-unproven': wording<{ payout: string; currency: string }>(({ payout, currency }, { quoted, text }) => ({
    en: [
      `it does not prove itself: no row of totals states the ${currency} of payout ${quoted(payout)}`,
      `Name the first words of that row in the map: totals_row = "Total". ${ASK_FOR_CSV.en}`,
    ],
    ar: [
      `لا يثبت نفسه: لا سطر مجاميع يذكر مبالغ الدفعة ${quoted(payout)} بعملة ${text(currency)}`,
      `سمِّ أول كلمات ذلك السطر في الخريطة: \u2068totals_row = "Total"\u2069. ${ASK_FOR_CSV.ar}`,
    ],
  })),
  'pdf-columns-unproven': wording<{ payout: string; currency: string; fields: readonly string[] }>(
    ({ payout, currency, fields }, { quoted, list, text }) => ({
      en: [
        `it does not prove itself: the totals of payout ${quoted(payout)} in ${currency} leave out ${list(fields)}`,
        ASK_FOR_CSV.en,
      ],
      ar: [
        `لا يثبت نفسه: مجاميع الدفعة ${quoted(payout)} بعملة ${text(currency)} لا تذكر ${list(fields)}`,
        ASK_FOR_CSV.ar,
      ],
    }),
  ),
  'pdf-payout-differs': wording<
    Figures & { payout: string; currency: string; field: string; page: number; sum: string }
  >(({ payout, field, page, stated, sum, apart }, { quoted, text }) => ({
    en: [
      `it does not prove itself: on page ${page} the totals of payout ${quoted(payout)} state ${stated} of ${field} and its rows come to ${sum}, ${apart} apart`,
      `A row is missing or was read wrong. ${ASK_FOR_CSV.en}`,
    ],
    ar: [
      `لا يثبت نفسه: في الصفحة ${page} مجاميع الدفعة ${quoted(payout)} تذكر ${text(stated)} من ${text(field)} ومجموع الأسطر ${text(sum)}، والفرق ${text(apart)}`,
      `سطر ناقص أو قُرئ خطأ. ${ASK_FOR_CSV.ar}`,
    ],
  })),
  'pdf-net-differs': wording<Row & Figures & { due: string }>(
    ({ page, row, due, stated, apart }, { quoted, text }) => ({
      en: [
        `it does not prove itself: on page ${page} the net of ${quoted(row, 80)} should be ${due} and is ${stated}, ${apart} apart`,
        `A figure of the row is missing or was read wrong. ${ASK_FOR_CSV.en}`,
      ],
      ar: [
        `لا يثبت نفسه: الصفحة ${page}، ${quoted(row, 80)}: الصافي المنتظر ${text(due)} والمذكور ${text(stated)}، والفرق ${text(apart)}`,
        `رقم في السطر ناقص أو قُرئ خطأ. ${ASK_FOR_CSV.ar}`,
      ],
    }),
  ),
};

export const pdfError = explainer('pdf', PDF_ERRORS);
