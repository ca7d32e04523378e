import { counted } from '../../base/counted.ts';
import { askWhich } from '../../base/edit-distance.ts';
import type { Explanation } from '../../base/errors.ts';
import { cleanText, quoted } from '../../base/text.ts';
import { type ErrorSpeech, explainer, wording } from './explain.ts';

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
  'account-needless': wording<{ account: string }>({
    en: ({ account }, { quoted }) => [
      `--account ${quoted(account)} is of no use: the files say whose account they are`,
      'Leave it out; it is for files that do not say their account.',
    ],
    ar: ({ account }, { quoted, text }) => [
      `${text('--account')} ${quoted(account)} لا يفيد: الملفات تذكر حسابها`,
      'احذفه؛ هو للملفات التي لا تذكر حسابها.',
    ],
  }),
  'account-missing': wording<{
    file: string;
    accounts: readonly string[];
    currencies: readonly string[];
    held: readonly LineHeldElsewhere[];
    all: number;
  }>({
    en: ({ file, accounts, currencies, held, all }, { list, quoted }) => [
      `${file} does not say whose account it is, while statements of ${accounts.map((account) => quoted(account)).join(', ')} in ${list(currencies)} are held${held.length === 0 ? '' : `; ${linesInEnglish(held, all)}`}`,
      `Say whose it is: --account ${quoted(accounts[0]!)} if it is that account, another name if it is not, or account = "..." in its map.`,
    ],
    ar: ({ file, accounts, currencies, held, all }, { list, quoted, text }) => [
      `لا يذكر ${text(file)} لأي حساب هو، وفي الدفاتر كشوف ${accounts.map((account) => quoted(account)).join('، ')} بعملة ${list(currencies)}${held.length === 0 ? '' : `؛ ${linesInArabic(held, all, text)}`}`,
      `حدّد لأي حساب هو: ${text('--account')} ${quoted(accounts[0]!)} إن كان لذلك الحساب، أو اسمًا آخر إن لم يكن، أو ${text('account = "..."')} في خريطته.`,
    ],
  }),
  'account-held-nameless': wording<{
    file: string;
    account: string;
    held: readonly LineHeldElsewhere[];
    all: number;
    undo: number;
  }>({
    en: ({ file, account, held, all, undo }, { quoted }) => [
      `${file} is of account ${quoted(account)}, and some of it is held without an account: ${linesInEnglish(held, all)}`,
      `Take that back and import it again with its account: \`remit import undo ${undo} --reason "no account"\`, then \`remit import receipts FILE --account NAME\`.`,
    ],
    ar: ({ file, account, held, all, undo }, { quoted, text }) => [
      `الملف ${text(file)} للحساب ${quoted(account)}، وبعضه محفوظ بلا حساب: ${linesInArabic(held, all, text)}`,
      `تراجع عن ذلك الاستيراد وأعده مع حسابه: \`remit import undo ${undo} --reason "no account"\`، ثم \`remit import receipts FILE --account NAME\`.`,
    ],
  }),
  'map-incomplete': wording<{ faults: readonly string[] }>({
    en: ({ faults }) => [`the columns do not say enough: ${faults.join('; ')}`, 'Say what the missing columns are.'],
    ar: ({ faults }, { text }) => [`الأعمدة لا تكفي: ${text(faults.join('; '))}`, 'حدّد ما هي الأعمدة الناقصة.'],
  }),
  'no-map-name': wording({
    en: () => ['a map’s name is made of letters, digits, - and _', 'Choose another.'],
    ar: (_, { text }) => [`اسم الخريطة من حروف لاتينية وأرقام و${text('-')} و${text('_')}`, 'اختر اسمًا آخر.'],
  }),
  'map-taken': wording<{ name: string }>({
    en: ({ name }) => [`there is a map ${name} already`, `Use it with --map ${name}, or choose another name.`],
    ar: ({ name }, { text }) => [
      `توجد خريطة اسمها ${text(name)}`,
      `استعملها: ${text(`--map ${text(name)}`)}، أو اختر اسمًا آخر.`,
    ],
  }),
  'several-maps': wording<{ file: string; maps: readonly string[] }>({
    en: ({ file, maps }, { list }) => [
      `${file} has the columns of several maps: ${list(maps)}`,
      `Name the map by which it is read: ${maps.map((name) => `--map ${name}`).join(', or ')}.`,
    ],
    ar: ({ file, maps }, { list, text }) => [
      `في ${text(file)} أعمدة أكثر من خريطة: ${list(maps)}`,
      `سمِّ الخريطة التي يُقرأ بها: ${maps.map((name) => text(`--map ${name}`)).join(' أو ')}.`,
    ],
  }),
  'no-settings-for-map': wording({
    en: () => ['there is no remit.toml to keep the map in', 'Make one with `remit init`.'],
    ar: () => ['لا يوجد remit.toml تُحفظ فيه الخريطة', 'أنشئه بالأمر `remit init`.'],
  }),
  'map-in-place': wording<{ settings: string; map: string }>({
    en: ({ settings, map }) => [
      `${settings} has its map in a form that remit does not change`,
      `Put this in its place:\n\n${map}\n`,
    ],
    ar: ({ settings, map }, { text }) => [
      `الخريطة في ${text(settings)} مكتوبة بشكل لا يغيّره remit`,
      `ضع هذه مكانها:\n\n${map.split('\n').map(text).join('\n')}\n`,
    ],
  }),
  'payers-in-place': wording<{ table: string; payers: readonly string[] }>({
    en: ({ table, payers }) => [
      'remit.toml has its payers in a form that remit does not change',
      `Put this there: [${table}] payers = ${JSON.stringify(payers)}`,
    ],
    ar: ({ table, payers }, { text }) => [
      'الدافعون في remit.toml مكتوبون بشكل لا يغيّره remit',
      `ضع هذا هناك: ${text(`[${table}] payers = ${JSON.stringify(payers)}`)}`,
    ],
  }),
  'map-unusable': wording<{ settings: string; name: string; faults: readonly string[] }>({
    en: ({ settings, name, faults }, { quoted }) => [
      `${settings}: the map ${quoted(name)} cannot be used: ${faults.join('; ')}`,
      'Correct that map; docs/settings.md has an example.',
    ],
    ar: ({ settings, name, faults }, { quoted, text }) => [
      `${text(settings)}: لا يمكن استعمال الخريطة ${quoted(name)}: ${faults.map(text).join('؛ ')}`,
      'صحّح تلك الخريطة؛ في docs/settings.md مثال.',
    ],
  }),
  'no-map': wording<{ name: string; known: readonly string[]; nearest: readonly string[] }>({
    en: ({ name, known, nearest }, { list, quoted }) => [
      `there is no map ${quoted(name)}`,
      known.length === 0
        ? 'remit.toml holds no [maps.NAME] yet; docs/settings.md has an example.'
        : nearest.length > 0
          ? askWhich(nearest)
          : `The maps are ${list(known)}.`,
    ],
    ar: ({ name, known, nearest }, { list, quoted, text }) => [
      `لا توجد خريطة ${quoted(name)}`,
      `${known.length === 0 ? `ليس في remit.toml أي ${text('[maps.NAME]')} بعد؛ في docs/settings.md مثال.` : nearest.length > 0 ? `هل تقصد ${nearest.map(text).join(' أو ')}؟` : `الخرائط هي: ${list(known)}.`}`,
    ],
  }),
  'account-empty': wording({
    en: () => ['--account is empty', 'Name the account, by its number or any name that you keep for it.'],
    ar: (_, { text }) => [`${text('--account')} فارغ`, 'سمِّ الحساب برقمه أو بأي اسم تحفظه له.'],
  }),
  'held-of-other-account': wording<{ file: string; imported: number; account: string | null }>({
    en: ({ file, imported, account }, { quoted }) => [
      `${file} is import ${imported} already, ${account === null ? 'without an account that was named' : `of account ${quoted(account)}`}`,
      `Take it back first with \`remit import undo ${imported}\`, or import it as before.`,
    ],
    ar: ({ file, imported, account }, { quoted, text }) => [
      `الملف ${text(file)} هو الاستيراد رقم ${imported} من قبل، ${account === null ? 'دون حساب مسمّى' : `للحساب ${quoted(account)}`}`,
      `تراجع عنه أولًا بالأمر \`remit import undo ${imported}\`، أو استورده كما كان.`,
    ],
  }),
  'held-by-other-map': wording<{ file: string; imported: number; hasMap: boolean }>({
    en: ({ file, imported, hasMap }) => [
      `${file} is import ${imported} already, read by ${hasMap ? 'another map' : 'no map'}`,
      `Take it back first with \`remit import undo ${imported}\`, or import it as before.`,
    ],
    ar: ({ file, imported, hasMap }, { text }) => [
      `الملف ${text(file)} هو الاستيراد رقم ${imported} من قبل، وقد قُرئ ${hasMap ? 'بخريطة أخرى' : 'دون خريطة'}`,
      `تراجع عنه أولًا بالأمر \`remit import undo ${imported}\`، أو استورده كما كان.`,
    ],
  }),
  'tariff-of-no-courier': wording<{ file: string; line: number; courier: string; couriers: readonly string[] }>({
    en: ({ file, line, courier, couriers }, { list }) => [
      `${file}, line ${line}: there is no courier ${quoted(courier)}`,
      `The couriers of these books are ${list(couriers)}; leave the cell empty for a price of all.`,
    ],
    ar: ({ file, line, courier, couriers }, { list, text }) => [
      `${text(file)}، السطر ${line}: لا توجد شركة توصيل ${text(courier)}`,
      `شركات هذه الدفاتر هي: ${list(couriers)}؛ واترك الخانة فارغة لسعر يعمّها.`,
    ],
  }),
  'does-not-add-up': wording<{ file: string; account: string | null; opening: string; sum: string; closing: string }>({
    en: ({ file, account, opening, sum, closing }) => [
      `${file}: the statement${account === null ? '' : ` of account ${account}`} does not add up: it opens with ${opening}, its lines come to ${sum}, and it closes with ${closing}`,
      'Lines are missing or doubled: export it again. --allow-gap takes it as it is, on record.',
    ],
    ar: ({ file, account, opening, sum, closing }, { text }) => [
      `${text(file)}: الكشف${account === null ? '' : ` للحساب ${text(account)}`} لا يتوازن: رصيده الافتتاحي ${text(opening)}، ومجموع أسطره ${text(sum)}، ورصيده الختامي ${text(closing)}`,
      `أسطر ناقصة أو مكررة: صدّره من جديد. ${text('--allow-gap')} يأخذه كما هو، ويُحفظ ذلك في السجلّ.`,
    ],
  }),
  'ids-changed': wording<{ file: string; same: number; added: readonly string[]; lacking: readonly string[] }>({
    en: ({ file, same, added, lacking }) => [
      `${file} holds ${counted(same, 'line')} that ${same === 1 ? 'is' : 'are'} held under other ids of the bank's, and other files do not agree with it on all lines of the same days: ${someOf(
        [...added.map((line) => `${line}, is in this file alone`), ...lacking.map((line) => `${line}, is not in it`)],
      )}`,
      'See which file is right. --replace takes this one as the correction of those days, on record.',
    ],
    ar: ({ file, same, added, lacking }, { text }) => [
      `في ${text(file)} أسطر محفوظة بمعرّفات مصرفية أخرى (${same})، ولا تتفق معه ملفات أخرى على كل أسطر الأيام نفسها: ${someOf(
        [...added.map((line) => `${text(line)} في هذا الملف وحده`), ...lacking.map((line) => `${text(line)} ليس فيه`)],
      )}`,
      `انظر أي الملفين صحيح. ${text('--replace')} يأخذ هذا تصحيحًا لتلك الأيام، ويُحفظ ذلك في السجلّ.`,
    ],
  }),
  'mark-gone': wording<{ file: string }>({
    en: ({ file }) => [
      `${file}: the line of its sheet About that says when it was written is gone`,
      'Decide with `remit mismatch ack` and `remit mismatch resolve` instead, or restore that line.',
    ],
    ar: ({ file }, { text }) => [
      `${text(file)}: حُذف من ورقة «حول الكشف» السطر الذي يذكر متى كُتب`,
      'قرّر بدل ذلك بالأمرين `remit mismatch ack` و`remit mismatch resolve`، أو أعد ذلك السطر.',
    ],
  }),
  'of-another-ledger': wording<{ file: string }>({
    en: ({ file }) => [
      `${file}: it was written from another ledger, or from a later state of this one`,
      'Name the books that it was written from with -C or --ledger.',
    ],
    ar: ({ file }, { text }) => [
      `${text(file)}: كُتب من دفاتر أخرى، أو من حالة لاحقة لهذه الدفاتر`,
      `سمِّ الدفاتر التي كُتب منها: ${text('-C')} أو ${text('--ledger')}.`,
    ],
  }),
  'of-file': wording<{ file: string; fault: Explanation }>({
    en: ({ file, fault }, { hint, say }) => [`${file}: ${say(fault)}`, hint(fault)],
    ar: ({ file, fault }, { hint, say, text }) => [`${text(file)}: ${say(fault)}`, hint(fault)],
  }),
  'no-import': wording<{ imported: number }>({
    en: ({ imported }) => [`there is no import ${imported}`, '`remit import list` shows them all.'],
    ar: ({ imported }) => [`لا يوجد استيراد رقم ${imported}`, 'الأمر `remit import list` يُظهرها كلها.'],
  }),
  'import-undone': wording<{ imported: number; at: string }>({
    en: ({ imported, at }) => [
      `import ${imported} was undone already, at ${at}`,
      'There is nothing left to take back.',
    ],
    ar: ({ imported, at }, { text }) => [
      `الاستيراد رقم ${imported} تُراجع عنه من قبل، في ${text(at)}`,
      'لم يبقَ ما يُتراجع عنه.',
    ],
  }),
  'months-rest-on-import': wording<{ imported: number; months: readonly string[] }>({
    en: ({ imported, months }, { list }) => [
      `import ${imported} cannot be undone: ${list(months)} ${months.length === 1 ? 'is' : 'are'} closed and ${months.length === 1 ? 'rests' : 'rest'} on it`,
      `Open ${months.length === 1 ? 'it' : 'them'} again first, the last month first: \`remit reopen ${months.at(-1)} --by NAME --reason TEXT\`.`,
    ],
    ar: ({ imported, months }, { list }) => [
      `لا يمكن التراجع عن الاستيراد رقم ${imported}: أشهر مقفلة تقوم عليه: ${list(months)}`,
      `أعد فتحها أولًا، الأخير فالذي قبله: \`remit reopen ${months.at(-1)} --by NAME --reason TEXT\`.`,
    ],
  }),
  'whose-sheet': wording<{ couriers: readonly string[] }>({
    en: ({ couriers }) => [
      'a settlement sheet does not say whose it is',
      `Name its courier: ${couriers.map((name) => `--courier ${name}`).join(', or ')}.`,
    ],
    ar: ({ couriers }, { text }) => [
      'كشف التسوية لا يذكر لأي شركة هو',
      `سمِّ شركته: ${couriers.map((name) => text(`--courier ${name}`)).join(' أو ')}.`,
    ],
  }),
  'invoices-of-api': wording<{ courier: string }>({
    en: ({ courier }) => [
      `the invoices of ${courier} come of its API`,
      'Sync them; settlement sheets are for couriers with kind = "files" in [couriers.NAME].',
    ],
    ar: ({ courier }, { text }) => [
      `فواتير ${text(courier)} تأتي من واجهتها البرمجية`,
      `زامنها؛ كشوف التسوية للشركات التي لها ${text('kind = "files"')} في ${text('[couriers.NAME]')}.`,
    ],
  }),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const because = explainer('importing', IMPORTING_ERRORS);
