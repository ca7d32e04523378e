/*
 * What is read from left to right needs marks that isolate it. `money`, `order`, `list`, `state`, and parameters that
 * are days and times have them already. For words from outside use `text`, which cleans them and cuts them to 60
 * characters, or `textApart(cleanText(...))` if nothing may be cut. For figures, hashes and percentages use
 * `figureApart`. An invoice's number, which is digits alone, and a currency's code need none.
 */

import type { ClaimWhat } from '../../reports/claim/sentences.ts';
import { countGrouped } from '../base/counted.ts';
import type { Plural, Speech, WordsFor } from '../base/sentence.ts';
import { cleanText } from '../base/text.ts';
import { arabicNoun } from './arabic-noun.ts';
import { figureApart, textApart } from './direction.ts';
import { sayInArabic } from './errors/index.ts';
import { codeCounts, makeLanguage, type SmallWords } from './language.ts';
import type { SpokenSentence } from './sentences.ts';
import { COLUMNS, cellsIn, nounOf, STATES, termsIn, wordsIn } from './terms.ts';

/** With Latin digits, as the cells around them have. */
const LOCALE = 'ar-LB-u-nu-latn';
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Nouns after a count: the singular, and the plural that follows three to ten. */
const NOUNS = {
  order: ['طلب', 'طلبات'],
  invoice: ['فاتورة', 'فواتير'],
  line: ['سطر', 'أسطر'],
  finding: ['فرق', 'فروقات'],
  warning: ['تنبيه', 'تنبيهات'],
  note: ['ملاحظة', 'ملاحظات'],
  claim: ['مطالبة', 'مطالبات'],
  day: ['يوم', 'أيام'],
  hour: ['ساعة', 'ساعات'],
} as const;

/** Counted nouns as the subject of a sentence, and after a preposition or another noun. */
const COUNTED = nounsAs('subject');
const OF_COUNTED = nounsAs('genitive');
/** A singular that ends in hamza: `arabicNoun` would write its dual and its accusative wrongly. */
const ERRORS = { one: 'خطأ واحد', two: 'خطآن', few: 'أخطاء', many: 'خطأً', other: 'خطأ' };

/** The Arabic terms that sentences use. */
const HEADINGS = termsIn(COLUMNS, 'ar');
const WORDS = wordsIn('ar');
const MATCHED_BY: Readonly<Record<string, string>> = WORDS.matchedBy;
const DIFFERENCES: Readonly<Record<string, string>> = WORDS.difference;

