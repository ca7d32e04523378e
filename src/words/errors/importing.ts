import { counted } from '../../base/counted.ts';
import type { Explanation } from '../../base/errors.ts';
import type { Texts } from '../../base/sentence.ts';
import { cleanText, quoted } from '../../base/text.ts';
import { type ErrorSpeech, explainer, nearestOr, wording } from './explain.ts';

/** What to do about a file that was imported otherwise. @param imported its import */
function takeBackFirst(imported: number): Texts {
  return {
    en: `Take it back first with \`remit import undo ${imported}\`, or import it as before.`,
    ar: `تراجع عنه أولًا بالأمر \`remit import undo ${imported}\`، أو استورده كما كان.`,
  };
}

/** A line of a file that is in the books already, under another account or none. */
export type LineHeldElsewhere = {
  readonly line: number;
  readonly date: string;
  /** With the currency: `12.50 USD`. */
  readonly amount: string;
  /** The account under which it is held; null if none was named. */
  readonly account: string | null;
  readonly source: string;
  /** The import that brought it. */
  readonly from: number;
};

/** How many lines are named one by one; the others are counted. */
const MOST_LISTED = 10;

export function linesInEnglish(held: readonly LineHeldElsewhere[], all: number): string {
  const each = held.slice(0, MOST_LISTED).map(({ line, date, amount, account, source, from }) => {
    const where = account === null ? '' : ` under account ${quoted(account)}`;
    return `line ${line} of ${date}, ${amount}, is held${where} from ${cleanText(source, 100)} (import ${from})`;
  });
  const more = held.length > MOST_LISTED ? `; and ${held.length - MOST_LISTED} more` : '';
  return `${held.length} of its ${counted(all, 'line')} ${held.length === 1 ? 'stands' : 'stand'} there already: ${each.join('; ')}${more}`;
}

function linesInArabic(held: readonly LineHeldElsewhere[], all: number, text: ErrorSpeech['text']): string {
  const each = held.slice(0, MOST_LISTED).map(({ line, date, amount, account, source, from }) => {
    const where = account === null ? '' : ` للحساب ${text(quoted(account))}`;
    return `السطر ${line} بتاريخ ${text(date)}، ${text(amount)}، محفوظ${where} من ${text(cleanText(source, 100))} (الاستيراد ${from})`;
  });
  const more = held.length > MOST_LISTED ? `؛ و${held.length - MOST_LISTED} غيرها` : '';
  return `من أسطره (${all}) ما هو محفوظ من قبل (${held.length}): ${each.join('؛ ')}${more}`;
}

/** `a; b; +3`: the first ones, and how many more there are. */
function someOf(lines: readonly string[]): string {
  const more = lines.length > MOST_LISTED ? [`+${lines.length - MOST_LISTED}`] : [];
  return [...lines.slice(0, MOST_LISTED), ...more].join('; ');
}

