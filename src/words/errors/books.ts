import { explainer, wording } from './explain.ts';

/** Something that is looked for in the books of each courier. */
export type Wanted = {
  readonly kind:
    | 'invoice'
    | 'order'
    | 'close'
    | 'receipt'
    | 'mismatch'
    | 'run'
    | 'match'
    | 'settlement'
    | 'claim'
    | 'claim-in-force'
    | 'mismatches'
    /** A number, id or hash of any kind of thing. */
    | 'id';
  /** Empty for mismatches that a filter chooses. */
  readonly name: string;
};

function inEnglish({ kind, name }: Wanted): string {
  if (kind === 'mismatches') {
    if (name === '') return 'mismatches to choose from';
    return `${name.includes(', ') ? 'mismatches' : 'mismatch'} ${name}`;
  }
  if (kind === 'id') return JSON.stringify(name.slice(0, 70));
  if (kind === 'claim') return `a claim of ${name}`;
  if (kind === 'claim-in-force') return `a claim of ${name} that is not over`;
  return kind === 'close' ? `the close of ${name}` : `${kind} ${name}`;
}

const KINDS_IN_ARABIC: Readonly<Record<Wanted['kind'], string>> = {
  invoice: 'الفاتورة',
  order: 'الطلب',
  close: 'إقفال',
  receipt: 'المقبوض',
  mismatch: 'الفرق',
  run: 'المزامنة',
  match: 'المطابقة',
  settlement: 'التسوية',
  claim: 'مطالبة',
  'claim-in-force': 'مطالبة جارية في',
  mismatches: 'الفروقات',
  id: 'الرقم',
};

