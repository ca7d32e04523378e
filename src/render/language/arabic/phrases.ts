import { READ_BACK } from '../../../workbook-words.ts';

const { statuses } = READ_BACK.ar;

/** The renderer's own phrases: English, which is the key, and Arabic. Each `{place}` of the key stands in the text too. */
export const ARABIC = {
  // Names of sheets that have no report.
  Summary: 'الملخّص',
  About: 'حول الكشف',
  // Every table.
  Total: 'المجموع',
  'see rows': 'عرض الأسطر',
  'Page &P of &N': 'صفحة &P من &N',
  'Not one of the list': 'ليس من القائمة',
  'Choose one of: {words}': 'اختر واحدة من: {words}',
  "Amounts on a yellow ground ({count}) have more digits than a spreadsheet's number can hold. They are text, so that no digit is lost, and no formula adds them up.":
    'المبالغ على خلفية صفراء ({count}) فيها أرقام أكثر مما يتّسع له رقم في جدول حسابات، فكُتبت نصًا كي لا يضيع منها شيء، ولا تجمعها أي معادلة.',
  'The totals are of all rows, whatever a filter hides: there are too many to ask one by one.':
    'المجاميع لكل الأسطر مهما أخفت التصفية: عددها أكبر من أن تُسأل واحدًا واحدًا.',
  'No longer listed by the courier: in no total': 'لم تعد شركة التوصيل تذكرها: خارج كل مجموع',
  Vanished: 'اختفت',
  Resolved: 'المحلول',
  open: statuses.open,
  acknowledged: statuses.acknowledged,
  resolved: statuses.resolved,
  error: 'خطأ',
  warning: 'تنبيه',
  info: 'للعلم',
  // The first page.
  'Statement {month}': 'كشف {month}',
  'Statement of cash on delivery, {month}': 'كشف الدفع عند الاستلام، {month}',
  'No money: the month holds no amount in any currency.': 'لا أموال: لا مبلغ في هذا الشهر بأي عملة.',
  'the merchant is short': 'للتاجر نقص قدره',
  'the merchant is ahead': 'للتاجر زيادة قدرها',
  'the merchant is neither short nor ahead, as far as was checked': 'لا نقص ولا زيادة للتاجر بقدر ما جرى فحصه',
  outstanding: 'الرصيد غير المسدَّد',
  "{amount} between the courier's figure and ours is unexplained": '{amount} بين رقم شركة التوصيل ورقمنا دون تفسير',
  'not proven, there is no order book, so no figure of ours to set against it':
    'غير مثبت، إذ لا سجلّ طلبات، فلا رقم لنا يقابله',
  "money between the courier's figures and ours is unexplained.":
    'هناك مبلغ دون تفسير بين أرقام شركة التوصيل وأرقامنا.',
  'without an order book there is no figure of ours to prove the invoices by.':
    'من دون سجلّ الطلبات لا رقم لنا تُثبَت به الفواتير.',
  'nothing is unexplained as far as could be checked: see the warnings and what was not checked, below.':
    'لا شيء دون تفسير بقدر ما أمكن فحصه: انظر التنبيهات وما لم يُفحص أدناه.',
  "nothing between the courier's figures and ours is unexplained.": 'لا شيء دون تفسير بين أرقام شركة التوصيل وأرقامنا.',
  'No error is open': 'لا خطأ مفتوح',
  ' error is open: see Mismatches': ' خطأ مفتوح: انظر ورقة الفروقات',
  ' errors are open: see Mismatches': ' أخطاء مفتوحة: انظر ورقة الفروقات',
  Period: 'الفترة',
  "{from} to {to}, as the company's own list of invoices has it": '{from} – {to}، بحسب قائمة فواتير الشركة نفسها',
  Status: 'الحالة',
  'Draft: the month is not closed': 'مسودة: الشهر غير مقفل',
  "Closed by {by} on {time} UTC; the chain's head at the close: {chain}":
    'أقفله {by} في {time} UTC؛ رأس السلسلة عند الإقفال: {chain}',
  "Closed by {by} on {time} UTC with open errors ({reason}); the chain's head at the close: {chain}":
    'أقفله {by} في {time} UTC مع أخطاء مفتوحة ({reason})؛ رأس السلسلة عند الإقفال: {chain}',
  'As of': 'بتاريخ',
  '{time} UTC, when the last sync of the month ended': '{time} بالتوقيت العالمي، عند انتهاء آخر مزامنة للشهر',
  Result: 'النتيجة',
  Warnings: 'تنبيهات',
  'Claimed and written off: resolved, in no sum above': 'طولب به ثم شُطب: محلول، خارج المجاميع أعلاه',
  // What is due.
  'Due to the merchant': 'المستحق للتاجر',
  'No invoice is listed for this month: nothing was collected, charged or is due.':
    'لا فاتورة في قائمة هذا الشهر: لم يُحصَّل شيء ولم تُحتسب رسوم ولا شيء مستحق.',
  "As the courier's invoices state it": 'كما تذكره فواتير شركة التوصيل',
  'COD collected': 'المحصَّل عند الاستلام',
  'Delivery fees': 'رسوم التوصيل',
  'Net due to the merchant': 'الصافي المستحق للتاجر',
  'Net due': 'الصافي المستحق',
  'of which received, by receipts': 'منه مقبوض بإيصالات',
  'of which differences that were named': 'منه فروقات مسمّاة',
  'of which marked paid by the courier': 'منه ما تذكر شركة التوصيل أنه مدفوع',
  'of which outstanding': 'منه غير مسدَّد',
  'Invoices: {invoices}, orders: {orders}. Currencies are never added up.':
    'الفواتير: {invoices}، الطلبات: {orders}. لا تُجمع العملات بعضها مع بعض أبدًا.',
  // The bridge.
  "The bridge: from the courier's figure to ours": 'التسوية: من رقم شركة التوصيل إلى رقمنا',
  'What is due, computed twice': 'المستحق محسوبًا مرتين',
  "Money outside the month's invoices": 'أموال خارج فواتير الشهر',
  'Never netted with the steps above': 'لا تُقاصّ أبدًا مع الخطوات أعلاه',
  'Nothing was found outside the invoices.': 'لم يوجد شيء خارج الفواتير.',
  'Short (−) or ahead: steps and outside, unresolved': 'النقص (−) أو الزيادة: الخطوات وما خارجها، غير المحلول',
  'An effect is negative where the merchant is short. Steps count all that the data shows, whatever was decided about it; the last line leaves out what is resolved, and follows the Mismatches sheet.':
    'يكون الأثر سالبًا حيث ينقص التاجر مال. تحسب الخطوات كل ما تُظهره البيانات أيًّا كان القرار بشأنه؛ أما السطر الأخير فيستثني المحلول ويتبع ورقة الفروقات.',
  Found: 'العدد',
  'no own record': 'لا سجلّ لنا',
  "Courier's figure: the net of its invoices": 'رقم شركة التوصيل: صافي فواتيرها',
  'Our figure: COD less fee, order by order': 'رقمنا: المحصَّل ناقص الرسم، طلبًا طلبًا',
  "Difference: courier's less ours": 'الفرق: رقم الشركة ناقص رقمنا',
  'No step lies between the two figures.': 'لا خطوة بين الرقمين.',
  'Explained: the steps together': 'المفسَّر: مجموع الخطوات',
  Unexplained: 'دون تفسير',
  // Since the last statement.
  'What changed since the last statement': 'ما تغيّر منذ الكشف السابق',
  'This is the first statement of the month: there is none before it.': 'هذا أول كشف للشهر: لا كشف قبله.',
  'Against the statement before': 'مقارنةً بالكشف السابق',
  Currency: 'العملة',
  Then: 'حينها',
  Now: 'الآن',
  Change: 'التغيّر',
  'Mismatches that are not resolved': 'الفروقات غير المحلولة',
  'all of them': 'كلها',
  'Compared with the statement that was written on {time} UTC (row {id} of the evidence), the last one before anything newer became known.':
    'مقارنةً بالكشف الذي كُتب في {time} بالتوقيت العالمي (السطر {id} من الأدلة)، آخر كشف قبل أن يُعرف شيء أحدث.',
  'The figures of that statement were not kept: none are set against these.':
    'لم تُحفظ أرقام ذلك الكشف: لا أرقام تُقارَن بهذه.',
  '{named} and {more} more': '{named} و{more} غيرها',
  'Mismatches that were found since: {codes}.': 'فروقات وُجدت منذ ذلك الحين: {codes}.',
  'Mismatches that were resolved since: {codes}.': 'فروقات حُلّت منذ ذلك الحين: {codes}.',
  'Invoices that are new since: {numbers}.': 'فواتير جديدة منذ ذلك الحين: {numbers}.',
  'Invoices that were restated since: {numbers}.': 'فواتير عُدّلت منذ ذلك الحين: {numbers}.',
  'Invoices that are no longer listed since: {numbers}.': 'فواتير لم تعد الشركة تذكرها منذ ذلك الحين: {numbers}.',
  'Invoices that are listed again since: {numbers}.': 'فواتير عادت إلى القائمة منذ ذلك الحين: {numbers}.',
  'Invoices that are marked otherwise since: {numbers}.': 'فواتير تغيّرت حالتها منذ ذلك الحين: {numbers}.',
  'Orders on these invoices whose record was restated, or left or came back: {count}.':
    'طلبات في هذه الفواتير عُدّل سجلّها أو اختفى أو عاد: {count}.',
  'No mismatch was found or resolved since, and no invoice or order is new, restated or gone.':
    'لم يوجد فرق ولم يُحلّ فرق منذ ذلك الحين، ولا فاتورة أو طلب جديد أو معدَّل أو مختفٍ.',
  // Mismatches.
  Mismatches: READ_BACK.ar.sheet,
  'Not resolved': 'غير المحلول',
  Open: 'مفتوح',
  Acknowledged: 'تم الاطلاع عليه',
  'Effect {currency}': 'الأثر {currency}',
  Where: 'المكان',
  'Errors: the money is wrong': 'أخطاء: في المال خطأ',
  'Warnings: need an eye': 'تنبيهات: تحتاج إلى نظر',
  'Worth knowing': 'للعلم',
  'Effect: on what the merchant should receive; negative is money that the merchant is short.':
    'الأثر: على ما ينبغي أن يقبضه التاجر؛ السالب مال ينقص التاجر.',
  'Not checked, not comparable': 'ما لم يُفحص وما لا يُقارن',
  'Every check that this version knows was run.': 'أُجري كل فحص تعرفه هذه النسخة.',
  "What came in, the merchant's own order book and agreed prices are compared where they were imported.":
    'تُقارن المقبوضات وسجلّ طلبات التاجر والأسعار المتفق عليها حيث استُوردت.',
  // Signatures and history.
  Signatures: 'التواقيع',
  'Prepared by': 'أعدّه',
  'Reviewed by': 'راجعه',
  Date: 'التاريخ',
  'Sign after Mismatches has been worked through and nothing is unexplained.':
    'وقّع بعد إنجاز ورقة الفروقات وألّا يبقى شيء دون تفسير.',
  'The last months, {currency}': 'الأشهر الأخيرة، {currency}',
  '{currency}, the last months': '{currency}، الأشهر الأخيرة',
  Month: 'الشهر',
  // About.
  'How each figure is defined': 'تعريف كل رقم',
  "Cash that the courier collected on delivery: the sum of cod over the headers of the month's invoices.":
    'النقد الذي حصّلته شركة التوصيل عند التسليم: مجموع cod في رؤوس فواتير الشهر.',
  'What the courier charges: the sum of delivery_fee over the same headers.':
    'ما تحتسبه شركة التوصيل: مجموع delivery_fee في الرؤوس نفسها.',
  'The sum of net_due_to_merchant over the same headers, as the courier states it.':
    'مجموع net_due_to_merchant في الرؤوس نفسها كما تذكره الشركة.',
  Received: 'المقبوض',
  'What receipts brought that are matched to the invoices, less what was taken back.':
    'ما جاءت به الإيصالات المطابَقة مع الفواتير ناقصًا ما استُرجع.',
  Outstanding: 'غير المسدَّد',
  "Net due less received and less differences that a person named, once receipts were imported for the invoice's payment window (from its date to remittance_lag_days after it, in its currency) or matched to it. Until then nothing of what the courier marks paid, and all of what it does not; that part is shown as marked paid.":
    'الصافي المستحق ناقص المقبوض وناقص الفروقات التي سمّاها شخص، متى استُوردت إيصالات لمدة سداد الفاتورة (من تاريخها إلى remittance_lag_days بعده وبعملتها) أو طوبقت معها. وقبل ذلك لا شيء مما تذكر الشركة أنه مدفوع، وكل ما لا تذكره؛ ويظهر ذلك الجزء على أنه مذكور مدفوعًا.',
  'Net of its orders': 'صافي طلباتها',
  "An invoice's rows: the sum of COD less delivery fee. Difference: the stated net less that.":
    'أسطر الفاتورة: مجموع المحصَّل ناقص رسم التوصيل. الفرق: الصافي المذكور ناقص ذلك.',
  "Courier's figure": 'رقم شركة التوصيل',
  "The net due by its invoices' headers.": 'الصافي المستحق بحسب رؤوس فواتيرها.',
  'Our figure': 'رقمنا',
  "Every order on the month's invoices once, where an invoice first lists it: if it was ever delivered, the COD of its record as first seen delivered, less that record's fee; no fee of what was cancelled. Where the merchant's own order book holds the order, its COD counts instead, and where a rate card covers it, the agreed fee. Where the courier's order book was never synced, the merchant's own alone counts, for what an invoice calls delivered. No amount of an invoice goes into it. The sum of `Our net` on Orders.":
    'كل طلب في فواتير الشهر مرة واحدة، حيث تذكره أول فاتورة: إن سُلّم يومًا فالمحصَّل في سجلّه كما شوهد مسلَّمًا أول مرة ناقص رسم ذلك السجلّ؛ ولا رسم لما أُلغي. وحيث يحوي سجلّ التاجر الطلب يُحسب مبلغه بدلًا منه، وحيث تشمله لائحة الأسعار يُحسب الرسم المتفق عليه. وحيث لم تجرِ مزامنة سجلّ الطلبات لدى الشركة يُحسب سجلّ التاجر وحده، لما تذكره فاتورة مسلَّمًا. لا يدخل فيه أي مبلغ من فاتورة. هو مجموع «صافينا» في ورقة الطلبات.',
  Explained: 'المفسَّر',
  'The steps of the bridge together: the effects of all that the data shows between the two figures, each difference taken once.':
    'خطوات التسوية مجتمعة: آثار كل ما تُظهره البيانات بين الرقمين، ويؤخذ كل فرق مرة واحدة.',
  'Short or ahead': 'النقص أو الزيادة',
  'The effects of all mismatches that are not resolved, steps and money outside the invoices together: negative is money that the merchant is short.':
    'آثار كل الفروقات غير المحلولة، الخطوات والأموال خارج الفواتير معًا: السالب مال ينقص التاجر.',
  'The difference less what is explained. Its goal is 0.00.': 'الفرق ناقص المفسَّر. الهدف 0.00.',
  "The month under which the courier's own list has an invoice. Times in tables of invoices are the courier's, with its own offset; all others are UTC.":
    'الشهر الذي تضع فيه قائمة الشركة الفاتورة. الأوقات في جداول الفواتير هي أوقات الشركة بفارقها الزمني؛ وما عداها بالتوقيت العالمي.',
  Exactness: 'الدقة',
  'Amounts are added up as decimal numbers, twice and by two programs; had the two differed in the last digit, this file would not exist. Totals are live formulas that round away what a spreadsheet adds up in error.':
    'تُجمع المبالغ أعدادًا عشرية مرتين وببرنامجين؛ ولو اختلفا في آخر رقم لما وُجد هذا الملف. المجاميع معادلات حيّة تُزيل بالتقريب ما تخطئ فيه جداول الحسابات.',
  'Documents behind this month': 'المستندات وراء هذا الشهر',
  'The answers of the API that the invoices were read from; the ledger keeps each as it was received.':
    'ردود الواجهة البرمجية التي قُرئت منها الفواتير؛ يحفظ الدفتر كلًا منها كما ورد.',
  Invoice: 'الفاتورة',
  'SHA-256 of the document': 'SHA-256 للمستند',
  Bytes: 'بايت',
  Run: 'التشغيل',
  'Received (UTC)': 'ورد (UTC)',
  'Where it comes from': 'المصدر',
  Service: 'الخدمة',
  'not known': 'غير معروف',
  'Made by': 'أُنشئ بواسطة',
  'Ledger version': 'نسخة الدفتر',
  Evidence: 'الأدلة',
  none: 'لا شيء',
  'row {id} of the chain, {chain}': 'السطر {id} من السلسلة، {chain}',
  'Runs behind this month': 'عمليات التشغيل وراء هذا الشهر',
  Command: 'الأمر',
  'Started (UTC)': 'بدأ (UTC)',
  'Finished (UTC)': 'انتهى (UTC)',
  'By the line below, remit tells what you write into this workbook from what it wrote itself. Leave it as it is.':
    'بالسطر أدناه يميّز remit ما تكتبه أنت في هذا المصنّف عمّا كتبه هو. اتركه كما هو.',
} as const satisfies Readonly<Record<string, string>>;

/** An English phrase that every language has. */
export type Phrase = keyof typeof ARABIC;