const AR_DATES = {
  month: (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`)),
  day: (day: string) => DAY.format(startOf(day)),
  date: (day: string) => DATE.format(startOf(day)),
};

/** Inside a sentence, marks isolate a day. */
function startOf(day: string): Date {
  return new Date(`${day.replace(/[^\d-]/g, '')}T00:00:00Z`);
}

const AR_SMALL_WORDS: SmallWords = {
  states: termsIn(STATES, 'ar'),
  and: ' و',
  comma: '، ',
  more: (count) => `${count} غيرها`,
  less: (amount) => `أقل بمقدار ${amount}`,
  greater: (amount) => `أكثر بمقدار ${amount}`,
  order: (id) => `الطلب ${id}`,
  reference: (reference) => ` (المرجع «${reference}»)`,
  fields: { cod: 'المحصَّل', delivery_fee: 'رسم التوصيل', net_due_to_merchant: 'الصافي المستحق' },
};

const RETURNS: Readonly<Record<string, string>> = {
  'as-stated': 'تُجمع كما هي مذكورة',
  deducted: 'تُخصم من المحصَّل',
  charged: 'تُضاف إلى الرسوم',
  separate: 'تُخصم من الصافي',
};
const {
  severity: SEVERITIES,
  where: WHERE = {},
  rule: RULES = {},
  whose: WHOSE = {},
  state: CLAIM_STATES = {},
} = cellsIn('ar');
const STEP_NOUNS = { delivery: OF_COUNTED.order, invoicing: OF_COUNTED.order, payment: OF_COUNTED.invoice };

const BY_FLAG =
  'بحسب علامة الدفع لدى شركة التوصيل لا بحسب المقبوضات: يُعدّ المال مقبوضًا يوم أظهرت مزامنة الفاتورة مدفوعة أول مرة، ودفعة كشف التسوية بتاريخها هي';

/** What checks compare with the other side. */
const COMPARED = {
  row: OF_COUNTED.line,
  invoice: OF_COUNTED.invoice,
  order: OF_COUNTED.order,
  'own-order': {
    one: 'طلب واحد في سجلّك',
    two: 'طلبين في سجلّك',
    few: 'طلبات في سجلّك',
    many: 'طلبًا في سجلّك',
    other: 'طلب في سجلّك',
  },
} as const;

/** Every sentence in Arabic, without those of the checks, which are in the checks' own files. */
const AR: WordsFor<SpokenSentence> = {
  said: ({ text }) => text,
  error: ({ why }, { say }) => say(why.sentence),
  'courier-without-statement': ({ courier, why }, { say, text }) =>
    `لا كشف لـ${text(courier)} وليست في أي مجموع: ${say(why)}.`,
  'of-courier': ({ courier, note }, { say, text }) => `${text(courier)}: ${say(note)}`,
  'with-remedy': ({ why, commands }, { say }) =>
    `${say(why)}؛ شغّل ${commands.map((command) => `\`${command}\``).join(' أو ')}`,

  // The web desk.
  desk: ({ word }) => WORDS.desk[word],
  'desk-found': ({ count: found }, { count }) => count(found, COUNTED.finding),
  'desk-open': ({ error, warning, info }, { count }) =>
    `فروقات مفتوحة: ${count(error, ERRORS)} · ${count(warning, COUNTED.warning)} · ${count(info, COUNTED.note)}`,
  'desk-age': ({ hours }, { count }) => {
    if (hours < 1) return 'قبل أقل من ساعة';
    return `قبل ${hours < 48 ? count(hours, OF_COUNTED.hour) : count(Math.floor(hours / 24), OF_COUNTED.day)}`;
  },
  decided: ({ done }, { count, money, text }) => {
    const parts = done.map(({ what, count: times, sums, file }) => {
      const term = WORDS.done[what as keyof typeof WORDS.done] ?? `${what}: #`;
      const things = count(times, OF_COUNTED[nounOf(what)]);
      const said = term.replace('#', () => (file === undefined ? things : `${things} من ${text(file)}`));
      const of = sums.map(({ amount, currency }) => money(amount, currency)).join('، ');
      return `${said}${of === '' ? '' : ` (${of})`}`;
    });
    return parts.length === 0 ? 'لم يتغيّر شيء.' : `${parts.join('؛ ')}.`;
  },
  decide: ({ decision, of = '', findings = 0, lines = 0, sums = [] }, { count, money }) => {
    const verb = WORDS.decide[decision];
    // `أقفل فرقًا واحدًا`: a verb alone takes an object. `سجّل الاطلاع على فرق واحد`: of several words the last one, a noun
    // or a preposition, takes a genitive.
    const as = verb.includes(' ') ? 'genitive' : 'object';
    const what = [
      ...(findings === 0 ? [] : [count(findings, nounsAs(as).finding)]),
      ...(lines === 0 ? [] : [count(lines, nounsAs(as).line)]),
      ...sums.map(({ amount, currency }) => money(amount, currency)),
    ];
    const after = [of, what.join('، ')].filter((part) => part !== '').join(' ');
    // With nothing after it, the preposition at its end goes: `قدّم مطالبة عن` becomes `قدّم مطالبة`.
    return after === '' ? verb.replace(/ (?:عن|على)$/, '') : `${verb} ${after}`;
  },
  'sync-runs': () => 'المزامنة جارية.',
  'sync-cancelled': () => 'أُلغيت المزامنة. ما جلبته محفوظ.',
  synced: ({ status, fetched, failed, changed }, { count }) => {
    const brought = [
      `قُرئت ${count(fetched, COUNTED.invoice)}`,
      `تغيّر أو استجدّ ${count(changed, COUNTED.order)}`,
      ...(failed === 0 ? [] : [`تعذّرت قراءة ${count(failed, OF_COUNTED.invoice)}`]),
    ];
    return `${status === 'complete' ? 'تمت المزامنة' : 'تمت المزامنة جزئيًا'}: ${brought.join('، ')}. فُحصت الأشهر من جديد.`;
  },
  'import-known': () => 'استُورد من قبل، ولا جديد فيه.',
  'payer-lines': ({ lines }, { count }) =>
    count(lines, {
      one: 'سطر واحد يطابق فاتورة',
      two: 'سطران يطابقان فاتورتين',
      few: 'أسطر تطابق فواتير',
      many: 'سطرًا يطابق فواتير',
      other: 'سطر يطابق فواتير',
    }),
  'payer-is': ({ payer, courier }, { text }) => `${text(payer)} يدفع عن ${courier === '' ? 'الشركة' : text(courier)}`,
  'payer-saved': ({ payer }, { text }) => `${text(payer)} يدفع عن الشركة: هذا في الإعدادات من الآن.`,
  'about-invoice': ({ invoice, receipts }, { list, text }) =>
    `الفاتورة ${text(String(invoice))}${receipts.length === 0 ? '' : `، سدّدها ${receipts.length === 1 ? 'المقبوض' : 'المقبوضات'} ${list(receipts)}`}`,
  'about-import': ({ file, lines }, { count, text }) => `${text(file)}: ${count(lines, COUNTED.line)}`,
  'about-file': ({ file, lines, from, to }, { count, text }) =>
    `${text(file)}: ${count(lines, COUNTED.line)}، ${from === to ? AR_DATES.date(from) : `من ${AR_DATES.date(from)} إلى ${AR_DATES.date(to)}`}`,
  'decision-waits': ({ decision }) => `القرار رقم ${decision} ينتظر شخصًا ثانيًا؛ لا يتغيّر شيء حتى ذلك الحين.`,
  'policy-changed': ({ changes }, { text }) => `تغيّرت سياسة الموافقات في الدفاتر: ${changes.map(text).join('، ')}.`,
  'desk-decision': ({ kind }) => WORDS.decided[kind as keyof typeof WORDS.decided] ?? kind,

  // The documents behind a mismatch.
  'side-row': ({ row, invoice }) => `السطر ${row} من الفاتورة ${invoice}`,
  'side-record': () => 'سجلّ الطلب نفسه',
  'side-listed': ({ month }) => `سطرها في قائمة ${month}`,
  'side-detail': () => 'تفاصيلها',
  'side-invoice': ({ invoice }) => `الفاتورة ${invoice}`,
  'side-own-book': () => 'سجلّ طلباتك',
  'side-rate-card': ({ lines }) => `لائحة الأسعار: ${lines.join('، ')}`,
  'side-rows': () => 'مجموع أسطرها',
  'side-cod-less-fees': () => 'محصَّلها ناقصًا ما يُقتطع',
  'side-receipt': ({ receipt }) => `سطر المصرف، المقبوض ${receipt}`,

  // The causes of findings.
  'cause-of-one': ({ code, invoice, order, subject, count }, speech) => {
    const about =
      invoice === null ? (order === null ? speech.text(subject) : speech.order(order, null)) : `الفاتورة ${invoice}`;
    return `${speech.finds(code)}: ${about}${count > 1 ? ` (العدد ${count})` : ''}`;
  },

  // Why a check cannot look.
  'sheets-without-order-book': () => 'شركة التوصيل ترسل كشوف تسوية ولا تُظهر سجلّ طلبات',
  'order-book-never-synced': () => 'لم تجرِ مزامنة سجلّ الطلبات قط',
  'no-order-ever-read': () => 'لم يُقرأ أي طلب من سجلّ الطلبات قط',
  'order-book-never-whole': () => 'لم تأتِ أي مزامنة بسجلّ الطلبات كاملًا بعد',
  'only-one-sync': () => 'يقارن مزامنتين ولم تكن إلا واحدة؛ يعمل ابتداءً من التالية',
  'only-one-order-book': () => 'يقارن مزامنتين لسجلّ الطلبات؛ يعمل ابتداءً من `remit sync --orders` التالية',
  'no-close': () => 'يقارن بإقفال ولم يُقفل أي شهر؛ `remit close` يقفل شهرًا',
  'no-own-order-book': () => 'لم يُستورد سجلّ طلبات خاص بك',
  'no-receipts': () => 'لم يُستورد كشف مصرفي ولا دفتر صندوق',
  'no-rate-card': ({ fees }) => `لم تُستورد لائحة أسعار${fees === 'uncompared' ? ' فلا يمكن مقارنة أي رسم' : ''}`,
  'rate-card-of-others': ({ fees }) =>
    `ليس في لائحة الأسعار سطر لهذه الشركة${fees === 'uncompared' ? ' فلا يمكن مقارنة أي رسم' : ''}`,
  'no-exchange-rates': () => 'لم يُستورد جدول أسعار صرف',

  // Why the ledger may not hold all of a month.
  'month-never-synced': () => 'لم تجرِ مزامنته قط',
  'month-without-sheet': () => 'لا يغطيه أي كشف تسوية',
  'list-in-part': ({ why }) => `لم تأتِ آخر قراءة لقائمته بها كاملة${reasonPart(why)}`,
  'detail-missing': ({ invoices }, { list }) => `لم تُقرأ قط تفاصيل ${theInvoices(invoices)} ${list(invoices)}`,
  'detail-superseded': ({ invoices, why }, speech) =>
    `تعذّر جلب نسخة أحدث من ${theInvoices(invoices)} ${speech.list(invoices)} أو قراءتها، فتظهر أرقام أقدم${reasonPart(why)}`,
  'list-unreadable': ({ places, why }, speech) => `لا تُقرأ قائمته عند ${speech.list(places)}${reasonPart(why)}`,
  'sync-unfinished': ({ on, status }) =>
    ({
      running: `مزامنة ${on} ما زالت جارية أو قُطعت`,
      partial: `لم تأتِ مزامنة ${on} به كاملًا`,
      failed: `فشلت مزامنة ${on} قبل أن تصل إليه`,
      interrupted: `أُوقفت مزامنة ${on} قبل أن تصل إليه`,
    })[status],
  'order-book-of-day': ({ on, whole }) =>
    `سجلّ الطلبات بتاريخ ${on} في ما قد يتغيّر من طلباته؛ وقُرئ كاملًا آخر مرة في ${whole}`,
  'left-undone': ({ on, why }, { text }) => `لم تطلب مزامنة ${on} كل ما استحقّ منه: ${text(why)}`,
  'order-book-left': ({ on, why }, { text }) => `لم تطلب مزامنة ${on} كل ما استحقّ من سجلّ الطلبات: ${text(why)}`,
  'order-book-in-part': ({ why }) => `لم تأتِ آخر قراءة لسجلّ الطلبات به كاملًا${reasonPart(why)}`,
  'not-compared': ({ what, count, money, why }, speech) =>
    `لم تتم مقارنة ${speech.count(count, COMPARED[what])} (${speech.list(money.map(({ currency, amount }) => speech.money(amount, currency)))}): ${speech.say(why)}`,
  'list-read-early': ({ on }) => `قُرئت قائمته آخر مرة في ${on} قبل نهاية الشهر`,

  // Why remit moved a mismatch, or a claim on it.
  'no-longer-shown': () => 'لم تعد البيانات تُظهره',
  'import-undone': () => 'تُراجع عن استيراده',
  'shown-again': () => 'عادت البيانات تُظهره',
  'figures-changed': ({ before, after }) =>
    `تغيّرت أرقامه: كان ${textApart(before ?? 'لا شيء')} وصار ${textApart(after ?? 'لا شيء')}`,
  'words-changed': () => 'تغيّر ما يقوله',
  'effect-changed': () => 'تغيّر مقداره',
  'claim-goes-on': ({ from, to }) => `الدين تُظهره نتيجة أخرى الآن: المطالبة بـ${from} مستمرة مع ${to}`,

  // The workbook of a statement.
  'workbook/page-of-pages': ({ page, pages }) => `صفحة ${page} من ${pages}`,
  'workbook/choose-one': ({ words }) => `اختر واحدة من: ${words.join('، ')}`,
  'workbook/amounts-as-text': ({ count }) =>
    `المبالغ على خلفية صفراء (${count}) فيها أرقام أكثر مما يتّسع له رقم في جدول حسابات، فكُتبت نصًا كي لا يضيع منها شيء، ولا تجمعها أي معادلة.`,
  'statement/title': ({ month }) => `كشف ${month}`,
  'statement/heading': ({ monthInWords }) => `كشف الدفع عند الاستلام، ${monthInWords}`,

  'statement/side': ({ currency, side }) => `${currency}: ${WORDS.side[side]}`,
  'statement/then-unexplained': ({ amount, currency }, { money }) =>
    `؛ ${money(amount, currency)} بين رقم شركة التوصيل ورقمنا دون تفسير`,
  'statement/then-not-compared': ({ amount, currency }, { money }) => `؛ ${money(amount, currency)} لم يُقارن`,

  'statement/other-steps': ({ count }) => `خطوات أخرى: ${count} (انظر التفاصيل)`,
  'statement/other-causes': ({ count }) => `أسباب أخرى: ${count}؛ انظر الفروقات.`,
  'statement/chain': ({ chain }) => `السلسلة ${figureApart(chain)}`,

  'statement/days': ({ from, to }) => `من ${from} إلى ${to}، بحسب قائمة فواتير الشركة نفسها`,
  'statement/closed': ({ by, time, withOpen }, { text }) =>
    `أقفله ${text(by)} في ${time} بالتوقيت العالمي${withOpen === null ? '' : ` مع ما بقي مفتوحًا (${textApart(cleanText(withOpen))})`}`,
  'statement/status-word': ({ status }) => (status === 'draft' ? 'مسودة' : 'مقفل'),
  'statement/as-of-time': ({ time }) => `${time} بالتوقيت العالمي، عند انتهاء آخر مزامنة للشهر`,

  'statement/closing-at': ({ day }) => `الرصيد الختامي في ${AR_DATES.day(day)}`,
  'statement/finding': ({ code }, { finds }) => finds(code),
  'statement/as-sentence': ({ says }, { say }) => `${say(says)}.`,

  'statement/counts': ({ invoices, orders }) =>
    `الفواتير: ${countGrouped(invoices)}، الطلبات: ${countGrouped(orders)}. لا تُجمع العملات بعضها مع بعض أبدًا.`,

  'statement/found-since': ({ codes }, speech) => `فروقات وُجدت منذ ذلك الحين: ${codeCounts(codes, speech)}.`,
  'statement/resolved-since': ({ codes }, speech) => `فروقات حُلّت منذ ذلك الحين: ${codeCounts(codes, speech)}.`,
  'statement/invoices-since': ({ what, numbers }, { list }) => `${WORDS.invoicesSince[what]}: ${list(numbers, 10)}.`,
  'statement/orders-since': ({ count }) => `طلبات في هذه الفواتير عُدّل سجلّها أو اختفى أو عاد: ${count}.`,
  'statement/compared-with': ({ time, evidence }) =>
    `مقارنةً بالكشف الذي كُتب في ${time} بالتوقيت العالمي (السطر ${evidence} من الأدلة)، آخر كشف قبل أن يُعرف شيء أحدث.`,

  'statement/effect-in': ({ currency }) => `الأثر ${currency}`,
  'statement/severity': ({ severity }) => SEVERITIES![severity]!,
  'statement/severity-line': ({ severity }) => WORDS.severityLine[severity],

  'statement/months-of': ({ currency }) => `الأشهر الأخيرة، ${currency}`,

  'statement/term': ({ term }) => WORDS.term[term],
  'statement/definition': ({ term }) => WORDS.definition[term],
  'statement/evidence-row': ({ row, chain }) =>
    `${figureApart(chain)} (السطر ${row}؛ وفي أسفل كل صفحة أول 12 رقمًا منه)`,

  // Why something could not be compared.
  'not-comparable': ({ by, why }, { say, text }) =>
    `لا يُقارن: ${by.map(({ code, count }) => `${count} في ${text(code)}`).join('، ')}: ${say(why)}`,
  'order-book-older-than-invoice': () => 'سجلّ الطلبات أقدم من الفاتورة',
  'order-book-older-and-lacks-order': () => 'سجلّ الطلبات أقدم من الفاتورة وليس فيه الطلب',
  'returns-convention-unknown': () =>
    'لا تبيّن الفواتير كيف تحتسب شركة التوصيل طلبات الإرجاع: اسألها واضبط `returns` في remit.toml',
  'order-record-unreadable': () => 'تعذّرت قراءة سجلّ الطلب',
  'linked-invoice-unsure': () => 'الفاتورة التي يذكرها الطلب أحدث من سجلّ الطلبات، أو من شهر لم تكتمل مزامنته',
  'invoices-left-undone': () => 'لم تُطلب بعدُ كل الفواتير الصادرة منذ التسليم',
  'linked-invoice-unread': () => 'يذكر الطلب فاتورة لم تُقرأ أو من شهر لم تكتمل مزامنته',
  'reference-on-several-orders': () => 'المرجع على عدة طلبات فلا يمكن اختيار أحدها',
  'own-book-lacks-order': () => 'سجلّك لا يحوي الطلب',
  'own-book-lacks-order-or-has-several': () => 'سجلّك لا يحوي الطلب، أو يحوي عدة طلبات بمرجعه',
  'older-than-own-book': () => 'الطلب أقدم من سجلّك',
  'ordered-since-order-book': () => 'طُلب يوم آخر سجلّ طلبات كامل أو بعده',
  'record-without-fee': () => 'سجلّ الطلب لا يذكر رسمًا',
  'no-price-agreed': () => 'ليس في لائحة الأسعار سعر للطلب',
  'price-needs-order-book': () => 'السعر المتفق عليه يتوقف على ما لا يعرفه من الطلب إلا سجلّ الشركة',
  'price-needs-more-of-order': () =>
    'السعر المتفق عليه يتوقف على ما لا يذكره من الطلب كشف التسوية ولا سجلّك، مثل منطقته',
  'payment-window-not-imported': ({ currency }) =>
    `لم تُستورد مقبوضات بعملة ${currency} لكامل مهلة الدفع من حساب تدفع فيه الشركة`,
  'payment-window-gap': ({ account, currency, after, before, amount }, { money }) => {
    const whose = account === null ? 'الحساب' : `الحساب ${account}`;
    return amount === null
      ? `لا يُظهر أي ملف ما تحرّك على ${whose} بعملة ${currency} بعد ${after} وقبل ${before}`
      : `تحرّك ${money(amount, currency)} على ${whose} بعد ${after} وقبل ${before} ولا يُظهره أي ملف مستورد`;
  },
  'no-receipts-in-currency': ({ currency }) =>
    `لم تُستورد قط مقبوضات بعملة ${currency}، فتُسوّى فواتيرها بقول الشركة إنها مدفوعة`,
  'no-rate-by-day': () => 'ليس في الجدول سعر للعملتين في ذلك اليوم أو قبله',
  'sheet-without-list': () => 'لا قائمة بجانب كشف التسوية',
  'sheet-without-states': () => 'لا يذكر كشف التسوية حالات طلباته',
  'sheet-without-totals': ({ field }, { field: name }) =>
    `لا يذكر كشف التسوية مجموعًا لبند «${name(field)}»، فهو مجموع أسطره`,
  'list-newer-than-invoice': () => 'تغيّرت القائمة بعد أن قُرئت الفاتورة نفسها',
  'list-row-unreadable': () => 'تعذّرت قراءة سطر الفاتورة في القائمة',

  // Every report of a period: months that were not synced, or not whole.
  'months-never-synced': ({ months, bySheets, command }, { list }) =>
    `${uncovered(list(months), bySheets)}: ${months.length === 1 ? 'فواتيره' : 'فواتيرها'} ليست في أي رقم هنا؛ شغّل \`${command}\`.`,
  'journal-months-not-synced': ({ months, bySheets, command }, { list }) =>
    `${uncovered(list(months), bySheets)}: لم تُقيَّد ${months.length === 1 ? 'فواتيره وتسليماته' : 'فواتيرها وتسليماتها'}؛ شغّل \`${command}\`.`,
  'month-listed-in-part': ({ month }) =>
    `لم تأتِ آخر مزامنة لشهر ${month} بكل فاتورة تذكرها الشركة؛ شغّل \`remit sync ${month}\`.`,
  'invoices-not-in-report': ({ month, missing, listed }) =>
    `من الفواتير التي تذكرها الشركة لشهر ${month}، وعددها ${listed}، تعذّر جلب ${missing} أو قراءتها، وليست في أي رقم هنا؛ يسمّيها \`remit sync ${month}\`.`,
  'month-without-invoices': ({ month }) => `جرت مزامنة ${month} ولا فاتورة فيه.`,

  // Closed months.
  'month-closed': ({ month, by, on, isFrozen }) =>
    `أُقفل ${month} على يد ${textApart(cleanText(by))} في ${on}: ${
      isFrozen
        ? 'سطره كما كان حينها، وما عُرف بعد ذلك يُقيّد في الشهر الذي عُرف فيه.'
        : 'إن تغيّر رقم بعد ذلك يُظهره `remit check` باسم closed-period-changed.'
    }`,

  // How the net was settled: totals, invoices, ageing, statement.
  'outstanding-basis': ({ basis }) => {
    if (basis === 'courier') {
      return 'غير المسدَّد بحسب علامة الدفع لدى شركة التوصيل: لا مقبوضات لمدة سداد هذه الفواتير، وما تذكر الشركة أنه مدفوع يُعدّ مدفوعًا دون إثبات.';
    }
    const formula = 'غير المسدَّد = الصافي المستحق − المقبوضات المطابَقة − الفروق المتفق عليها';
    if (basis === 'receipts') return `${formula}.`;
    return `${formula}؛ وحيث لا مقبوضات لمدة سداد الفاتورة يُعدّ ما تذكر الشركة أنه مدفوع مدفوعًا («مذكور مدفوعًا دون إثبات»).`;
  },

  // Ageing, open items.
  'open-at': ({ day, isClosed }) =>
    `المفتوح هو الرصيد في نهاية ${day}${isClosed ? ' كما جُمّد عند الإقفال' : ''}: الصافي المستحق ناقصًا ما قُبض وما اتُّفق عليه حتى ذلك اليوم. والمقبوضات التي لا تفسّرها فاتورة حتى ذلك اليوم غير مخصَّصة، وهي سالبة. والمقبوض بعد ذلك ما ورد بعد ذلك اليوم، والمسوّى ما اتُّفق عليه أو شُطب بعده، والمعدَّل ما تغيّر غير ذلك: تعديل، أو مقبوض سابق أخذته فاتورة لاحقة أو لم يعد يسدّد شيئًا أو عُرف بعد الإقفال؛ والمفتوح اليوم ما بقي من الفواتير والمقبوضات حتى ذلك اليوم بحسب كل ما هو معروف؛ وما كان مسوّى حينها ثم فُتح ثانيةً فمفتوحه 0.00.`,
  'age-shares': ({ currency, shares }) =>
    `${currency}: ${shares.map(({ age, percent }) => `${figureApart(`${percent}%`)} عمرها ${HEADINGS[age]!.replace(/\d+-\d+/, figureApart)}`).join('، ')}.`,

  // Custody.
  'custody-at': ({ day, aged, days }, speech) =>
    `أين محصَّل ما سُلّم حتى ${day}. وهو مقبوض حيث لا تترك المقبوضات والفروق المتفق عليها شيئًا مفتوحًا من فاتورة الطلب، وإلا فحالة دفعه تقول أين هو. وتُحسب الأيام من يوم وصول المال إلى هناك حتى ${aged}. ${
      days === null
        ? 'ولا يُعدّ شيء متأخّرًا لأن `custody_days` غير مضبوط.'
        : `والمتأخّر ما بقي هناك أكثر مما يقوله \`custody_days\`: ${speech.list(
            Object.entries(days).map(([place, most]) => `${WHERE[place]} ${speech.count(most, COUNTED.day)}`),
          )}.`
    }`,
  'custody-ages': ({ currency, ages, oldest }, speech) =>
    `ما لم يُدفع بعد بحسب العمر: ${ages.map(({ age, amount }) => `${speech.money(amount, currency)} ${HEADINGS[age]!.replace(/\d+-\d+/, figureApart)}`).join('، ')}؛ والأقدم ${speech.order(oldest.order, null)} هناك منذ ${figureApart(oldest.since)}.`,
  'custody-tie': ({ currency, notInvoiced, receivable, steps, closing }, speech) =>
    `لم يُفوتر بعد ${speech.money(notInvoiced, currency)}. ومن المستحق قبضه إلى الرصيد: ${[
      speech.money(receivable, currency),
      ...steps.map(({ step, amount }) => `${speech.say({ id: `custody/${step}` })} ${speech.money(amount, currency)}`),
      `الرصيد الختامي ${speech.money(closing, currency)}`,
    ].join('؛ ')}.`,
  'custody-unknown': ({ currency, amount, count, orders }, speech) =>
    `حالة دفع ${speech.count(count, OF_COUNTED.order)} بمبلغ ${speech.money(amount, currency)} لا تقول أين المال: ${speech.list(orders, orders.length)}${count > orders.length ? '، ...' : ''}.`,

  // Cash forecast.
  'forecast-way': ({ steps }, speech) =>
    steps
      .map(({ step, days, seen }) => {
        if (days === null) return `${WORDS.step[step]}: ما شوهد لا يكفي (العدد ${seen})`;
        return `${WORDS.step[step]}: ${speech.count(days, COUNTED.day)}، بحسب ${speech.count(seen, STEP_NOUNS[step])}`;
      })
      .join('؛ '),
  'forecast-from': ({ day, period }) =>
    `بحسب ما عرفه الدفتر في ${day}، وما استغرقته كل خطوة في ${period}. الأيام التي قبله أيام كان ينبغي أن يصل فيها المال.`,
  'forecast-step': ({ step, days, seen, least }, speech) =>
    days === null
      ? `${WORDS.step[step]}: ما شوهد لا يكفي لتحديد يوم (العدد ${seen}، والحد الأدنى ${least})؛ ولا يوم لما ينتظرها.`
      : `${WORDS.step[step]}: الوسيط ${speech.count(days, COUNTED.day)}، بحسب ${speech.count(seen, STEP_NOUNS[step])}.`,
  'forecast-unallocated': () => 'ورد من قبل ولا تفسّره فاتورة بعد',
  'forecast-counts-transit-whole': () => 'ما في الطريق يُحسب كاملًا: الطرد الذي يعود لا يأتي بشيء.',
  'forecast-without-order-book': ({ bySheets }) =>
    bySheets
      ? 'شركة التوصيل ترسل كشوف تسوية ولا تُظهر سجلّ طلبات: ما في الطريق وما سُلّم لا يظهر هنا.'
      : 'لم تجرِ مزامنة سجلّ الطلبات كاملًا: ما في الطريق وما سُلّم لا يظهر، أو لا يظهر كله. شغّل `remit sync --orders`.',

  // Fees.
  'charges-of-one-kind': () => 'تذكر الشركة رسمًا واحدًا: كله تحت delivery.',
  'fees-without-places': () => 'لا يذكر سجلّ أي طلب قضاءً أو منطقة: `remit sync --orders` يجلبها.',
  'return-fees-are-none': () => 'لا تحتسب الشركة رسمًا على طلبات الإرجاع: فما تذكره أسطرها منه هو 0.00 هنا.',
  'fee-an-order-rounded': () => 'رسم الطلب الواحد مقرَّب إلى منزلتين عشريتين؛ وكل مبلغ سواه مضبوط.',

  // Lag.
  lag: ({ step, median, percentile90, most, of }, speech) =>
    step === 'invoicing'
      ? `من التسليم إلى الفاتورة: الوسيط ${speech.count(median, COUNTED.day)}، المئين التسعون ${percentile90}، الأطول ${most}، بحسب ${speech.count(of, OF_COUNTED.order)}.`
      : `من الفاتورة إلى أن شوهدت مدفوعة: الوسيط ${speech.count(median, COUNTED.day)}، المئين التسعون ${percentile90}، الأطول ${most}، بحسب ${speech.count(of, OF_COUNTED.invoice)}.`,
  'lag-outliers': () =>
    'القيمة الشاذة تجاوزت الربيع الثالث بأكثر من مرة ونصف المدى بين الربيعين. الفاتورة التي كانت مدفوعة عند أول مشاهدة لا يوم سداد لها.',

  // Mismatches, and the states of the claims on them.
  'no-mismatch-stored': ({ period }) => `لا فروقات محفوظة؛ \`remit check ${period}\` يبحث عنها.`,
  'claim-state': ({ state, answer, on }) => {
    const answered = answer === null ? '' : ` (${{ accepted: 'قُبلت', refused: 'رُفضت', other: 'جواب آخر' }[answer]})`;
    return `${CLAIM_STATES[state] ?? state}${answered} في ${on}`;
  },

  // Not invoiced.
  'not-invoiced-unsure': ({ orderBook }) =>
    ({
      none: 'لم تجرِ مزامنة سجلّ الطلبات: ما سُلّم ولم يُفوتر لا يظهر. شغّل `remit sync --orders`.',
      partial: 'لم تأتِ أي مزامنة بسجلّ الطلبات كاملًا: قد يكون سُلّم أكثر. شغّل `remit sync --orders`.',
      sheets: 'شركة التوصيل ترسل كشوف تسوية ولا تُظهر سجلّ طلبات: ما سُلّم وليس في أي كشف لا يظهر.',
    })[orderBook],

  // Paid orders.
  'paid-orders-since': ({ since }) =>
    `طلبات سُدّدت فاتورتها كاملة بالمقبوضات والفروق المتفق عليها، بكل عملات الطلب${since === null ? '' : `، منذ ${since}: بحسب يوم آخر مقبوض، أو يوم تسوية أو فاتورة لاحقة أكملته`}.`,
  'paid-without-receipt': ({ count }) => `طلبات سُوّيت بلا مقبوض، مقابل رسوم أو باتفاق، ولا تظهر هنا: ${count}.`,

  // Receipts.
  'no-receipts-imported': () => 'لم يُستورد كشف مصرفي ولا دفتر صندوق: ما ورد لا يظهر. شغّل `remit import receipts FILE`.',
  'receipts-shown': () => 'الأسطر المقيّدة في الفترة وتلك التي تسدّد فواتيرها. الأسطر التي ليست من الشركة لا تُطابَق.',
  'receipts-left-out': ({ count }) => `أسطر ليست من الشركة لم تُذكر: ${count}.`,
  'receipts-waiting': ({ file, lines, decision }, { text }) =>
    `${text(file)} ينتظر موافقة شخص ثانٍ (القرار رقم ${decision}): لا تسدّد أسطره الجديدة شيئًا حتى ذلك الحين، وعددها ${lines}.`,

  // Returns.
  'returns-standing': ({ convention, basis, invoices }) => {
    if (convention === null) return `لم تُحسم: لا تبيّنها الفواتير التي فيها طلبات إرجاع وعددها ${invoices}`;
    const why = {
      setting: 'مضبوطة في remit.toml',
      learnt: `مستخلصة من الفواتير التي فيها طلبات إرجاع وعددها ${invoices}`,
      provisional: `مؤقتة: عدد الفواتير التي فيها طلبات إرجاع ${invoices} ولا يكفي للجزم`,
      undecided: '',
    }[basis];
    return `${returnsAre(convention)}، ${why}`;
  },
  'returns-by-district-and-reference': () => 'سطر لكل قضاء، وتحتها سطر لكل مرجع عاد منه شيء: الطلبات نفسها مرة أخرى.',
  'returned-means': () =>
    'يُحسب على أسطر فواتير الأشهر: المرتجع ما ينتظر الإرجاع أو أُلغي، وكل طلب إرجاع. وقيمته لك بحسب طريقة الشركة في طلبات الإرجاع.',

  // Roll-forward.
  'roll-forward-by-receipts': () =>
    'المقبوض ما جاءت به المقبوضات المطابَقة في أيامها؛ ولا تحرّك علامة الدفع لدى الشركة شيئًا من فاتورة تسوّيها مقبوضات. والمقبوضات غير المخصَّصة ما ورد ولا تفسّره فاتورة بعد، ناقصًا ما أخذته فواتير لاحقة منه.',
  'roll-forward-by-flag': ({ hasReceipts }) =>
    `${hasReceipts ? 'ما لا تسوّيه مقبوضات فهو' : 'المقبوض'} بحسب علامة الدفع لدى شركة التوصيل لا بحسب المقبوضات: تُعدّ الفاتورة مدفوعة في الشهر الذي شوهدت فيه مدفوعة أول مرة، وكذلك إن كانت مدفوعة عند أول مشاهدة؛ ودفعة كشف التسوية بتاريخها هي.`,
  'roll-forward-carried': ({ month, currency, amount }, { money }) =>
    `تعديل ${month} فيه ${money(amount, currency)} تغيّرت في أشهر مقفلة أو قبلها، وتبقى كما أُقفلت: وحيث حلّت المقبوضات محلّ علامة الدفع لدى الشركة يظهر ما جاءت به في المقبوض.`,
  'opening-without-months': ({ month }) => `لا شهر في الدفتر قبل ${month}: ما كان مستحقًا حينها ليس في أي رصيد افتتاحي.`,
  'opening-since': ({ month }) => `تبدأ الأرصدة من ${month}، أول شهر في الدفتر.`,
  'opening-lacks-months': ({ months, bySheets }) =>
    `${bySheets ? 'لا يغطيها أي كشف تسوية' : 'لم تجرِ مزامنتها'} وفواتيرها ليست في أي رصيد افتتاحي: ${months.join('، ')}.`,

  // Changes.
  'nothing-changed': () => 'لم تغيّر شركة التوصيل شيئًا.',
  'changes-from-first-sight': () => 'يُحسب من أول مشاهدة لكل مستند: ما تغيّر قبلها لا يستطيع أحد إظهاره.',
  'changes-since-close': ({ month, on }) => `منذ إقفال ${month} في ${on}؛ من الأشهر المقفلة وهذا الشهر.`,

  // A claim on the delivery company.
  'name-missing': ({ setting }) => `املأ ${setting} في remit.toml`,
  'claim-of': ({ by, to, on }) =>
    `مطالبة من ${cleanText(by ?? 'املأ merchant_name في remit.toml')} إلى ${cleanText(to ?? 'املأ courier_title في remit.toml')}، ${on}.`,
  'claim-to': () => 'إلى:',
  'claim-total': ({ currency, owed_to_us, owed_by_us, net }, { money }) =>
    `${currency}: المستحق لنا ${money(owed_to_us, currency)}، المستحق علينا ${money(owed_by_us, currency)}، والصافي ${money(net.replace('-', ''), currency)} ${net.startsWith('-') ? 'علينا' : 'لنا'}.`,
  'claim-returns': ({ convention, basis }) =>
    `احتسبنا كلفة طلبات الإرجاع هكذا: ${returnsAre(convention)}، ${basis === 'setting' ? 'كما اتفقنا' : 'كما تبيّن فواتيركم'}.`,
  'claim-parts': () => 'ما نطلب تأكيده فقط ليس في أي مجموع. وما علينا يرد بالسالب.',
  'claim-section': ({ section }) =>
    ({ 'owed-to-us': 'المستحق لنا', 'owed-by-us': 'المستحق علينا', confirm: 'نرجو التأكيد' })[section],
  'claim-what': (what, speech) => claimInArabic(what, speech),
  'claim-received': ({ date, amount, currency, isShared }, { money }) =>
    `وصل في ${date} ولم يُخصَّص بعد: ${money(amount, currency)}. نخصمه هنا؛ نرجو إعلامنا بما يسدّده${isShared ? '، وتأكيد أنه منكم' : ''}.`,
  'claim-beyond': ({ open, amount, currency }, { money }) =>
    `بحسب دفاترنا لا يزيد المفتوح بيننا على ${money(open, currency)}، بما فيه ما نصحّحه هنا. نخصم ${money(amount, currency)}.`,
  'claim-left': ({ amount, currency }, { money }) =>
    `وصل أكثر مما نطالب به هنا: يُترك ${money(amount, currency)} منه لما بعد، ولا نطالب بشيء بعملة ${currency}.`,
  'claim-part-sum': ({ title }) => `مجموع ${title}`,
  'claim-figures': ({ currency, due, received, difference }, { money }) =>
    `المستحق ${money(due, currency)}، المقبوض ${money(received, currency)}، الفرق ${money(difference, currency)}.`,
  'claim-fee': ({ currency, charged, agreed, difference, received }, { money }) =>
    `المحتسب ${money(charged, currency)}، المتفق عليه ${money(agreed, currency)}، ${received === null ? '' : `المقبوض بعد ذلك ${money(received, currency)}، `}الفرق ${money(difference, currency)}.`,
  'claim-open': ({ currency, due, received }, { money }) =>
    `المستحق ${money(due, currency)}، والمقبوض المؤكد ${money(received, currency)}.`,
  'claim-part-total': ({ title, currency, amount }, { money }) => `مجموع ${title}: ${money(amount, currency)}.`,
  'claim-place': ({ invoice, order, reference, day }, { text }) =>
    [
      invoice === null ? '' : `الفاتورة ${invoice}`,
      order === null ? '' : `الطلب ${text(order)}`,
      reference === null ? '' : `المرجع ${text(reference)}`,
      day ?? '',
    ]
      .filter(Boolean)
      .join('، '),
  'claim-before': ({ on }) => `طلبنا ذلك من قبل في ${on}.`,
  'claim-heading': ({ months }, { list }) => (months.length === 0 ? 'مطالبة' : `مطالبة عن ${list(months, 12)}`),
  'claim-salutation': () => 'تحية طيبة وبعد،',
  'claim-opening': () =>
    'قارنّا فواتيركم وسجلّاتكم لطلباتنا بدفاترنا وبما وصل إلى حساباتنا. نرجو دفع ما يلي أو تصحيحه، أو إفادتنا بسبب اعتباره صحيحًا.',
  'claim-confirm': () => 'هذه البنود ليست في أي مجموع. نرجو إعلامنا بالصحيح أو تصحيح مستنداتكم.',
  'claim-closing': () => 'وتفضلوا بقبول فائق الاحترام،',
  'claim-word': ({ word }) => WORDS.claim[word],

  // Dashboard.
  'dashboard-stores-nothing': () => 'أُجريت الفحوص لهذا التقرير ولم يُحفظ شيء مما وجدته.',

  // Journal: accounts, what a transaction books, notes.
  'journal-account-of-kind': ({ isTax, name }, { text }) => `${isTax ? 'ضرائب مقتطعة' : 'رسوم التوصيل'}: ${text(name)}`,
  'journal-account': ({ account }) => WORDS.account[account],
  'booked-delivery': ({ order }) => `تسليم: الطلب ${order}`,
  'booked-deliveries': ({ count }, speech) => `تسليم: ${speech.count(count, COUNTED.order)}`,
  'booked-accrual-reversed': ({ number }) => `عكس الاستحقاق: الفاتورة ${number}`,
  'booked-invoice': ({ number, isRestated }) => `${isRestated ? 'تعديل' : 'فوترة'}: الفاتورة ${number}`,
  'booked-receipt': ({ invoices, isTakenBack }) =>
    `${isTakenBack ? 'استرجاع' : 'قبض'}: ${invoices.length === 0 ? 'لا فاتورة' : `${theInvoices(invoices)} ${invoices.join('، ')}`}`,
  'booked-allocation': ({ number, isLater }) => `${isLater ? 'طوبق لاحقًا' : 'قُبض قبلها'}: الفاتورة ${number}`,
  'booked-paid-flag': ({ number, isPaid }) =>
    `${isPaid ? 'ذكرت الشركة أنها مدفوعة' : 'ذكرت الشركة أنها غير مدفوعة مجددًا'}: الفاتورة ${number}`,
  'booked-exchange': ({ number }) => `سُدّدت بعملة أخرى: الفاتورة ${number}`,
  'booked-dispute': ({ invoice, order, isOver }) =>
    `${isOver ? 'انتهى النزاع' : 'متنازع عليه'}: ${[
      ...(invoice === null ? [] : [`الفاتورة ${invoice}`]),
      ...(order === null ? [] : [`الطلب ${order}`]),
    ].join('، ')}`,
  'booked-difference': ({ number, kind }) => `${DIFFERENCES[kind] ?? `فرق (${kind})`}: الفاتورة ${number}`,
  'booked-adjustment': ({ of }, { say }) => `تغيّر بعد الإقفال: ${say(of)}`,
  'booked-revaluation': ({ currency, isReversed }) =>
    `${isReversed ? 'عكس إعادة التقييم' : 'إعادة التقييم في آخر الشهر'}: ${currency}`,
  'booked-opening': () => 'الأرصدة الافتتاحية',
  'journal-by-flag': () => `المقبوض ${BY_FLAG}.`,
  'journal-by-receipts': () => 'المقبوض (REC) ما جاءت به المقبوضات في أيامها؛ وما لا تُعرف له فاتورة فغير مخصَّص.',
  'journal-rest-by-flag': () => `للفواتير التي لا تسوّيها مقبوضات (PAY) المقبوض ${BY_FLAG}.`,
  'journal-adjustments': () =>
    'القيود (ADJ) ما تغيّر في شهر مقفل، كمقبوضات حلّت محلّ علامة الدفع لدى الشركة: يبقى الشهر المقفل كما هو، ويُقيَّد التغيير في أول يوم مفتوح.',

  // Statement: warnings, mismatches, orders; the index of several.
  'moved-since-close': ({ figures, net }, { money }) => {
    const moved = net.map(
      (one) =>
        `كان الصافي المستحق ${money(one.before, one.currency)} عند الإقفال وهو الآن ${money(one.after, one.currency)}`,
    );
    const what = moved.length > 0 ? moved.join('، ') : `عدد الأرقام المتغيّرة ${figures}، انظر الفروقات`;
    return `تغيّر الشهر بعد إقفاله: ${what}. الأرقام كما أُقفلت؛ والأعمدة «تغيّر بعد الإقفال» تبيّن ما تغيّر.`;
  },
  'bridge-since-close': ({ moved }, { money }) => {
    if (moved.length === 0) return 'كما أُقفل؛ لم يتغيّر منه شيء بعد ذلك.';
    const lines = moved.map(({ currency, courier, ours, unexplained, short }) => {
      const of = (amount: string | null) => (amount === null ? 'غير معروف' : money(amount, currency));
      return `رقم الشركة ${of(courier)}، ورقمنا ${of(ours)}، ودون تفسير ${of(unexplained)}، والنقص أو الزيادة ${of(short)}`;
    });
    return `كما أُقفل. واليوم ${lines.join('؛ ')}.`;
  },
  'mismatches-since-close': () => 'الفروقات كما هي اليوم. وفي ورقة الفروقات عمودان يبيّنان الحالة والأثر عند الإقفال.',
  'month-incomplete': ({ why }, { say }) => `الشهر غير كامل: ${say(why)}.`,
  'invoices-no-longer-listed': ({ invoices }, { list }) =>
    `لم تعد الشركة تذكر فواتير كانت تذكرها للشهر (${list(invoices, 10)})؛ ليست في هذه الأرقام.`,
  'no-mismatch-found': () => 'لم تجد الفحوص التي أُجريت شيئًا؛ يذكر الملخّص ما لم يُجرَ منها.',
  'effects-elsewhere': ({ count }) =>
    `${count === 1 ? 'أثر أحد هذه الفروقات' : `أثر ${count} من هذه الفروقات`} في شهر آخر ويُحسب في كشفه: خانته هنا فارغة.`,
  'no-records-of-ours': () => 'لم تجرِ مزامنة سجلّ الطلبات: لا شيء لنا بجانب هذه الأسطر.',
  'rows-without-record': ({ count }) => `أسطر بلا سجلّ لنا: ${count}؛ أعمدتنا فارغة هناك ولا تُحسب.`,
  'our-net-by-own-book': () =>
    'لم تجرِ مزامنة سجلّ الطلبات: صافينا هو المحصَّل في سجلّنا حيث تذكر فاتورة أن الطلب سُلّم، ناقص الرسم المتفق عليه حيث يشمله سعر.',
  'our-net-by-both': () =>
    'صافينا هو المحصَّل في سجلّنا حيث يحوي الطلب المسلَّم، وإلا ففي سجلّ الشركة، ناقص الرسم المتفق عليه حيث يشمله سعر، وإلا فالرسم في السجلّ.',
  'months-never-added-up': () =>
    'لا تُجمع الأشهر هنا: كل رصيد آخر يحوي ما كان مفتوحًا قبله. و`remit report roll-forward` يقود من رصيد إلى الذي يليه.',

  // The pages about one invoice, order, receipt, run or close.
  'invoice-issued': () => 'صدرت',
  'invoice-read': ({ version }) => (version === 1 ? 'قُرئت أول مرة' : `قُرئت من جديد وكانت مختلفة (النسخة ${version})`),
  'invoice-gone': () => 'لم تعد شركة التوصيل تذكرها',
  replaced: ({ why }, { text }) => `حلّ محلّه أحدث منه: ${text(why)}`,
  matched: ({ match, rule, rate }, { text }) =>
    `المطابقة ${match} (${RULES[rule] ?? text(rule)})${rate === null ? '' : `، بسعر ${text(rate)}`}`,
  'difference-agreed': ({ match, kind, isSettlement }) =>
    `${isSettlement ? 'التسوية' : 'المطابقة'} ${match}: ${DIFFERENCES[kind] ?? kind}`,
  'match-taken-away': ({ match, why, isSettlement }, { text }) =>
    `${isSettlement ? 'أُلغيت التسوية' : 'أُزيلت المطابقة'} ${match}: ${text(why)}`,
  'never-read': ({ why }, { text }) => `لم يُقرأ تفصيلها قط${why === '' ? '' : `: ${text(why)}`}.`,
  'never-in-order-book': () => 'لم يكن في سجلّ الطلبات قط.',
  'first-seen-delivered': () => 'حين شوهد مسلَّمًا أول مرة:',
  'order-moved': ({ from, to }, { state }) => `${from.map(state).join('، ')} ← ${to.map(state).join('، ')}`,
  'order-in-state': ({ states }, { state }) => states.map(state).join('، '),
  state: ({ state: code }, { state }) => state(code),
  'field-in': ({ field: name, currency }, { field }) => `${field(name)} ${currency}`,
  'receipt-whose': ({ whose, byHand }, { text }) =>
    `${whose === null ? 'ليس من شركة التوصيل' : `من شركة التوصيل، بحسب ${WHOSE[whose] ?? text(whose)}`}${byHand ? '؛ لا يُطابَق إلا يدويًا لأن مطابقة له أُزيلت' : ''}.`,
  'tried-matched': ({ rule }) => `${MATCHED_BY[rule] ?? 'مطابقة'}: طوبق.`,
  'tried-amount': ({ asked, left, currency }, { money }) =>
    `يختلف المبلغان: المطلوب ${money(asked, currency)}، والباقي للمطابقة ${money(left, currency)}.`,
  'tried-paid': () => 'يسمّيها النص، ولم يبقَ منها شيء مستحق.',
  'tried-part-by-hand': () => 'طابق شخص جزءًا من المقبوض معها وترك الباقي مفتوحًا: القرار في الباقي لشخص.',
  'tried-issued-later': ({ days }, { count }) => `صدرت الفاتورة بعد المقبوض بمدة ${count(days, OF_COUNTED.day)}.`,
  'tried-issued-long-before': ({ days, most }, { count, text }) =>
    `صدرت الفاتورة قبل المقبوض بمدة ${count(days, OF_COUNTED.day)}؛ و${text('match_days')} يسمح بـ${most}.`,
  'tried-names-none': () => 'نص المقبوض لا يسمّي أي فاتورة بوضوح.',
  'tried-names-unclear': () =>
    'الرقم المجرّد في النص قد يكون أي شيء: بلا كلمة مثل «فاتورة» قبله لا يسمّي فاتورة إلا إذا توافق المبلغان.',
  'tried-names-others': () => 'نص المقبوض يسمّي فواتير أخرى: القرار لشخص.',
  'tried-names-by-name': () => 'نص المقبوض يسمّي فواتير، فلا يسدّد مبلغه وحده أي فاتورة.',
  'tried-names-other-currency': () => 'نص المقبوض يسمّي فاتورة لا تُطلب بعملته.',
  'tried-names-too-many': ({ count, most }) =>
    `نص المقبوض يسمّي فواتير عددها ${count} ومجموعها لا يوافقه؛ ولا تُجرَّب الأجزاء إلا من ${most} على الأكثر.`,
  'tried-several': ({ ways }) => `هي واحدة من ${ways} طرق تصلح، ولا شيء يبيّن الصحيحة: القرار لشخص.`,
  'tried-too-many': () => 'ثمة طرق أكثر مما يمكن تجربته: القرار لشخص.',
  'tried-contested': () => 'قد يسدّد مقبوض آخر بعض هذه الفواتير بطريقة أخرى: القرار لشخص.',
  'tried-earlier-receipt': ({ receipt }) => `للمقبوض ${receipt} الطريقة نفسها، وهو أسبق.`,
  'tried-no-set': ({ invoices, left, currency }, { money }) =>
    `لا مجموعة ولا سلسلة من الفواتير المفتوحة (${invoices}) تبلغ ${money(left, currency)}.`,
  'tried-no-parts': ({ receipts, asked, currency }, { money }) =>
    receipts < 2
      ? 'لا مقبوض آخر قد يكون جزءًا مما تطلبه.'
      : `لا اثنان فأكثر من المقبوضات (${receipts}) يبلغان معًا ${money(asked, currency)}.`,
  'tried-nothing-to-take-back': ({ days }, { count }) =>
    `لم يرد مقبوض بهذا المبلغ خلال ${count(days, OF_COUNTED.day)} قبله.`,
  'tried-received-later': ({ days }, { count }) => `ورد ذلك المقبوض بعده بمدة ${count(days, OF_COUNTED.day)}.`,
  'tried-received-long-before': ({ days, most }, { count, text }) =>
    `ورد ذلك المقبوض قبله بمدة ${count(days, OF_COUNTED.day)}؛ و${text('match_days')} يسمح بـ${most}.`,
  'tried-used-in-part': () => 'استُعمل ذلك المقبوض أو هذا جزئيًا.',
  'tried-taken-back-already': () => 'استُرد ذلك المقبوض من قبل.',
  'tried-later-receipt': ({ receipt }) => `المقبوض ${receipt} سدّد الفواتير نفسها بعده، فيُسترد أولًا.`,
  'explained-not-courier': () => 'ليس من شركة التوصيل، فلا تنظر فيه أي قاعدة.',
  'explained-of-other': ({ courier }, { text }) => `هو من ${text(courier)}.`,
  'explained-several-couriers': ({ couriers }, { list }) =>
    `قد يكون لأكثر من شركة (${list(couriers)})، فلا تنظر فيه أي قاعدة: القرار لشخص.`,
  'explained-by-hand-only': () => 'أُزيلت مطابقة له: لا يطابقه إلا شخص.',
  'explained-manual': ({ match, by }, { text }) => `المطابقة ${match} يدوية، قام بها ${text(by)}: لم تقرر أي قاعدة.`,
  'explained-settled': ({ match, by }, { text }) => `التسوية ${match} قام بها ${text(by)}، بلا مقبوض.`,
  'explained-matched': ({ match }) => `المطابقة ${match} من القواعد، كما كان الحال قبلها:`,
  'explained-changed': ({ match }) =>
    `المطابقة ${match} من القواعد. تغيّر بعد ذلك ما نظرت فيه، فلا تظهر إلا المطابقة نفسها.`,
  'explained-ambiguous': () => 'يمكن تفسيره بأكثر من طريقة، ولم يُقيَّد شيء.',
  'explained-unmatched': () => 'لم تطابق أي قاعدة ما بقي منه.',
  'explained-nothing-left': () => 'لم يبق منه شيء للمطابقة.',
  'explained-closed': ({ months }, { list }) =>
    `بينها فواتير من شهر مُقفل (${list(months)}): ما يُطابَق الآن لا يغيّر أرقامه.`,
  'explained-no-candidates': () => 'لا شيء للمقارنة.',
  'receipt-several-ways': ({ tooMany }) =>
    `يمكن تفسيره بأكثر من طريقة، ولم يُقيَّد شيء.${tooMany ? ' وثمة طرق أكثر مما بُحث عنه.' : ''}`,
};

