import type { Explanation } from '../../base/errors.ts';
import type { Texts } from '../../base/sentence.ts';
import { explainer, plain, wording } from './explain.ts';

/** What to do where somebody else was first. */
const LOOK_AGAIN: Texts = { en: 'Look at it again, and decide then.', ar: 'انظر إليه من جديد ثم قرّر.' };

/** Why the web desk refuses a request. */
export const DESK_ERRORS = {
  // Who is let in.
  'link-used': wording(() => ({
    en: [
      'this link lets nobody in any more: it works once',
      'Stop `remit serve` and start it again: it prints a new one.',
    ],
    ar: ['هذا الرابط لم يعد يُدخل أحدًا: يعمل مرة واحدة', 'أوقف `remit serve` وشغّله من جديد: يطبع رابطًا جديدًا.'],
  })),
  'other-name': wording<{ origin: string }>(({ origin }, { text }) => ({
    en: ['this desk is not known by that name', `Open it at ${origin}/.`],
    ar: ['هذا المكتب لا يُعرف بهذا الاسم', `افتحه على ${text(`${origin}/`)}.`],
  })),
  'other-page': wording(() => ({
    en: [
      'this was not sent from a page of the desk',
      'Open the desk itself and do it there; a program sends its token instead.',
    ],
    ar: ['لم يُرسل هذا من صفحة من صفحات المكتب', 'افتح المكتب نفسه وافعله هناك؛ أما البرنامج فيرسل رمز دخوله.'],
  })),
  'not-by-proxy': wording<{ header: string }>(({ header }, { text }) => ({
    en: ['this did not come by the proxy of the desk', `The proxy sends its secret as ${header}.`],
    ar: ['لم يأتِ هذا عبر وسيط المكتب', `يرسل الوسيط سرّه في ${text(header)}.`],
  })),
  'unknown-user': wording((_, { text }) => ({
    en: [
      'you are not on the list of this desk',
      'Whoever keeps the books adds you to [desk] clerks or readers in remit.toml.',
    ],
    ar: ['لستَ في قائمة هذا المكتب', `يضيفك من يمسك الدفاتر إلى clerks أو readers تحت ${text('[desk]')} في remit.toml.`],
  })),
  'header-repeated': wording<{ header: string; times: number }>(({ header, times }, { text }) => ({
    en: [`the header ${header} was sent ${times} times`, 'The proxy replaces whatever its caller sent.'],
    ar: [`أُرسلت الترويسة ${text(header)} أكثر من مرة (${times})`, 'على الوسيط أن يستبدل ما أرسله من يتصل به.'],
  })),
  'not-let-in': wording(() => ({
    en: [
      'nobody is let in by this request',
      'Each link lets one visitor in, and a session ends after 12 hours without use: stop `remit serve` and start it again for a new link.',
    ],
    ar: [
      'هذا الطلب لا يُدخل أحدًا',
      'كل رابط يُدخل زائرًا واحدًا، وتنتهي الجلسة بعد 12 ساعة دون استعمال: أوقف `remit serve` وشغّله من جديد لرابط جديد.',
    ],
  })),
  'database-away': wording(() => ({
    en: [
      'the database of these books does not answer',
      'Nothing was decided. Try again in a moment; the output of `remit serve` says more to whoever looks after it.',
    ],
    ar: [
      'قاعدة بيانات هذه الدفاتر لا تجيب',
      'لم يُقرَّر شيء. حاول من جديد بعد لحظات؛ وما يطبعه `remit serve` يقول المزيد لمن يعتني به.',
    ],
  })),
  'reads-only': wording((_, { text }) => ({
    en: [
      'nothing can be decided here: this desk is for looking',
      'Ask a clerk, or start the desk without --read-only.',
    ],
    ar: ['لا يُقرَّر شيء هنا: هذا المكتب للاطّلاع فقط', `اطلب ذلك من موظف مخوَّل، أو شغّل المكتب دون ${text('--read-only')}.`],
  })),
  'never-approves': wording(() => ({
    en: [
      'a program proposes, and never approves',
      'A second person approves it at the desk, or with `remit approvals approve`.',
    ],
    ar: ['البرنامج يقترح ولا يوافق أبدًا', 'يوافق عليه شخص ثانٍ في المكتب، أو بالأمر `remit approvals approve`.'],
  })),
  'no-key': wording(() => ({
    en: [
      'a decision of a program needs an Idempotency-Key',
      'Send one with each decision, and the same again when you send it again.',
    ],
    ar: ['قرار البرنامج يحتاج إلى Idempotency-Key', 'أرسل واحدًا مع كل قرار، وأرسله نفسه إذا أعدت إرسال القرار.'],
  })),
  'key-used': wording(() => ({
    en: [
      'another request was sent under the same key',
      'Take a new Idempotency-Key for each decision; on a page, load it again.',
    ],
    ar: ['أُرسل طلب آخر بالمفتاح نفسه', 'خذ Idempotency-Key جديدًا لكل قرار؛ وفي الصفحة أعد تحميلها.'],
  })),

  // What is requested.
  'sync-runs': wording(() => ({
    en: ['a sync runs already', 'Wait until it ends, or cancel it.'],
    ar: ['هناك مزامنة جارية', 'انتظر نهايتها أو ألغها.'],
  })),
  'no-sync': wording<{ sync: number }>(({ sync }) => ({
    en: [`this desk knows no sync ${sync}`, 'The list of syncs has those that ran before.'],
    ar: [`لا يعرف هذا المكتب مزامنة برقم ${sync}`, 'قائمة المزامنات فيها ما جرى من قبل.'],
  })),
  'set-up-already': wording(() => ({
    en: ['these books are set up already', 'Begin at the first page: /'],
    ar: ['جُهّزت هذه الدفاتر من قبل', 'ابدأ من الصفحة الأولى: /'],
  })),
  'no-claim': wording<{ claim: number }>(({ claim }) => ({
    en: [`there is no claim ${claim}`, 'The list of claims shows them all.'],
    ar: [`لا مطالبة برقم ${claim}`, 'قائمة المطالبات تعرضها كلها.'],
  })),
  'no-payer': wording(() => ({
    en: ['a payer has a name', 'Fill it in as the bank writes it.'],
    ar: ['للدافع اسم', 'اكتبه كما يكتبه المصرف.'],
  })),
  'payers-by-people': wording(() => ({
    en: ['a program names no payers', 'Name them at the desk, or in remit.toml.'],
    ar: ['البرنامج لا يسمّي الدافعين', 'سمّهم في المكتب، أو في remit.toml.'],
  })),
  'maps-by-people': wording(() => ({
    en: [
      'a program names no columns',
      'Name them at the desk, on the page of the file; programs can then use the map by its name.',
    ],
    ar: ['البرنامج لا يسمّي الأعمدة', 'يفعل ذلك شخص في صفحة الملف؛ وللخريطة عندئذ اسم تستعمله البرامج.'],
  })),
  'too-long': wording<{ most: number }>(({ most }) => ({
    en: [`this is longer than ${most} characters`, 'Write less.'],
    ar: [`عدد الحروف هنا أكثر من ${most}`, 'اكتب أقل.'],
  })),
  'one-file': wording(() => ({
    en: ['a preview takes one file', 'Send each file by itself.'],
    ar: ['المعاينة تأخذ ملفًا واحدًا', 'أرسل كل ملف وحده.'],
  })),
  'no-such-preview': wording((_, { text }) => ({
    en: ['preview is 1 or is left out', 'Nothing was decided: write preview=1 to see what it would do.'],
    ar: [`${text('preview')} إما 1 أو يُحذف`, `لم يُقرَّر شيء: اكتب ${text('preview=1')} لرؤية ما سيحدث.`],
  })),
  'nothing-chosen': wording(() => ({
    en: ['nothing is chosen', 'Choose at least one finding.'],
    ar: ['لم يُختر شيء', 'اختر فرقًا واحدًا على الأقل.'],
  })),
  'no-receipt-chosen': wording(() => ({
    en: ['no receipt is chosen', 'Choose the receipt that you match.'],
    ar: ['لم يُختر مقبوض', 'اختر المقبوض الذي تطابقه.'],
  })),
  'no-invoice-chosen': wording(() => ({
    en: ['no invoice is chosen', 'Choose at least one invoice.'],
    ar: ['لم تُختر فاتورة', 'اختر فاتورة واحدة على الأقل.'],
  })),
  'not-an-amount': wording((_, { text }) => ({
    en: ['this is no amount', 'Write an amount such as 1.75.'],
    ar: ['هذا ليس مبلغًا', `اكتب مبلغًا مثل ${text('1.75')}.`],
  })),
  'field-empty': wording(() => ({
    en: ['this is empty', 'Fill it in.'],
    ar: ['هذا الحقل فارغ', 'املأه.'],
  })),
  'no-page': wording(() => ({
    en: ['there is no such page', 'Begin at the first one: /'],
    ar: ['لا توجد صفحة كهذه', 'ابدأ من الصفحة الأولى: /'],
  })),
  'no-month': wording<{ month: string }>(({ month }, { quoted, text }) => ({
    en: [`${quoted(month)} is no month`, 'Write it as 2026-10.'],
    ar: [`${quoted(month)} ليس شهرًا`, `اكتبه هكذا: ${text('2026-10')}.`],
  })),
  'no-document': wording<{ sha256: string }>(({ sha256 }, { quoted, text }) => ({
    en: [`${quoted(sha256, 70)} is no document`, 'A document is named by its SHA-256, in 64 small hex digits.'],
    ar: [
      `${quoted(sha256, 70)} ليس مستندًا`,
      `يُسمّى المستند ببصمته ${text('SHA-256')}، وهي 64 رقمًا ستّ عشريًا بحروف صغيرة.`,
    ],
  })),
  'no-limit': wording<{ limit: string; most: number }>(({ limit, most }, { quoted, text }) => ({
    en: [`limit ${quoted(limit)} is no number from 1 to ${most}`, 'Leave it out, or write limit=100.'],
    ar: [`قيمة limit هي ${quoted(limit)}، وليست عددًا من 1 إلى ${most}`, `احذفها، أو اكتب ${text('limit=100')}.`],
  })),
  'no-row': wording<{ row: string }>(({ row }, { quoted }) => ({
    en: [`there is no row ${quoted(row)}`, 'Begin at the first page again.'],
    ar: [`لا يوجد سطر ${quoted(row)}`, 'ابدأ من الصفحة الأولى من جديد.'],
  })),
  'no-column': wording<{ column: string; columns: readonly string[] }>(({ column, columns }, { list, quoted }) => ({
    en: [`there is no column ${quoted(column)} to sort by`, `The columns are ${list(columns)}.`],
    ar: [`لا يوجد عمود ${quoted(column)} للترتيب به`, `الأعمدة هي: ${list(columns)}.`],
  })),
  'not-available': wording<{ what: 'socket' | 'port'; at: string; code: string }>(({ what, at, code }, { text }) => ({
    en: [
      `the ${what} ${at} is not available (${code})`,
      what === 'socket' ? 'Name another path, in a folder that is there.' : 'Leave --port out: a free one is chosen.',
    ],
    ar: [
      `${what === 'socket' ? 'المقبس' : 'المنفذ'} ${text(at)} غير متاح (${text(code)})`,
      what === 'socket' ? 'سمِّ مسارًا آخر في مجلد موجود.' : `احذف ${text('--port')}: يُختار منفذ متاح.`,
    ],
  })),
  'no-sockets-here': wording((_, { text }) => ({
    en: ['--socket needs a system with sockets in files', 'Use --proxy-secret-file on Windows.'],
    ar: [
      `يحتاج ${text('--socket')} إلى نظام فيه مقابس على شكل ملفات`,
      `استعمل ${text('--proxy-secret-file')} على Windows.`,
    ],
  })),
  'no-socket': wording<{ path: string }>(({ path }, { quoted, text }) => ({
    en: [`${quoted(path, 200)} is there and is no socket`, 'Name another path with --socket.'],
    ar: [`${quoted(path, 200)} موجود وليس مقبسًا`, `سمِّ مسارًا آخر: ${text('--socket')}.`],
  })),
  'socket-taken': wording<{ path: string }>(({ path }, { quoted }) => ({
    en: [`another program listens on ${quoted(path, 200)}`, 'Stop it, or name another path.'],
    ar: [`برنامج آخر يستمع على ${quoted(path, 200)}`, 'أوقفه، أو سمِّ مسارًا آخر.'],
  })),

  // What is sent.
  unexpected: wording(() => ({
    en: ['this should not have happened', 'Look at what `remit serve` prints, and report it with `remit --version`.'],
    ar: ['ما كان ينبغي أن يحدث هذا', 'انظر ما يطبعه `remit serve`، وأبلغ عنه مع `remit --version`.'],
  })),
  'too-large': wording(() => ({
    en: ['this is larger than the desk takes', 'A file may have 32 MiB, a form without files 1 MiB and 1,000 fields.'],
    ar: ['هذا أكبر مما يقبله المكتب', 'حدّ الملف 32 ميبيبايت، وحدّ النموذج بلا ملفات ميبيبايت واحد و1000 حقل.'],
  })),
  'too-many-files': wording<{ files: number }>(({ files }) => ({
    en: [`these are more than ${files} files`, `Send at most ${files} at once, and then the others.`],
    ar: [`هذه أكثر من ${files} ملفات`, `أرسل ${files} على الأكثر معًا، ثم أرسل الباقي.`],
  })),
  'too-large-with-files': wording<{ files: number }>(({ files }) => ({
    en: [
      'this is larger than the desk takes',
      `A file may have 32 MiB, a form 1 MiB beside its files and 1,000 fields; ${files} files may be sent at once.`,
    ],
    ar: [
      'هذا أكبر مما يقبله المكتب',
      `حدّ الملف 32 ميبيبايت، وحدّ النموذج ميبيبايت واحد عدا ملفاته و1000 حقل؛ وعدد الملفات المرسلة معًا ${files} على الأكثر.`,
    ],
  })),
  'not-understood': wording<{ why: string }>(({ why }) => ({
    en: [why, 'Correct the request and send it again.'],
    ar: ['لم يُفهم هذا الطلب', 'صحّحه وأرسله من جديد.'],
  })),
  'no-such-type': wording((_, { text }) => ({
    en: ['this was sent neither as a form nor as JSON', 'Send it as application/json, and a file as a form.'],
    ar: ['لم يُرسل هذا نموذجًا ولا JSON', `أرسله ${text('application/json')}، وأرسل الملف في نموذج.`],
  })),
  'no-files': wording((_, { text }) => ({
    en: ['no file is sent with this', 'Files are sent to /imports.'],
    ar: ['لا يُرسل ملف مع هذا', `تُرسل الملفات إلى ${text('/imports')}.`],
  })),
  'not-as-described': wording<{ field: string; why: string }>(({ field, why }, { quoted, text }) => ({
    en: [`${field === '' ? '' : `${quoted(field)}: `}${why}`, '/api/v1/openapi.json describes what can be sent.'],
    ar: [
      field === '' ? 'ما أُرسل ليس قرارًا من هذا النوع' : `الحقل ${quoted(field)} ليس كما ينبغي`,
      `ما يمكن إرساله موصوف في ${text('/api/v1/openapi.json')}.`,
    ],
  })),
  'no-number': wording(() => ({
    en: ['there is nothing of that number', 'Take it from its list.'],
    ar: ['لا شيء بهذا الرقم', 'خذه من قائمته.'],
  })),
  'no-file': wording(() => ({
    en: ['no file was sent', 'Choose a file.'],
    ar: ['لم يُرسل أي ملف', 'اختر ملفًا.'],
  })),

  // What is decided.
  'nothing-to-claim': wording(() => ({
    en: ['there is nothing to claim', 'What is left out was claimed, is resolved, or came in.'],
    ar: ['لا شيء للمطالبة به', 'ما تُرك طولب به من قبل، أو حُلّ، أو قُبض.'],
  })),
  'reason-empty': wording(() => ({
    en: ['the reason is empty', 'Say why it is undone: it stays on record.'],
    ar: ['السبب فارغ', 'اكتب لمَ يُتراجع عنه: يبقى محفوظًا في السجلّ.'],
  })),
  'no-decision': wording<{ decision: number }>(({ decision }) => ({
    en: [`there is no decision ${decision}`, 'The list of decisions shows them all.'],
    ar: [`لا يوجد قرار رقم ${decision}`, 'قائمة القرارات تُظهرها كلها.'],
  })),
  'nothing-to-undo': wording<{ decision: number }>(({ decision }) => ({
    en: [`nothing is left of decision ${decision} to undo`, 'It was undone, or ended by itself.'],
    ar: [`لم يبقَ من القرار رقم ${decision} ما يُتراجع عنه`, 'تُراجع عنه من قبل، أو انتهى من تلقاء نفسه.'],
  })),

  // Two requests at once.
  'account-unanswered': wording<{ why: Explanation; isKey: boolean }>(({ why, isKey }, { say }) => ({
    en: [
      say(why),
      isKey
        ? 'Copy the key again from the delivery company’s dashboard.'
        : 'Compare the address with the one that the delivery company gave you, and set up again.',
    ],
    ar: [
      say(why),
      isKey ? 'انسخ المفتاح من جديد من لوحة شركة التوصيل.' : 'قارن العنوان بما أعطتك شركة التوصيل، ثم أعد الإعداد.',
    ],
  })),
  conflict: wording<{ by: string; at: string; since: Explanation }>(({ by, at, since }, { say, text }) => ({
    en: [`${by} was first, at ${at}: ${say(since)}. Nothing was decided now.`, LOOK_AGAIN.en],
    ar: [`سبقك ${text(by)} في ${text(at)}: ${say(since)}. لم يُقرَّر شيء الآن.`, LOOK_AGAIN.ar],
  })),
  'settled-since': plain('it was settled or matched since', 'سُوّي أو طوبق بعد ذلك', LOOK_AGAIN),
  'closed-or-opened-since': wording<{ month: string }>(({ month }, { text }) => ({
    en: [`${month} was closed or opened since`, LOOK_AGAIN.en],
    ar: [`أُقفل ${text(month)} أو فُتح بعد ذلك`, LOOK_AGAIN.ar],
  })),
  'closed-since': wording<{ month: string }>(({ month }, { text }) => ({
    en: [`${month} is closed`, LOOK_AGAIN.en],
    ar: [`${text(month)} مقفل`, LOOK_AGAIN.ar],
  })),
  'mismatch-is': wording<{ mismatch: string; status: 'open' | 'acknowledged' | 'resolved' }>(
    ({ mismatch, status }, { text }) => ({
      en: [`${mismatch} is ${status}`, LOOK_AGAIN.en],
      ar: [
        `${text(mismatch)} ${{ open: 'مفتوح', acknowledged: 'تم الاطلاع عليه', resolved: 'محلول' }[status]}`,
        LOOK_AGAIN.ar,
      ],
    }),
  ),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const deskError = explainer('desk', DESK_ERRORS);
