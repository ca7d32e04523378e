import type { Explanation } from '../../base/errors.ts';
import type { Texts } from '../../base/sentence.ts';
import { explainer, wording } from './explain.ts';

/** What a command does to a ledger while its lock keeps others out. */
export type Work = 'sync' | 'import' | 'close' | 'reopen' | 'copy' | 'migration' | 'rebuild' | 'webhooks' | 'fleet';

const WORKS: Readonly<Record<Work, Texts>> = {
  sync: { en: 'a sync', ar: 'مزامنة' },
  import: { en: 'an import', ar: 'استيراد' },
  close: { en: 'a close', ar: 'إقفال' },
  reopen: { en: 'a reopen', ar: 'إعادة فتح' },
  copy: { en: 'a copy of another ledger', ar: 'نسخ دفتر آخر' },
  migration: { en: 'an update of its schema', ar: 'تحديث مخطّطه' },
  rebuild: { en: 'a rebuild of its rows', ar: 'إعادة بناء صفوفه' },
  webhooks: { en: 'the fetching of orders that webhooks named', ar: 'جلب طلبات ذكرتها إشعارات الشركة' },
  fleet: { en: 'another command of the fleet', ar: 'أمر آخر على دفاتر عدة تجار' },
};

export function isWork(word: string): word is Work {
  return Object.hasOwn(WORKS, word);
}

/** Something that the ledger keeps compressed: a document's body, or a pack of the order book. */
export type Packed = { readonly kind: 'body' | 'pack'; readonly name: string };

const RESTORE: Texts = {
  en: 'The ledger is damaged: run `remit verify`, and restore a backup.',
  ar: 'الدفتر تالف: شغّل `remit verify`، واستعد نسخة احتياطية.',
};

