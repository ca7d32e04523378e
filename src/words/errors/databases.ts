import type { Explanation } from '../../base/errors.ts';
import type { Texts } from '../../base/sentence.ts';
import { explainer, plain, wording } from './explain.ts';

const ONCE_THERE: Texts = {
  en: 'Run the command again when it is there; what was done is kept.',
  ar: 'أعد تشغيل الأمر عندما يعود؛ ما أُنجز محفوظ.',
};
const GRANTS: Texts = {
  en: 'Have the owner run what `remit ledger grants` prints.',
  ar: 'اطلب من المالك أن يشغّل ما يطبعه `remit ledger grants`.',
};
const CHECK_NETWORK: Texts = {
  en: 'Check the network connection and the host in the address.',
  ar: 'تحقّق من الاتصال بالشبكة ومن المضيف في العنوان.',
};
const RUN_DOCTOR: Texts = {
  en: 'Run `remit doctor`; if it finds nothing, report this.',
  ar: 'شغّل `remit doctor`؛ فإن لم يجد شيئًا فأبلغ عن هذا.',
};

type AtServer = { ledger: string; message: string };

/** Refusals of a database server, of the network on the way to it, and of a ledger's disk. */
export const DATABASES_ERRORS = {
  // Answers of a server.
  'user-refused': wording<{ ledger: string; user: string | null }>(({ ledger, user }, { quoted, text }) => ({
    en: [
      `${ledger} refuses ${user === null ? 'the user' : `the user ${JSON.stringify(user)}`}: the password is wrong or missing, or the server does not let this machine in`,
      'Give the password in PGPASSWORD, ~/.pgpass or `ledger_password_command`, and look at pg_hba.conf of the server.',
    ],
    ar: [
      `يرفض ${text(ledger)} المستخدم${user === null ? '' : ` ${quoted(user)}`}: كلمة السر خاطئة أو ناقصة، أو لا يسمح الخادم لهذا الجهاز`,
      `أعطِ كلمة السر في ${text('PGPASSWORD')} أو ${text('~/.pgpass')} أو \`ledger_password_command\`، وانظر pg_hba.conf على الخادم.`,
    ],
  })),
  'no-database': wording<{ ledger: string; database: string }>(({ ledger, database }, { quoted, text }) => ({
    en: [
      `${ledger}: there is no database ${JSON.stringify(database)} on that server`,
      'Make it with `createdb`, or correct the address.',
    ],
    ar: [
      `${text(ledger)}: لا قاعدة بيانات ${quoted(database)} على ذلك الخادم`,
      'أنشئها بالأمر `createdb`، أو صحّح العنوان.',
    ],
  })),
  'no-schema': wording<{ ledger: string; schema: string; user: string | null }>(
    ({ ledger, schema, user }, { quoted, text }) => ({
      en: [
        `${ledger}: there is no schema ${JSON.stringify(schema)} that ${user === null ? 'the user' : `the user ${JSON.stringify(user)}`} may use`,
        'Have the owner run what `remit ledger grants` prints, or correct `schema` in the address.',
      ],
      ar: [
        `${text(ledger)}: لا مخطّط ${quoted(schema)} يحقّ للمستخدم${user === null ? '' : ` ${quoted(user)}`} أن يستعمله`,
        'اطلب من المالك أن يشغّل ما يطبعه `remit ledger grants`، أو صحّح `schema` في العنوان.',
      ],
    }),
  ),
  'right-lacking': wording<AtServer & { user: string }>(({ ledger, user, message }, { quoted, text }) => ({
    en: [`${ledger}: the user ${JSON.stringify(user)} lacks a right: ${message}`, GRANTS.en],
    ar: [`${text(ledger)}: ينقص المستخدم ${quoted(user)} حقّ: ${text(message)}`, GRANTS.ar],
  })),
  'read-only-copy': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `${ledger} is a read-only copy of the database`,
      'Name the primary server as the ledger for what writes; reports may be read here.',
    ],
    ar: [
      `${text(ledger)} نسخة للقراءة فقط من قاعدة البيانات`,
      'سمِّ الخادم الأساسي دفترًا لما يكتب؛ أما التقارير فتُقرأ هنا.',
    ],
  })),
  'no-connection-left': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [`${ledger} has no connection left`, 'Try again later, or raise max_connections on the server.'],
    ar: [`لم يبقَ اتصال متاح إلى ${text(ledger)}`, 'أعد المحاولة لاحقًا، أو ارفع max_connections على الخادم.'],
  })),
  'out-of-room': wording<AtServer>(({ ledger, message }, { text }) => ({
    en: [
      `${ledger} has run out of room: ${message}`,
      'Free some space or memory on the server; the ledger keeps everything that was written before.',
    ],
    ar: [
      `نفدت السعة عند ${text(ledger)}: ${text(message)}`,
      'أفرغ مساحة أو ذاكرة على الخادم؛ يحفظ الدفتر كل ما كُتب من قبل.',
    ],
  })),
  'no-connections-now': wording<AtServer>(({ ledger, message }, { text }) => ({
    en: [`${ledger} takes no connections now: ${message}`, ONCE_THERE.en],
    ar: [`لا يقبل ${text(ledger)} اتصالات الآن: ${text(message)}`, ONCE_THERE.ar],
  })),
  'shut-down': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [`${ledger} was shut down in the middle`, ONCE_THERE.en],
    ar: [`أُوقف ${text(ledger)} أثناء العمل`, ONCE_THERE.ar],
  })),
  'statement-stopped': wording<AtServer>(({ ledger, message }, { text }) => ({
    en: [
      `${ledger} stopped a statement: ${message}`,
      'Raise statement_timeout for this user on the server, and run the command again.',
    ],
    ar: [
      `أوقف ${text(ledger)} استعلامًا: ${text(message)}`,
      'ارفع statement_timeout لهذا المستخدم على الخادم، وأعد تشغيل الأمر.',
    ],
  })),
  'connection-failed': wording<AtServer>(({ ledger, message }, { text }) => ({
    en: [`${ledger}: the connection failed: ${message}`, ONCE_THERE.en],
    ar: [`${text(ledger)}: فشل الاتصال: ${text(message)}`, ONCE_THERE.ar],
  })),
  'others-wrote': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `${ledger}: others wrote the same at the same time, again and again`,
      'Run the command again; nothing of it was written.',
    ],
    ar: [`${text(ledger)}: كتب آخرون الشيء نفسه في الوقت نفسه مرة بعد مرة`, 'أعد تشغيل الأمر؛ لم يُكتب منه شيء.'],
  })),
  'server-busy': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [`${ledger} is busy: another program holds what is needed`, 'Run the command again.'],
    ar: [`${text(ledger)} مشغول: برنامج آخر يمسك ما يلزم`, 'أعد تشغيل الأمر.'],
  })),
  'server-damaged': wording<AtServer>(({ ledger, message }, { text }) => ({
    en: [`${ledger} is damaged: ${message}`, 'Run `remit verify`, and restore a backup of the database.'],
    ar: [`${text(ledger)} تالف: ${text(message)}`, 'شغّل `remit verify`، واستعد نسخة احتياطية من قاعدة البيانات.'],
  })),
  'server-says': wording<AtServer & { code: string }>(({ ledger, message, code }, { text }) => ({
    en: [`${ledger}: ${message} (${code})`, RUN_DOCTOR.en],
    ar: [`${text(ledger)}: ${text(`${message} (${code})`)}`, RUN_DOCTOR.ar],
  })),

  // The network on the way to a server.
  'at-server': wording<{ ledger: string; why: Explanation }>(({ ledger, why }, { hint, say, text }) => ({
    en: [`${ledger}: ${say(why)}`, hint(why)],
    ar: [`${text(ledger)}: ${say(why)}`, hint(why)],
  })),
  'nothing-answers': wording(() => ({
    en: ['nothing answers there', 'Check host and port of the address, and that the server is running.'],
    ar: ['لا شيء يجيب هناك', 'تحقّق من المضيف والمنفذ في العنوان، ومن أن الخادم يعمل.'],
  })),
  'no-such-socket': wording(() => ({
    en: ['there is no such socket', 'Check the folder of the socket in the address, and that the server is running.'],
    ar: ['لا يوجد مقبس كهذا', 'تحقّق من مجلد المقبس في العنوان، ومن أن الخادم يعمل.'],
  })),
  'no-such-host': wording(() => ({
    en: ['there is no host of that name', 'Correct the host in the address.'],
    ar: ['لا مضيف بهذا الاسم', 'صحّح المضيف في العنوان.'],
  })),
  'host-not-looked-up': wording(() => ({
    en: ['the name of the host could not be looked up', CHECK_NETWORK.en],
    ar: ['تعذّر البحث عن اسم المضيف', CHECK_NETWORK.ar],
  })),
  'no-answer': wording(() => ({
    en: ['the server gave no answer', 'Check host and port of the address, the network, and the firewall.'],
    ar: ['لم يجب الخادم', 'تحقّق من المضيف والمنفذ في العنوان، ومن الشبكة والجدار الناري.'],
  })),
  'host-unreachable': plain('the host cannot be reached', 'لا يمكن الوصول إلى المضيف', CHECK_NETWORK),
  'network-unreachable': wording(() => ({
    en: ['the network cannot be reached', 'Check the network connection.'],
    ar: ['لا يمكن الوصول إلى الشبكة', 'تحقّق من الاتصال بالشبكة.'],
  })),
  'connection-ended': plain('the connection ended in the middle', 'انقطع الاتصال أثناء العمل', ONCE_THERE),
  'no-encryption': wording(() => ({
    en: [
      'the server does not encrypt the line',
      'Turn `ssl` on at the server; on a network that you trust, add `sslmode=disable` to the address.',
    ],
    ar: ['الخادم لا يشفّر الاتصال', 'شغّل `ssl` على الخادم؛ وعلى شبكة تثق بها أضف `sslmode=disable` إلى العنوان.'],
  })),
  'password-wanted': wording((_, { text }) => ({
    en: [
      'the server wants a password, and there is none, or it is wrong',
      'Give the password in PGPASSWORD, ~/.pgpass or `ledger_password_command`.',
    ],
    ar: [
      'يطلب الخادم كلمة سر، وليست هناك أو هي خاطئة',
      `أعطِ كلمة السر في ${text('PGPASSWORD')} أو ${text('~/.pgpass')} أو \`ledger_password_command\`.`,
    ],
  })),
  'certificate-not-trusted': wording(() => ({
    en: [
      "the server's certificate is not trusted",
      'Name its authority with `sslrootcert=FILE` in the address; `sslmode=require` encrypts without looking at it.',
    ],
    ar: [
      'شهادة الخادم غير موثوق بها',
      'سمِّ جهة إصدارها مع `sslrootcert=FILE` في العنوان؛ و`sslmode=require` يشفّر دون النظر إليها.',
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const databasesError = explainer('databases', DATABASES_ERRORS);