function nounsAs(as: 'subject' | 'object' | 'genitive'): Readonly<Record<keyof typeof NOUNS, Plural>> {
  const nouns = Object.entries(NOUNS).map(([name, [noun, few]]) => [name, arabicNoun(noun, few, as)]);
  return Object.fromEntries(nouns) as Record<keyof typeof NOUNS, Plural>;
}

/** The noun alone, with its article: the singular for one invoice. */
function theInvoices({ length }: readonly unknown[]): string {
  return length === 1 ? 'الفاتورة' : 'الفواتير';
}

/** @param convention such as `deducted+return-fees`: how RETURN rows count, and whether their fees do */
function returnsAre(convention: string): string {
  const [way = '', fees] = convention.split('+');
  return `${RETURNS[way] ?? way}${fees ? ' مع رسوم الإرجاع' : ''}`;
}

/** `: the reason`; empty if nobody gave one. */
function reasonPart(why: string | null): string {
  return why === null ? '' : `: ${textApart(cleanText(why))}`;
}

/** @param bySheets whether the courier sends sheets, which no sync fetches */
function uncovered(months: string, bySheets: boolean): string {
  return bySheets ? `لا يغطي ${months} أي كشف تسوية` : `لم تجرِ مزامنة ${months}`;
}

/** The invoice that an order's record names, and what is wrong with that. */
function linkInArabic({ link, linked }: ClaimWhat, speech: Speech): string {
  if (link === null) return 'السجلّ لا يذكر أي فاتورة';
  const why = {
    unknown: ' التي ليست في أي من قوائمكم',
    vanished: ' التي اختفت من قائمة فواتيركم',
    listed: ' التي لم يرد فيها',
  };
  return `السجلّ يذكر الفاتورة ${speech.text(link)}${linked ? why[linked] : ''}`;
}

