import { ARABIC_HEADINGS } from './headings.ts';

/** Sentences of reports and checks, as patterns, and what they are in Arabic; `$1` is what the pattern found. */
const SENTENCES: readonly (readonly [pattern: RegExp, arabic: string])[] = [
  // What is incomplete.
  [/^The month is incomplete: (.*)\.$/s, 'الشهر غير كامل: $1.'],
  [
    /^its list was last read on (\S+), before the month’s end; run `(.*)`$/,
    'قُرئت قائمته آخر مرة في $1 قبل نهاية الشهر؛ شغّل `$2`',
  ],
  [/^the last look at its list did not bring all of it; run `(.*)`$/, 'لم تأتِ آخر قراءة لقائمته بها كاملة؛ شغّل `$1`'],
  [
    /^the last look at its list did not bring all of it: (.*); run `(.*)`$/s,
    'لم تأتِ آخر قراءة لقائمته بها كاملة: $1؛ شغّل `$2`',
  ],
  [
    /^a newer detail of invoice ([^:]*) could not be brought or read, so that older figures are shown; run `(.*)`$/,
    'تعذّر جلب أو قراءة تفاصيل أحدث للفاتورة $1، فتظهر أرقام أقدم؛ شغّل `$2`',
  ],
  [
    /^a newer detail of invoice ([^:]*) could not be brought or read, so that older figures are shown: (.*); run `(.*)`$/s,
    'تعذّر جلب أو قراءة تفاصيل أحدث للفاتورة $1، فتظهر أرقام أقدم: $2؛ شغّل `$3`',
  ],
  [/^its detail cannot be read: (.*)$/s, 'لا تُقرأ تفاصيلها: $1'],
  [/^its list cannot be read at ([^:]*); run `(.*)`$/, 'لا تُقرأ قائمته عند $1؛ شغّل `$2`'],
  [/^its list cannot be read at ([^:]*): (.*); run `(.*)`$/s, 'لا تُقرأ قائمته عند $1: $2؛ شغّل `$3`'],
  [/^the sync of (\S+) is still at work, or was killed; run `(.*)`$/, 'مزامنة $1 ما زالت جارية أو قُطعت؛ شغّل `$2`'],
  [/^the sync of (\S+) did not bring all of it; run `(.*)`$/, 'لم تأتِ مزامنة $1 به كاملًا؛ شغّل `$2`'],
  [/^the sync of (\S+) failed before it came to it; run `(.*)`$/, 'فشلت مزامنة $1 قبل أن تصل إليه؛ شغّل `$2`'],
  [/^the sync of (\S+) was interrupted before it came to it; run `(.*)`$/, 'أُوقفت مزامنة $1 قبل أن تصل إليه؛ شغّل `$2`'],
  [/^it was never synced; run `(.*)`$/, 'لم تجرِ مزامنته قط؛ شغّل `$1`'],
  [/^no detail of invoice (.*) was ever read(.*); run `(.*)`$/s, 'لم تُقرأ قط تفاصيل الفاتورة $1$2؛ شغّل `$3`'],
  [
    /^The company no longer lists (?:an invoice|invoices) that it once listed for the month \((.*)\); not in these figures\.$/,
    'لم تعد الشركة تذكر فواتير كانت تذكرها للشهر ($1)؛ ليست في هذه الأرقام.',
  ],
  // What was not checked.
  [
    /^it compares with a close and no month was closed; (`remit close`) closes one$/,
    'يقارن بإقفال ولم يُقفل أي شهر؛ $1 يقفل شهرًا',
  ],
  [
    /^(\S+) was closed by (.*) on (\S+): its line is as it was then, and what became known since is booked in the month that learned of it\.$/s,
    'أُقفل $1 على يد $2 في $3: سطره كما كان حينها، وما عُرف بعد ذلك يُقيّد في الشهر الذي عُرف فيه.',
  ],
  [
    /^(\S+) was closed by (.*) on (\S+): where a figure has moved since, (`remit check`) says so as (closed-period-changed)\.$/s,
    'أُقفل $1 على يد $2 في $3: إن تغيّر رقم بعد ذلك يقوله $4 باسم $5.',
  ],
  [
    /^Since (\S+) was closed, on (\S+); of the closed months and this one\.$/,
    'منذ إقفال $1 في $2؛ من الأشهر المقفلة وهذا الشهر.',
  ],
  [
    /^it compares two syncs and there was one; it looks from the next on$/,
    'يقارن مزامنتين ولم تكن إلا واحدة؛ يعمل ابتداءً من التالية',
  ],
  [
    /^it compares two syncs of the order book; it looks from the next `(.*)` on$/,
    'يقارن مزامنتين لسجلّ الطلبات؛ يعمل ابتداءً من `$1` التالية',
  ],
  [/^the order book was never synced; run `([^`]*)`, or `(.*)`$/, 'لم تجرِ مزامنة سجلّ الطلبات قط؛ شغّل `$1` أو `$2`'],
  [/^the order book was never synced; run `(.*)`$/, 'لم تجرِ مزامنة سجلّ الطلبات قط؛ شغّل `$1`'],
  [
    /^no sync has brought the whole order book yet; run `(.*)` again$/,
    'لم تأتِ أي مزامنة بسجلّ الطلبات كاملًا بعد؛ شغّل `$1` مجددًا',
  ],
  [/^no order book of your own was imported; run `(.*)`$/, 'لم يُستورد سجلّ طلبات خاص بك؛ شغّل `$1`'],
  [/^no bank statement and no cash book was imported; run `(.*)`$/, 'لم يُستورد كشف مصرفي ولا دفتر صندوق؛ شغّل `$1`'],
  [
    /^no rate card was imported, so that no fee can be compared; run `(.*)`$/,
    'لم تُستورد لائحة أسعار فلا يمكن مقارنة أي رسم؛ شغّل `$1`',
  ],
  [/^no rate card was imported; run `(.*)`$/, 'لم تُستورد لائحة أسعار؛ شغّل `$1`'],
  [/^no table of exchange rates was imported; run `(.*)`$/, 'لم يُستورد جدول أسعار صرف؛ شغّل `$1`'],
  [
    /^not comparable: (.*): the reference stands on several orders, so that none can be chosen$/,
    'لا يُقارن: $1: المرجع على عدة طلبات فلا يمكن اختيار أحدها',
  ],
  [/^not comparable: (.*): the order’s own record says nothing of a fee$/, 'لا يُقارن: $1: سجلّ الطلب لا يذكر رسمًا'],
  [/^not comparable: (.*): your own book does not hold the order$/, 'لا يُقارن: $1: سجلّك لا يحوي الطلب'],
  [
    /^not comparable: (.*): your own book does not hold the order, or several of its reference$/,
    'لا يُقارن: $1: سجلّك لا يحوي الطلب، أو يحوي عدة طلبات بمرجعه',
  ],
  [
    /^not comparable: (.*): the invoice takes COD back, of which your own book says nothing$/,
    'لا يُقارن: $1: الفاتورة تسترد تحصيلًا لا يذكره سجلّك',
  ],
  [
    /^not comparable: (.*): the agreed price goes by what only the order book knows of the order; run `(.*)`$/,
    'لا يُقارن: $1: السعر المتفق عليه يتوقف على ما لا يعرفه من الطلب إلا سجلّ الشركة؛ شغّل `$2`',
  ],
  [/^not comparable: (\d+ by [^:]*): (.*)$/s, 'لا يُقارن: $1: $2'],
  [/^not comparable: (.*)$/s, 'لا يُقارن: $1'],
  [/^, (\d+) by (\S+?)((?:, \d+ by \S+)*)$/, '، $1 في $2$3'],
  [/^it was ordered on the day of the last whole order book, or after it$/, 'طُلب يوم آخر سجلّ طلبات كامل أو بعده'],
  [
    /^the order names an invoice that was not read, or of a month that was not synced whole$/,
    'يذكر الطلب فاتورة لم تُقرأ أو من شهر لم تكتمل مزامنته',
  ],
  [/^the list’s row of the invoice could not be read$/, 'تعذّرت قراءة سطر الفاتورة في القائمة'],
  [/^the order is older than your own book$/, 'الطلب أقدم من سجلّك'],
  [/^the order’s own record could not be read$/, 'تعذّرت قراءة سجلّ الطلب'],
  [/^the order book is older than the invoice; run `(.*)`$/, 'سجلّ الطلبات أقدم من الفاتورة؛ شغّل `$1`'],
  [
    /^the order book is older than the invoice and lacks the order; run `(.*)`$/,
    'سجلّ الطلبات أقدم من الفاتورة وليس فيه الطلب؛ شغّل `$1`',
  ],
  [/^no order of the order book was ever read; run `(.*)`$/, 'لم يُقرأ أي طلب من سجلّ الطلبات قط؛ شغّل `$1`'],
  [/^(\d+) by (\S+)((?:, \d+ by \S+)*)$/, '$1 في $2$3'],
  [
    /^it compares with a close and no month was closed; `(.*)` closes one$/,
    'يقارن بإقفال ولم يُقفل أي شهر؛ `$1` يقفل شهرًا',
  ],
  // Below tables.
  [
    /^The checks that were run found nothing; Summary lists those that were not run\.$/,
    'لم تجد الفحوص التي أُجريت شيئًا؛ يذكر الملخّص ما لم يُجرَ منها.',
  ],
  [
    /^(\d+|One) of these ha(?:s its|ve their) effect in another month, on whose statement it counts: here its cell is empty\.$/,
    'أثر بعض هذه الفروقات في شهر آخر ويُحسب في كشفه: خانته هنا فارغة.',
  ],
  [
    /^No order book was synced: nothing of ours stands beside these rows\.$/,
    'لم تجرِ مزامنة سجلّ الطلبات: لا شيء لنا بجانب هذه الأسطر.',
  ],
  [
    /^No order book was synced: our net is the COD of our own book where .*$/,
    'لم تجرِ مزامنة سجلّ الطلبات: صافينا هو المحصَّل في سجلّنا حيث تذكر فاتورة أن الطلب سُلّم، ناقص الرسم المتفق عليه حيث يشمله سعر.',
  ],
  [
    /^(\d+) rows? ha(?:s|ve) no record of ours: our columns are empty there, and count nothing\.$/,
    'أسطر بلا سجلّ لنا: $1؛ أعمدتنا فارغة هناك ولا تُحسب.',
  ],
  [
    /^Our net is the COD of our own book .*$/,
    'صافينا هو المحصَّل في سجلّنا حيث يحوي الطلب المسلَّم، وإلا ففي سجلّ الشركة، ناقص الرسم المتفق عليه حيث يشمله سعر، وإلا فالرسم في السجلّ.',
  ],
  [
    /^Ages are at the end of (\S+), from each invoice's own date; what is outstanding is as the ledger knows it now\.$/,
    'الأعمار في نهاية $1 من تاريخ كل فاتورة؛ وغير المسدَّد كما يعرفه الدفتر الآن.',
  ],
  [/^([A-Z]{3}): (\d[\d.]* % in .*)\.$/, '$1: $2.'],
  [
    /^Outstanding is by the courier’s word: .*$/,
    'غير المسدَّد بحسب قول شركة التوصيل: لا إيصالات لمدة سداد هذه الفواتير، وما تذكر الشركة أنه مدفوع يُعدّ مدفوعًا دون أن يُرى.',
  ],
  [
    /^Outstanding is net due less what receipts that are matched brought and less differences that were named\.$/,
    'غير المسدَّد هو الصافي المستحق ناقص ما جاءت به الإيصالات المطابَقة وناقص الفروقات المسمّاة.',
  ],
  [
    /^Outstanding is net due less what receipts that are matched brought and less differences that were named; where.*$/,
    'غير المسدَّد هو الصافي المستحق ناقص ما جاءت به الإيصالات المطابَقة وناقص الفروقات المسمّاة؛ وحيث لا إيصالات لمدة سداد الفاتورة يُعدّ ما تذكر الشركة أنه مدفوع مدفوعًا دون أن يُرى.',
  ],
  [
    /^Invoice (\d+) is in the roll-forward and the journal with (.*), and not in outstanding: (.*)\.$/,
    'الفاتورة $1 في حركة الرصيد وفي اليومية بمبلغ $2 وليست في غير المسدَّد: $3.',
  ],
  [/^it was restated after it was marked paid$/, 'عُدّلت بعد أن ذُكر أنها مدفوعة'],
  [/^money was received for it, and it is no longer listed$/, 'قُبض مال عنها ولم تعد الشركة تذكرها'],
  [/^a difference was named on it, and it is no longer listed$/, 'سُمّي فرق عليها ولم تعد الشركة تذكرها'],
  [/^it was marked paid, and it is no longer listed$/, 'ذُكر أنها مدفوعة ولم تعد الشركة تذكرها'],
  [/^So are (\d+) more, with (.*) together\.$/, 'وكذلك $1 غيرها بمبلغ $2 مجتمعةً.'],
  [
    /^The order book was never synced: what was delivered and not invoiced is not known\. Run `(.*)`\.$/,
    'لم تجرِ مزامنة سجلّ الطلبات: ما سُلّم ولم يُفوتر غير معروف. شغّل `$1`.',
  ],
  [
    /^No sync brought the whole order book: more may have been delivered\. Run `(.*)`\.$/,
    'لم تأتِ أي مزامنة بسجلّ الطلبات كاملًا: قد يكون سُلّم أكثر. شغّل `$1`.',
  ],
  [
    /^Received is what matched receipts brought, on their own days; .*$/,
    'المقبوض ما جاءت به الإيصالات المطابَقة في أيامها؛ ولا يحرّك قول الشركة شيئًا من فاتورة تسوّيها إيصالات.',
  ],
  [
    /^(?:Received|Of invoices that no receipts settle, seen paid) is by the courier’s word, not by receipts: an invoice.*$/,
    'ما لا تسوّيه إيصالات فهو بحسب قول شركة التوصيل: تُعدّ الفاتورة مدفوعة في الشهر الذي شوهدت فيه مدفوعة أول مرة، وفي شهرها إن كانت كذلك عند أول مشاهدة.',
  ],
  [
    /^Received is by the courier’s word, not by receipts: money.*$/,
    'المقبوض بحسب قول شركة التوصيل لا بإيصالات: يُعدّ المال مقبوضًا يوم شوهدت الفاتورة مدفوعة أول مرة، أو في آخر يوم من شهرها إن كانت كذلك عند أول مشاهدة.',
  ],
  [
    /^For invoices that no receipts settle \(PAY\), received is.*$/,
    'للفواتير التي لا تسوّيها إيصالات (PAY) المقبوض بحسب قول شركة التوصيل.',
  ],
  [
    /^Adjustments \(ADJ\) are what became otherwise in a closed month, .*$/,
    'القيود (ADJ) ما تغيّر في شهر مغلق، كإيصالات حلّت محلّ قول شركة التوصيل: يبقى الشهر المغلق كما هو، ويُقيَّد التغيير في أول يوم مفتوح.',
  ],
  [
    /^Restated in (\S+) holds (\S+ \S+) that became otherwise in closed months or before them, .*$/,
    'تعديل $1 فيه $2 تغيّرت في أشهر مغلقة تبقى كما أُغلقت: وحيث حلّت الإيصالات محلّ قول شركة التوصيل يقابله ما جاءت به في المقبوض.',
  ],
  [/^Changed after the close: (.*)$/, 'تغيّر بعد الإغلاق: $1'],
  [/^Matched later: invoice (.*)$/, 'طوبق لاحقًا: الفاتورة $1'],
  [
    /^Received \(REC\) is what receipts brought, on their own days; .*$/,
    'المقبوض (REC) ما جاءت به الإيصالات في أيامها؛ وما لا تُعرف له فاتورة فغير موزَّع.',
  ],
  [
    /^Opening balances begin with (\S+), the first month that the ledger holds\.$/,
    'تبدأ الأرصدة من $1، أول شهر في الدفتر.',
  ],
  [
    /^The ledger holds no month before (\S+): what was owed then is in no opening balance\.$/,
    'لا شهر في الدفتر قبل $1: ما كان مستحقًا حينها ليس في أي رصيد أول.',
  ],
  [/^Never synced, and in no opening balance: (.*)\.$/, 'لم تجرِ مزامنتها وليست في أي رصيد أول: $1.'],
  [/^Nothing that was seen once was seen otherwise later\.$/, 'لم يُرَ شيء لاحقًا على غير ما رُئي أول مرة.'],
  [
    /^Counted from the first sight of each document: .*$/,
    'يُحسب من أول مشاهدة لكل مستند: ما تغيّر قبلها لا يستطيع أحد إظهاره.',
  ],
  [
    /^(\S+) was never synced and is not in this report; run `(.*)`\.$/,
    'لم تجرِ مزامنة $1 وليس في هذا الجدول؛ شغّل `$2`.',
  ],
  [
    /^The last sync of (\S+) did not bring every invoice that the company lists; run `(.*)`\.$/,
    'لم تأتِ آخر مزامنة لشهر $1 بكل فاتورة تذكرها الشركة؛ شغّل `$2`.',
  ],
  [
    /^No bank statement and no cash book was imported: what came in is not known\. Run `(.*)`\.$/,
    'لم يُستورد كشف مصرفي ولا دفتر صندوق: ما ورد غير معروف. شغّل `$1`.',
  ],
  [
    /^Lines that were booked in the period, and those that pay its invoices\. .*$/,
    'الأسطر المقيّدة في الفترة وتلك التي تسدّد فواتيرها. ما ليس من الشركة لا يبقى منه شيء للمطابقة.',
  ],
  [/^(\d+) lines? that (?:is|are) none of the courier’s left out\.$/, 'أسطر ليست من الشركة لم تُذكر: $1.'],
  [
    /^Months are never added up: what is outstanding in one may be in the next\.$/,
    'لا تُجمع الأشهر أبدًا: ما هو متبقٍّ في شهر قد يكون في الذي يليه.',
  ],
  // What became of a claim.
  [/^claimed (\d{4}-\S+)$/, 'طولب بها $1'],
  [/^answered (\d{4}-\S+)$/, 'أُجيب عنها $1'],
  [/^answered \(accepted\) (\S+)$/, 'أُجيب عنها (قُبلت) $1'],
  [/^answered \(refused\) (\S+)$/, 'أُجيب عنها (رُفضت) $1'],
  [/^mended in part (\S+)$/, 'صُحّحت جزئيًا $1'],
  [/^changed (\d{4}-\S+)$/, 'تغيّرت $1'],
  [/^mended (\d{4}-\S+)$/, 'صُحّحت $1'],
  [/^settled (\d{4}-\S+)$/, 'سُوّيت $1'],
  [/^written off (\S+)$/, 'مشطوبة $1'],
  // Lines of the journal.
  [/^Delivered: (\d+) orders?$/, 'تسليم: $1 طلب'],
  [/^Invoiced: invoice (.*)$/, 'فوترة: الفاتورة $1'],
  [/^Restated: invoice (.*)$/, 'تعديل: الفاتورة $1'],
  [/^Marked paid by the courier: invoice (.*)$/, 'ذكرت الشركة أنها مدفوعة: الفاتورة $1'],
  [/^Marked unpaid again: invoice (.*)$/, 'ذكرت الشركة أنها غير مدفوعة مجددًا: الفاتورة $1'],
  [/^Received: no invoice$/, 'قبض: لا فاتورة'],
  [/^Received: invoice (.*)$/, 'قبض: الفاتورة $1'],
  [/^Taken back: (.*)$/, 'استرجاع: $1'],
];

/** A text of a report or a check in Arabic; as it is where none is known. */
export function tellInArabic(text: string): string {
  const word = ARABIC_HEADINGS[text];
  if (word !== undefined) return word;
  for (const [pattern, arabic] of SENTENCES) {
    const match = pattern.exec(text);
    if (!match) continue;
    // What a sentence quotes may be a sentence itself.
    return arabic.replace(/\$(\d)/g, (_, place: string) => tellInArabic(match[Number(place)] ?? ''));
  }
  return text;
}