/** Errors about a ledger, its copies, its schema and its locks. */
export const LEDGER_ERRORS = {
  'copy-is-ledger': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`${file} is the ledger itself`, 'Name another file for the copy.'],
    ar: [`${text(file)} هو الدفتر نفسه`, 'سمِّ ملفًا آخر للنسخة.'],
  })),
  'copy-not-sound': wording<{ ledger: string; why: string }>(({ ledger, why }, { text }) => ({
    en: [`the copy of ${ledger} is not sound: ${why}`, 'The ledger itself may be damaged: run `remit verify`.'],
    ar: [`نسخة ${text(ledger)} غير سليمة: ${text(why)}`, 'قد يكون الدفتر نفسه تالفًا: شغّل `remit verify`.'],
  })),
  'copy-not-equal': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `the copy in ${ledger} did not come out equal, and was not kept`,
      'Run `remit verify --deep` on the ledger, and report this.',
    ],
    ar: [
      `لم تأتِ النسخة في ${text(ledger)} مساوية للأصل، ولم تُحفظ`,
      'شغّل `remit verify --deep` على الدفتر، وأبلغ عن هذا.',
    ],
  })),
  'holds-ledger': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [`${ledger} holds a ledger already`, 'Name a place that holds none.'],
    ar: [`في ${text(ledger)} دفتر من قبل`, 'سمِّ مكانًا لا دفتر فيه.'],
  })),
  'named-file-unreadable': wording<{ parameter: string; file: string; code: string }>(
    ({ parameter, file, code }, { text }) => ({
      en: [
        `${parameter} of the ledger's address names ${file}, which cannot be read (${code})`,
        'Correct the path; it begins at the current folder.',
      ],
      ar: [
        `يسمّي ${text(parameter)} في عنوان الدفتر ${text(file)}، ولا يمكن قراءته (${text(code)})`,
        'صحّح المسار؛ يبدأ من المجلد الحالي.',
      ],
    }),
  ),
  'server-unknown': wording<{ version: string }>(({ version }, { quoted }) => ({
    en: [
      `the server is ${JSON.stringify(version)}, which remit does not know`,
      'Keep the ledger on PostgreSQL 13 or later, or in a file.',
    ],
    ar: [`الخادم هو ${quoted(version, 80)}، ولا يعرفه remit`, 'ضع الدفتر على PostgreSQL 13 أو أحدث، أو في ملف.'],
  })),
  'of-server': wording<{ ledger: string; why: Explanation }>(({ ledger, why }, { hint, say, text }) => ({
    en: [`${ledger}: ${say(why)}`, hint(why)],
    ar: [`${text(ledger)}: ${say(why)}`, hint(why)],
  })),
  'server-without-locks': wording<{ server: string; why: 'distributed' | 'no-locks' }>(({ server, why }, { text }) => ({
    en: [
      `the server is ${server}, and ${why === 'no-locks' ? 'its advisory locks do nothing: two syncs could write at once' : 'triggers and advisory locks do not hold for distributed tables'}`,
      'Keep the ledger on PostgreSQL, or set `ledger_lock = "lease"` in remit.toml and have `remit ledger grants` guard what is append-only.',
    ],
    ar: [
      `الخادم هو ${text(server)}، ${why === 'no-locks' ? 'وأقفاله لا تفعل شيئًا: قد تكتب مزامنتان معًا' : 'والمشغّلات والأقفال لا تسري على الجداول الموزّعة'}`,
      `ضع الدفتر على PostgreSQL، أو اضبط ${text('ledger_lock = "lease"')} في remit.toml واجعل \`remit ledger grants\` يحمي ما يُضاف إليه فقط.`,
    ],
  })),
  'server-too-old': wording<{ server: string; oldest: string }>(({ server, oldest }, { text }) => ({
    en: [`the server is ${server}, which is too old`, `Use ${oldest} or later.`],
    ar: [`الخادم هو ${text(server)}، وهو قديم جدًا`, `استعمل ${text(oldest)} أو أحدث.`],
  })),
  'no-writer': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `none of the servers of ${ledger} takes writes: those that answer are read-only copies`,
      'Run the command again when one has taken over; reports and other readers work meanwhile.',
    ],
    ar: [
      `لا يقبل الكتابة أي من خوادم ${text(ledger)}: ما يجيب منها نسخ للقراءة فقط`,
      'أعد تشغيل الأمر عندما يتولى أحدها الكتابة؛ والتقارير وكل ما يقرأ يعمل في هذه الأثناء.',
    ],
  })),
  'lock-lost': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `the lock on ${ledger} was lost: the connection that held it ended, or another process took it over`,
      'Run the command again; what was done is kept.',
    ],
    ar: [
      `فُقد القفل على ${text(ledger)}: انتهى الاتصال الذي كان يمسكه، أو أخذته عملية أخرى`,
      'أعد تشغيل الأمر؛ ما أُنجز محفوظ.',
    ],
  })),
  'password-file-open': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`the password file ${file} can be read by others`, `Run: chmod 600 ${file}`],
    ar: [`يستطيع غيرك قراءة ملف كلمة السر ${text(file)}`, `شغّل: \`chmod 600 ${text(file)}\``],
  })),
  'password-file-unreadable': wording<{ file: string; code: string }>(({ file, code }, { text }) => ({
    en: [`the password file ${file} cannot be read (${code})`, 'Look at its permissions.'],
    ar: [`لا يمكن قراءة ملف كلمة السر ${text(file)} (${text(code)})`, 'انظر صلاحياته.'],
  })),
  'evidence-not-sound': wording<{ ledger: string; where: string; what: string }>(
    ({ ledger, where, what }, { text }) => ({
      en: [
        `the rows of ${ledger} are not derived again: ${where}: ${what}`,
        'Nothing was changed. Run `remit verify` to see all that is wrong, and restore a backup.',
      ],
      ar: [
        `لا تُشتقّ صفوف ${text(ledger)} من جديد: ${text(where)}: ${text(what)}`,
        'لم يتغيّر شيء. شغّل `remit verify` لترى كل الخلل، واستعد نسخة احتياطية.',
      ],
    }),
  ),
  'not-brought-up': wording<{ ledger: string; migration: string; why: string }>(
    ({ ledger, migration, why }, { text }) => ({
      en: [
        `${ledger} could not be brought up to date: ${migration} failed: ${why}`,
        'The ledger is as it was: go on with the remit that you had before, and report this.',
      ],
      ar: [
        `تعذّر تحديث ${text(ledger)}: فشلت الخطوة ${text(migration)}: ${text(why)}`,
        'بقي الدفتر كما كان: واصل العمل بإصدار remit السابق، وأبلغ عن هذا.',
      ],
    }),
  ),
  'no-ledger-database': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `${ledger} is a database, but not a remit ledger`,
      'Point REMIT_LEDGER (or `ledger` in remit.toml) at a ledger, or at a place that holds nothing yet.',
    ],
    ar: [
      `${text(ledger)} قاعدة بيانات، لكنه ليس دفتر remit`,
      `وجّه ${text('REMIT_LEDGER')} (أو \`ledger\` في remit.toml) إلى دفتر، أو إلى مكان لا شيء فيه بعد.`,
    ],
  })),
  'of-development-version': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `${ledger} was made by a development version of remit, before 1.0, and cannot be read by this one`,
      'Make a new books folder with `remit init` and sync there, or name another ledger; the old one is left as it is.',
    ],
    ar: [
      `أنشأ ${text(ledger)} إصدار تطوير من remit قبل 1.0، ولا يقرؤه هذا الإصدار`,
      'أنشئ مجلد دفاتر جديدًا بالأمر `remit init` وزامن هناك، أو سمِّ دفترًا آخر؛ القديم يُترك كما هو.',
    ],
  })),
  'lacks-tables': wording<{ ledger: string; tables: readonly string[] }>(({ ledger, tables }, { list, text }) => ({
    en: [
      `${ledger} lacks the ${tables.length === 1 ? 'table' : 'tables'} ${list(tables.slice(0, 5))}: an earlier development version of remit made it, or it is damaged`,
      'Restore a backup of this version if you have one; else make a new books folder with `remit init` and sync there. The old ledger is left as it is.',
    ],
    ar: [
      `ينقص ${text(ledger)} الجداول التالية: ${list(tables.slice(0, 5))}؛ أنشأه إصدار تطوير سابق من remit، أو أصابه تلف`,
      'استعد نسخة احتياطية من هذا الإصدار إن كانت لديك؛ وإلا فأنشئ مجلد دفاتر جديدًا بالأمر `remit init` وزامن هناك. الدفتر القديم يُترك كما هو.',
    ],
  })),
  'of-newer-version': wording<{ ledger: string; holds: string }>(({ ledger, holds }, { text }) => ({
    en: [
      `${ledger} was made by a newer remit (it holds ${holds})`,
      'Update remit on this machine, or use the newer one; nothing was changed.',
    ],
    ar: [
      `أنشأ ${text(ledger)} إصدار أحدث من remit (فيه ${text(holds)})`,
      'حدّث remit على هذا الجهاز، أو استعمل الأحدث؛ لم يتغيّر شيء.',
    ],
  })),
  'no-ledger': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [`there is no ledger at ${ledger}`, 'Run `remit sync` first, or name another books folder with -C.'],
    ar: [`لا دفتر في ${text(ledger)}`, `شغّل \`remit sync\` أولًا، أو سمِّ مجلد دفاتر آخر: ${text('-C')}.`],
  })),
  'never-synced': wording<{ months: string; one: boolean; bySheets: boolean }>(
    ({ months, one, bySheets }, { text }) => ({
      en: bySheets
        ? [`no settlement sheet covers ${months}`, 'Run `remit import settlement FILE` first.']
        : [`${months} ${one ? 'was' : 'were'} never synced into this ledger`, `Run \`remit sync ${months}\` first.`],
      ar: bySheets
        ? [`لا يغطي ${text(months)} أي كشف تسوية`, 'شغّل `remit import settlement FILE` أولًا.']
        : [`لم تجرِ مزامنة ${text(months)} إلى هذا الدفتر قط`, `شغّل \`remit sync ${text(months)}\` أولًا.`],
    }),
  ),
  'of-earlier-version': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `${ledger} was made by an earlier remit, and is kept as a file before it is brought up to date`,
      'Run any command of remit in its books folder first, where there is a place for that file.',
    ],
    ar: [
      `أنشأ ${text(ledger)} إصدار أسبق من remit، ويُحفظ ملفًا قبل تحديثه`,
      'شغّل أولًا أي أمر من remit في مجلد دفاتره، حيث يوجد مكان لذلك الملف.',
    ],
  })),
  'ledger-locked': wording<{ ledger: string; work: Work | null; since: string | null }>(
    ({ ledger, work, since }, { text }) => ({
      en: [
        `${work === null ? 'another command' : WORKS[work].en} is at work on ${ledger}${since === null ? '' : `, since ${since}`}`,
        'Wait until it has finished, then run the command again.',
      ],
      ar: [
        `${work === null ? 'أمر آخر' : WORKS[work].ar}: عمل جارٍ الآن على ${text(ledger)}${since === null ? '' : `، منذ ${text(since)}`}`,
        'انتظر حتى ينتهي، ثم أعد تشغيل الأمر.',
      ],
    }),
  ),
  'body-missing': wording<{ sha256: string }>(({ sha256 }, { text }) => ({
    en: [`the body ${sha256} is not in the ledger`, RESTORE.en],
    ar: [`المستند ${text(sha256)} ليس في الدفتر`, RESTORE.ar],
  })),
  'part-missing': wording<{ part: number }>(({ part }) => ({
    en: [`part ${part} of the order book is in no pack`, RESTORE.en],
    ar: [`الجزء ${part} من سجلّ الطلبات ليس في أي حزمة`, RESTORE.ar],
  })),
  'cannot-be-unpacked': wording<{ what: Packed; why: string }>(({ what: { kind, name }, why }, { text }) => ({
    en: [
      `${kind === 'body' ? `the body ${name}` : `the pack of orders from part ${name}`} cannot be unpacked: ${why}`,
      RESTORE.en,
    ],
    ar: [
      `لا يمكن فكّ ${kind === 'body' ? 'المستند' : 'حزمة الطلبات ابتداءً من الجزء'} ${text(name)}: ${text(why)}`,
      RESTORE.ar,
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const ledgerError = explainer('ledger', LEDGER_ERRORS);