/** A point of a claim: what is wrong, with the document's figures, and what we ask about money that came in. */
function claimInArabic(what: ClaimWhat, speech: Speech): string {
  const { figures, invoices, months, states, receipt, possible } = what;
  const say = (figure: string) => {
    if (figures!.unit === 'money') return speech.money(figure, figures!.currency ?? '');
    return figures!.unit === 'days' ? speech.count(Number(figure), OF_COUNTED.day) : figure;
  };
  const parts = [
    figures === null
      ? ''
      : `${figures.field ? `${speech.field(figures.field)} ` : ''}${say(figures.actual)} بدلًا من ${say(figures.expected)}`,
    what.code !== 'order-invoice-link' ? '' : linkInArabic(what, speech),
    invoices.length === 0
      ? ''
      : `${what.code === 'order-invoice-link' ? 'وارد في ' : ''}${theInvoices(invoices)} ${speech.list(invoices, 20)}`,
    months.length === 0 ? '' : speech.list(months, 12),
    states.length === 0 ? '' : states.map(speech.state).join('، و'),
  ].filter(Boolean);
  const ground = speech.claim(what.code).replace(/\.$/, '');
  return [
    `${ground}${parts.length === 0 ? '' : `: ${parts.join('؛ ')}`}.`,
    receipt === null
      ? ''
      : `في ${figureApart(receipt.date)} ${receipt.cameIn ? 'وصلنا' : 'استرددتم'} ${speech.money(receipt.amount.replace('-', ''), receipt.currency)}: نرجو إعلامنا بما يخصّه.`,
    ...possible.map(
      ({ date, amount, currency }) =>
        `قد يكون مبلغ ${speech.money(amount, currency)} الواصل في ${figureApart(date)} سدادًا لها: نرجو إعلامنا بما يخصّه.`,
    ),
  ]
    .filter(Boolean)
    .join(' ');
}

export const ARABIC = makeLanguage({
  code: 'ar',
  dates: AR_DATES,
  isRightToLeft: true,
  smallWords: AR_SMALL_WORDS,
  words: AR,
  sayError: sayInArabic,
});