/** Why a readable file is not imported, or an import not undone. */
export const IMPORTING_ERRORS = {
  'account-needless': wording<{ account: string }>(({ account }, { quoted, text }) => ({
    en: [
      `--account ${quoted(account)} is of no use: the files say whose account they are`,
      'Leave it out; it is for files that do not say their account.',
    ],
    ar: [
      `${text('--account')} ${quoted(account)} لا يفيد: الملفات تذكر حسابها`,
      'احذفه؛ هو للملفات التي لا تذكر حسابها.',
    ],
  })),
  'account-missing': wording<{
    file: string;
    accounts: readonly string[];
    currencies: readonly string[];
    held: readonly LineHeldElsewhere[];
    all: number;
  }>(({ file, accounts, currencies, held, all }, { list, quoted, text }) => ({
    en: [
      `${file} does not say whose account it is, while statements of ${accounts.map((account) => quoted(account)).join(', ')} in ${list(currencies)} are held${held.length === 0 ? '' : `; ${linesInEnglish(held, all)}`}`,
      `Say whose it is: --account ${quoted(accounts[0]!)} if it is that account, another name if it is not, or account = "..." in its map.`,
    ],
    ar: [
      `لا يذكر ${text(file)} لأي حساب هو، وفي الدفاتر كشوف ${accounts.map((account) => quoted(account)).join('، ')} بعملة ${list(currencies)}${held.length === 0 ? '' : `؛ ${linesInArabic(held, all, text)}`}`,
      `حدّد لأي حساب هو: ${text('--account')} ${quoted(accounts[0]!)} إن كان لذلك الحساب، أو اسمًا آخر إن لم يكن، أو ${text('account = "..."')} في خريطته.`,
    ],
  })),
  'account-held-nameless': wording<{
    file: string;
    account: string;
    held: readonly LineHeldElsewhere[];
    all: number;
    undo: number;
  }>(({ file, account, held, all, undo }, { quoted, text }) => ({
    en: [
      `${file} is of account ${quoted(account)}, and some of it is held without an account: ${linesInEnglish(held, all)}`,
      `Take that back and import it again with its account: \`remit import undo ${undo} --reason "no account"\`, then \`remit import receipts FILE --account NAME\`.`,
    ],
    ar: [
      `الملف ${text(file)} للحساب ${quoted(account)}، وبعضه محفوظ بلا حساب: ${linesInArabic(held, all, text)}`,
      `تراجع عن ذلك الاستيراد وأعده مع حسابه: \`remit import undo ${undo} --reason "no account"\`، ثم \`remit import receipts FILE --account NAME\`.`,
    ],
  })),
  'map-incomplete': wording<{ faults: readonly string[] }>(({ faults }, { text }) => ({
    en: [`the columns do not say enough: ${faults.join('; ')}`, 'Say what the missing columns are.'],
    ar: [`الأعمدة لا تكفي: ${text(faults.join('; '))}`, 'حدّد ما هي الأعمدة الناقصة.'],
  })),
  'no-map-name': wording((_, { text }) => ({
    en: ['a map’s name is made of letters, digits, - and _', 'Choose another.'],
    ar: [`اسم الخريطة من حروف لاتينية وأرقام و${text('-')} و${text('_')}`, 'اختر اسمًا آخر.'],
  })),
  'map-taken': wording<{ name: string }>(({ name }, { text }) => ({
    en: [`there is a map ${name} already`, `Use it with --map ${name}, or choose another name.`],
    ar: [`توجد خريطة اسمها ${text(name)}`, `استعملها: ${text(`--map ${text(name)}`)}، أو اختر اسمًا آخر.`],
  })),
  'several-maps': wording<{ file: string; maps: readonly string[] }>(({ file, maps }, { list, text }) => ({
    en: [
      `${file} has the columns of several maps: ${list(maps)}`,
      `Name the map by which it is read: ${maps.map((name) => `--map ${name}`).join(', or ')}.`,
    ],
    ar: [
      `في ${text(file)} أعمدة أكثر من خريطة: ${list(maps)}`,
      `سمِّ الخريطة التي يُقرأ بها: ${maps.map((name) => text(`--map ${name}`)).join(' أو ')}.`,
    ],
  })),
  'no-settings-for-map': wording(() => ({
    en: ['there is no remit.toml to keep the map in', 'Make one with `remit init`.'],
    ar: ['لا يوجد remit.toml تُحفظ فيه الخريطة', 'أنشئه بالأمر `remit init`.'],
  })),
  'map-in-place': wording<{ settings: string; map: string }>(({ settings, map }, { text }) => ({
    en: [`${settings} has its map in a form that remit does not change`, `Put this in its place:\n\n${map}\n`],
    ar: [
      `الخريطة في ${text(settings)} مكتوبة بشكل لا يغيّره remit`,
      `ضع هذه مكانها:\n\n${map.split('\n').map(text).join('\n')}\n`,
    ],
  })),
  'payers-in-place': wording<{ table: string; payers: readonly string[] }>(({ table, payers }, { text }) => ({
    en: [
      'remit.toml has its payers in a form that remit does not change',
      `Put this there: [${table}] payers = ${JSON.stringify(payers)}`,
    ],
    ar: [
      'الدافعون في remit.toml مكتوبون بشكل لا يغيّره remit',
      `ضع هذا هناك: ${text(`[${table}] payers = ${JSON.stringify(payers)}`)}`,
    ],
  })),
  'map-unusable': wording<{ settings: string; name: string; faults: readonly string[] }>(
    ({ settings, name, faults }, { quoted, text }) => ({
      en: [
        `${settings}: the map ${quoted(name)} cannot be used: ${faults.join('; ')}`,
        'Correct that map; docs/settings.md has an example.',
      ],
      ar: [
        `${text(settings)}: لا يمكن استعمال الخريطة ${quoted(name)}: ${faults.map(text).join('؛ ')}`,
        'صحّح تلك الخريطة؛ في docs/settings.md مثال.',
      ],
    }),
  ),
  'no-map': wording<{ name: string; known: readonly string[]; nearest: readonly string[] }>(
    ({ name, known, nearest }, { list, quoted, text }) => {
      const none = {
        en: 'remit.toml holds no [maps.NAME] yet; docs/settings.md has an example.',
        ar: `ليس في remit.toml أي ${text('[maps.NAME]')} بعد؛ في docs/settings.md مثال.`,
      };
      const all = { en: `The maps are ${list(known)}.`, ar: `الخرائط هي: ${list(known)}.` };
      const hint = known.length === 0 ? none : nearestOr(nearest, text, all);
      return { en: [`there is no map ${quoted(name)}`, hint.en], ar: [`لا توجد خريطة ${quoted(name)}`, hint.ar] };
    },
  ),
  'account-empty': wording((_, { text }) => ({
    en: ['--account is empty', 'Name the account, by its number or any name that you keep for it.'],
    ar: [`${text('--account')} فارغ`, 'سمِّ الحساب برقمه أو بأي اسم تحفظه له.'],
  })),
  'held-of-other-account': wording<{ file: string; imported: number; account: string | null }>(
    ({ file, imported, account }, { quoted, text }) => ({
      en: [
        `${file} is import ${imported} already, ${account === null ? 'without an account that was named' : `of account ${quoted(account)}`}`,
        takeBackFirst(imported).en,
      ],
      ar: [
        `الملف ${text(file)} هو الاستيراد رقم ${imported} من قبل، ${account === null ? 'دون حساب مسمّى' : `للحساب ${quoted(account)}`}`,
        takeBackFirst(imported).ar,
      ],
    }),
  ),
  'held-by-other-map': wording<{ file: string; imported: number; hasMap: boolean }>(
    ({ file, imported, hasMap }, { text }) => ({
      en: [
        `${file} is import ${imported} already, read by ${hasMap ? 'another map' : 'no map'}`,
        takeBackFirst(imported).en,
      ],
      ar: [
        `الملف ${text(file)} هو الاستيراد رقم ${imported} من قبل، وقد قُرئ ${hasMap ? 'بخريطة أخرى' : 'دون خريطة'}`,
        takeBackFirst(imported).ar,
      ],
    }),
  ),
  'tariff-of-no-courier': wording<{ file: string; line: number; courier: string; couriers: readonly string[] }>(
    ({ file, line, courier, couriers }, { list, text }) => ({
      en: [
        `${file}, line ${line}: there is no courier ${quoted(courier)}`,
        `The couriers of these books are ${list(couriers)}; leave the cell empty for a price of all.`,
      ],
      ar: [
        `${text(file)}، السطر ${line}: لا توجد شركة توصيل ${text(courier)}`,
        `شركات هذه الدفاتر هي: ${list(couriers)}؛ واترك الخانة فارغة لسعر يعمّها.`,
      ],
    }),
  ),
  'does-not-add-up': wording<{ file: string; account: string | null; opening: string; sum: string; closing: string }>(
    ({ file, account, opening, sum, closing }, { text }) => ({
      en: [
        `${file}: the statement${account === null ? '' : ` of account ${account}`} does not add up: it opens with ${opening}, its lines come to ${sum}, and it closes with ${closing}`,
        'Lines are missing or doubled: export it again. --allow-gap takes it as it is, on record.',
      ],
      ar: [
        `${text(file)}: الكشف${account === null ? '' : ` للحساب ${text(account)}`} لا يتوازن: رصيده الافتتاحي ${text(opening)}، ومجموع أسطره ${text(sum)}، ورصيده الختامي ${text(closing)}`,
        `أسطر ناقصة أو مكررة: صدّره من جديد. ${text('--allow-gap')} يأخذه كما هو، ويُحفظ ذلك في السجلّ.`,
      ],
    }),
  ),
  'ids-changed': wording<{ file: string; same: number; added: readonly string[]; lacking: readonly string[] }>(
    ({ file, same, added, lacking }, { text }) => ({
      en: [
        `${file} holds ${counted(same, 'line')} that ${same === 1 ? 'is' : 'are'} held under other ids of the bank's, and other files do not agree with it on all lines of the same days: ${someOf(
          [...added.map((line) => `${line}, is in this file alone`), ...lacking.map((line) => `${line}, is not in it`)],
        )}`,
        'See which file is right. --replace takes this one as the correction of those days, on record.',
      ],
      ar: [
        `في ${text(file)} أسطر محفوظة بمعرّفات مصرفية أخرى (${same})، ولا تتفق معه ملفات أخرى على كل أسطر الأيام نفسها: ${someOf(
          [
            ...added.map((line) => `${text(line)} في هذا الملف وحده`),
            ...lacking.map((line) => `${text(line)} ليس فيه`),
          ],
        )}`,
        `انظر أي الملفين صحيح. ${text('--replace')} يأخذ هذا تصحيحًا لتلك الأيام، ويُحفظ ذلك في السجلّ.`,
      ],
    }),
  ),
  'mark-gone': wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `${file}: the line of its sheet About that says when it was written is gone`,
      'Decide with `remit mismatch ack` and `remit mismatch resolve` instead, or restore that line.',
    ],
    ar: [
      `${text(file)}: حُذف من ورقة «حول الكشف» السطر الذي يذكر متى كُتب`,
      'قرّر بدل ذلك بالأمرين `remit mismatch ack` و`remit mismatch resolve`، أو أعد ذلك السطر.',
    ],
  })),
  'of-another-ledger': wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `${file}: it was written from another ledger, or from a later state of this one`,
      'Name the books that it was written from with -C or --ledger.',
    ],
    ar: [
      `${text(file)}: كُتب من دفاتر أخرى، أو من حالة لاحقة لهذه الدفاتر`,
      `سمِّ الدفاتر التي كُتب منها: ${text('-C')} أو ${text('--ledger')}.`,
    ],
  })),
  'of-file': wording<{ file: string; fault: Explanation }>(({ file, fault }, { hint, say, text }) => ({
    en: [`${file}: ${say(fault)}`, hint(fault)],
    ar: [`${text(file)}: ${say(fault)}`, hint(fault)],
  })),
  'no-import': wording<{ imported: number }>(({ imported }) => ({
    en: [`there is no import ${imported}`, '`remit import list` shows them all.'],
    ar: [`لا يوجد استيراد رقم ${imported}`, 'الأمر `remit import list` يُظهرها كلها.'],
  })),
  'import-undone': wording<{ imported: number; at: string }>(({ imported, at }, { text }) => ({
    en: [`import ${imported} was undone already, at ${at}`, 'There is nothing left to take back.'],
    ar: [`الاستيراد رقم ${imported} تُراجع عنه من قبل، في ${text(at)}`, 'لم يبقَ ما يُتراجع عنه.'],
  })),
  'months-rest-on-import': wording<{ imported: number; months: readonly string[] }>(
    ({ imported, months }, { list }) => ({
      en: [
        `import ${imported} cannot be undone: ${list(months)} ${months.length === 1 ? 'is' : 'are'} closed and ${months.length === 1 ? 'rests' : 'rest'} on it`,
        `Open ${months.length === 1 ? 'it' : 'them'} again first, the last month first: \`remit reopen ${months.at(-1)} --by NAME --reason TEXT\`.`,
      ],
      ar: [
        `لا يمكن التراجع عن الاستيراد رقم ${imported}: أشهر مقفلة تقوم عليه: ${list(months)}`,
        `أعد فتحها أولًا، الأخير فالذي قبله: \`remit reopen ${months.at(-1)} --by NAME --reason TEXT\`.`,
      ],
    }),
  ),
  'whose-sheet': wording<{ couriers: readonly string[] }>(({ couriers }, { text }) => ({
    en: [
      'a settlement sheet does not say whose it is',
      `Name its courier: ${couriers.map((name) => `--courier ${name}`).join(', or ')}.`,
    ],
    ar: [
      'كشف التسوية لا يذكر لأي شركة هو',
      `سمِّ شركته: ${couriers.map((name) => text(`--courier ${name}`)).join(' أو ')}.`,
    ],
  })),
  'invoices-of-api': wording<{ courier: string }>(({ courier }, { text }) => ({
    en: [
      `the invoices of ${courier} come of its API`,
      'Sync them; settlement sheets are for couriers with kind = "files" in [couriers.NAME].',
    ],
    ar: [
      `فواتير ${text(courier)} تأتي من واجهتها البرمجية`,
      `زامنها؛ كشوف التسوية للشركات التي لها ${text('kind = "files"')} في ${text('[couriers.NAME]')}.`,
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const importingError = explainer('importing', IMPORTING_ERRORS);