/** Errors about the books, their couriers and copies, and the day as of which they are read. */
export const BOOKS_ERRORS = {
  'no-instant': wording<{ instant: string }>(({ instant }, { quoted, text }) => ({
    en: [
      `${quoted(instant)} is not a day or an instant`,
      'Write a day as 2026-11-05, or an instant as 2026-11-05T09:00:00+02:00.',
    ],
    ar: [
      `${quoted(instant)} ليس يومًا ولا لحظة`,
      `اكتب يومًا مثل ${text('2026-11-05')}، أو لحظة مثل ${text('2026-11-05T09:00:00+02:00')}.`,
    ],
  })),
  'not-come-yet': wording<{ instant: string }>(({ instant }, { quoted, text }) => ({
    en: [`${quoted(instant)} has not come yet`, 'Leave --as-of out to see what is known now.'],
    ar: [`${quoted(instant)} لم يأتِ بعد`, `احذف ${text('--as-of')} لترى المعروف الآن.`],
  })),
  'nothing-known-yet': wording<{ ledger: string; at: string }>(({ ledger, at }, { text }) => ({
    en: [
      `${ledger} knew nothing yet at ${at}`,
      'Name a later day; `remit report runs` shows when it was first synced.',
    ],
    ar: [
      `لم يكن ${text(ledger)} يعرف شيئًا بعد في ${text(at)}`,
      'سمِّ يومًا لاحقًا؛ `remit report runs` يُظهر متى زُومن أول مرة.',
    ],
  })),
  'other-time-zone': wording<{ month: string; closedIn: string; timeZone: string; settings: string }>(
    ({ month, closedIn, timeZone, settings }, { text }) => ({
      en: [
        `${month} was closed in the time zone ${closedIn}, and the books are set to ${timeZone}`,
        `Write time_zone = ${JSON.stringify(closedIn)} into ${settings}, or open each closed month again, the last one first: remit reopen MONTH --by NAME --reason TEXT.`,
      ],
      ar: [
        `أُقفل ${text(month)} في المنطقة الزمنية ${text(closedIn)}، والدفاتر مضبوطة على ${text(timeZone)}`,
        `اكتب ${text(`time_zone = ${JSON.stringify(closedIn)}`)} في ${text(settings)}، أو أعد فتح كل شهر مقفل، الأخير فالذي قبله: \`remit reopen MONTH --by NAME --reason TEXT\`.`,
      ],
    }),
  ),
  'no-month-closed': wording((_, { text }) => ({
    en: ['no month is closed', 'Write --since last, or a day.'],
    ar: ['لم يُقفل أي شهر', `اكتب ${text('--since last')}، أو يومًا.`],
  })),
  'no-api-url': wording((_, { text }) => ({
    en: [
      'the address of the API is not set',
      'Set `api_url` in remit.toml or REMIT_API_URL; it ends in /v1/external/. Without an account, try `remit demo`.',
    ],
    ar: [
      'عنوان الواجهة البرمجية غير مضبوط',
      `اضبط \`api_url\` في remit.toml أو ${text('REMIT_API_URL')}؛ وينتهي بـ${text('/v1/external/')}. وإن لم يكن لك حساب فجرّب \`remit demo\`.`,
    ],
  })),
  'folder-there': wording<{ folder: string }>(({ folder }, { text }) => ({
    en: [`${folder} is there already`, 'Name another folder with --out, or move that one away.'],
    ar: [`المجلد ${text(folder)} موجود من قبل`, `سمِّ مجلدًا آخر: ${text('--out')}، أو انقل الموجود.`],
  })),
  'no-close-pack': wording<{ folder: string; manifest: string; holds: boolean }>(
    ({ folder, manifest, holds }, { text }) => ({
      en: [
        holds ? `the ${manifest} of ${folder} is not one of a close pack` : `${folder} holds no ${manifest}`,
        'Name a folder that `remit statement --close-pack MONTH` made.',
      ],
      ar: [
        holds
          ? `الملف ${text(manifest)} في ${text(folder)} ليس لحزمة إقفال`
          : `ليس في ${text(folder)} ملف ${text(manifest)}`,
        'سمِّ مجلدًا أنشأه `remit statement --close-pack MONTH`.',
      ],
    }),
  ),
  'no-courier-name': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [
      `${quoted(name)} is no name of a courier`,
      'A name is of lower-case letters, digits and hyphens, at most 40, a letter first.',
    ],
    ar: [
      `${quoted(name)} لا يصلح اسمًا لشركة توصيل`,
      'الاسم من حروف لاتينية صغيرة وأرقام وشَرطات، أربعون على الأكثر، وأوله حرف.',
    ],
  })),
  'no-courier': wording<{ courier: string; couriers: readonly string[] }>(
    ({ courier, couriers }, { list, quoted }) => ({
      en: [`there is no courier ${quoted(courier)}`, `The couriers of these books are ${list(couriers)}.`],
      ar: [`لا توجد شركة توصيل ${quoted(courier)}`, `شركات هذه الدفاتر هي: ${list(couriers)}.`],
    }),
  ),
  'courier-name-taken': wording<{ name: string; couriers: readonly string[] }>(
    ({ name, couriers }, { list, text }) => ({
      en: [`another courier is named ${name}`, `The couriers of these books are ${list(couriers)}.`],
      ar: [`شركة أخرى اسمها ${text(name)}`, `شركات هذه الدفاتر هي: ${list(couriers)}.`],
    }),
  ),
  'which-courier': wording<{ couriers: readonly string[] }>(({ couriers }, { list, text }) => ({
    en: [`these books have several couriers: ${list(couriers)}`, `Say which: --courier ${couriers[0]}`],
    ar: [`في هذه الدفاتر أكثر من شركة توصيل: ${list(couriers)}`, `حدّد أيّها: ${text(`--courier ${couriers[0]}`)}`],
  })),
  'no-courier-has': wording<{ what: Wanted; couriers: readonly string[] }>(({ what, couriers }, { list, text }) => ({
    en: [`no courier has ${inEnglish(what)}`, `The couriers of these books are ${list(couriers)}.`],
    ar: [
      `ليس عند أي شركة توصيل ${KINDS_IN_ARABIC[what.kind]} ${text(what.name)}`,
      `شركات هذه الدفاتر هي: ${list(couriers)}.`,
    ],
  })),
  'several-couriers-have': wording<{ what: Wanted; couriers: readonly string[] }>(
    ({ what, couriers }, { list, text }) => ({
      en: [`several couriers have ${inEnglish(what)}: ${list(couriers)}`, `Say which: --courier ${couriers[0]}`],
      ar: [
        `عند أكثر من شركة توصيل ${KINDS_IN_ARABIC[what.kind]} ${text(what.name)}: ${list(couriers)}`,
        `حدّد أيّها: ${text(`--courier ${couriers[0]}`)}`,
      ],
    }),
  ),
  'folder-is-file': wording<{ folder: string }>(({ folder }, { text }) => ({
    en: [`${folder} is a file`, 'Name a folder.'],
    ar: [`${text(folder)} ملف`, 'سمِّ مجلدًا.'],
  })),
  'folder-not-empty': wording<{ folder: string }>(({ folder }, { text }) => ({
    en: [`${folder} is not empty`, 'Name another folder, or write into this one with --force.'],
    ar: [`المجلد ${text(folder)} ليس فارغًا`, `سمِّ مجلدًا آخر، أو اكتب فيه مع ${text('--force')}.`],
  })),
  'no-folder': wording<{ folder: string }>(({ folder }, { text }) => ({
    en: [`there is no folder ${folder}`, 'Make it, or name another one.'],
    ar: [`لا يوجد مجلد ${text(folder)}`, 'أنشئه، أو سمِّ مجلدًا آخر.'],
  })),
  'settings-there': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`${file} exists already`, 'It is left as it is; edit it, or name another folder.'],
    ar: [`الملف ${text(file)} موجود من قبل`, 'تُرك كما هو؛ عدّله، أو سمِّ مجلدًا آخر.'],
  })),
  'no-folder-for-copy': wording<{ folder: string }>(({ folder }, { text }) => ({
    en: [`there is no folder ${folder}`, 'Make it, or name another file.'],
    ar: [`لا يوجد مجلد ${text(folder)}`, 'أنشئه، أو سمِّ ملفًا آخر.'],
  })),
  'copy-is-folder': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`${file} is a folder`, 'Name a file in it for the copy.'],
    ar: [`${text(file)} مجلد`, 'سمِّ ملفًا فيه للنسخة.'],
  })),
  'copy-there': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`${file} exists already`, 'Name another file, or replace it with --force.'],
    ar: [`الملف ${text(file)} موجود من قبل`, `سمِّ ملفًا آخر، أو استبدله مع ${text('--force')}.`],
  })),
  'copy-is-ledger': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [`${ledger} is the ledger itself`, 'Name another place.'],
    ar: [`${text(ledger)} هو الدفتر نفسه`, 'سمِّ مكانًا آخر.'],
  })),
  'file-without-roles': wording<{ ledger: string }>(({ ledger }, { text }) => ({
    en: [
      `${ledger} is a file, which knows no roles`,
      'Whoever may write the file may do everything; name a database with --ledger to share the ledger.',
    ],
    ar: [
      `${text(ledger)} ملف لا يعرف أدوارًا`,
      `من يحقّ له أن يكتب في الملف يحقّ له كل شيء؛ سمِّ قاعدة بيانات مع ${text('--ledger')} لمشاركة الدفتر.`,
    ],
  })),
  'no-month-yet': wording<{ ledger: string; bySheets: boolean }>(({ ledger, bySheets }, { text }) => ({
    en: [`${ledger} holds no month yet`, `Run \`${bySheets ? 'remit import settlement FILE' : 'remit sync'}\` first.`],
    ar: [
      `ليس في ${text(ledger)} أي شهر بعد`,
      `شغّل \`${bySheets ? 'remit import settlement FILE' : 'remit sync'}\` أولًا.`,
    ],
  })),
  'nothing-of-courier': wording<{ ofMonths: boolean }>(({ ofMonths }) => ({
    en: [
      `nothing of it is in the ledger ${ofMonths ? 'for these months' : 'yet'}`,
      'Sync it, or import its settlement sheets.',
    ],
    ar: [`ليس في الدفاتر شيء منها ${ofMonths ? 'لهذه الأشهر' : 'بعد'}`, 'زامنها، أو استورد كشوف تسويتها.'],
  })),
  'nothing-fetched-of': wording<{ couriers: readonly string[] }>(({ couriers }, { list }) => ({
    en: [
      `no invoices are fetched of ${list(couriers)}`,
      'Import its settlement sheets: remit import settlement FILE --courier NAME.',
    ],
    ar: [`لا تُجلب فواتير من ${list(couriers)}`, 'استورد كشوف تسويتها: `remit import settlement FILE --courier NAME`.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const booksError = explainer('books', BOOKS_ERRORS);
