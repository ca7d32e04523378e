import { explainer, wording } from './explain.ts';

/** Why an existing statement is not overwritten. */
export type NotOverwritten = {
  readonly why: 'not-remits' | 'of-other-ledger' | 'typed-into' | 'typed-into-too' | 'not-taken-back';
  /** How many statuses and notes in it could be taken back. */
  readonly count?: number;
};

function leftInEnglish({ why, count }: NotOverwritten): string {
  return {
    'not-remits': 'remit did not write it as a statement',
    'of-other-ledger': 'it was written from another ledger, or from a later state of this one',
    'typed-into': 'something was typed into it, outside its statuses and notes',
    'typed-into-too': 'its statuses and notes were taken back, and something else was typed into it',
    'not-taken-back': `${count === 1 ? 'a status or note in it was' : `${count} statuses or notes in it were`} not taken back`,
  }[why];
}

function leftInArabic({ why, count }: NotOverwritten): string {
  return {
    'not-remits': 'لم يكتبه remit كشفًا',
    'of-other-ledger': 'كُتب من دفاتر أخرى، أو من حالة لاحقة لهذه الدفاتر',
    'typed-into': 'كُتب فيه شيء خارج حالاته وملاحظاته',
    'typed-into-too': 'سُجّلت حالاته وملاحظاته في الدفاتر، وكُتب فيه شيء آخر',
    'not-taken-back': `فيه حالات أو ملاحظات لم تُسجَّل في الدفاتر (${count})`,
  }[why];
}

/** Why a statement is not written. */
export const STATING_ERRORS = {
  'no-such-browser': wording<{ program: string }>(({ program }, { text }) => ({
    en: [
      `the setting \`browser\` names ${program}, which is no program that can be run`,
      'Correct it in remit.toml, or remove it so that remit looks for Chromium, Chrome or Edge itself.',
    ],
    ar: [
      `الإعداد \`browser\` يسمّي ${text(program)}، وهو ليس برنامجًا يمكن تشغيله`,
      'صحّحه في remit.toml، أو احذفه ليبحث remit عن Chromium أو Chrome أو Edge بنفسه.',
    ],
  })),
  'no-browser': wording((_, { text }) => ({
    en: [
      'a PDF is printed by Chromium, Chrome or Edge, and none of them was found',
      'Install one, or name yours in remit.toml: browser = "/path/to/it". Or write the statement with --format html, and print it from any browser.',
    ],
    ar: [
      'يطبع ملفَ PDF برنامجُ Chromium أو Chrome أو Edge، ولم يوجد أي منها',
      `ثبّت واحدًا منها، أو سمِّ ما عندك في remit.toml: ${text('browser = "/path/to/it"')}. أو اكتب الكشف مع ${text('--format html')} واطبعه من أي متصفح.`,
    ],
  })),
  // `why` is empty, or begins with a colon.
  'printed-nothing': wording<{ program: string; why: string }>(({ program, why }, { text }) => ({
    en: [
      `${program} printed no PDF${why}`,
      'Name another Chromium, Chrome or Edge in remit.toml: browser = "/path/to/it". Or use --format html, and print that from any browser.',
    ],
    ar: [
      `لم يطبع ${text(program)} ملف PDF${text(why)}`,
      `سمِّ Chromium أو Chrome أو Edge آخر في remit.toml: ${text('browser = "/path/to/it"')}. أو استعمل ${text('--format html')} واطبع ذلك من أي متصفح.`,
    ],
  })),
  'one-file-for-several': wording<{ couriers: readonly string[] }>(({ couriers }, { list, text }) => ({
    en: [`--out names one file, and each of ${list(couriers)} has a statement`, 'Name one with --courier.'],
    ar: [`${text('--out')} يسمّي ملفًا واحدًا، ولكل من ${list(couriers)} كشف`, `سمِّ واحدة: ${text('--courier')}.`],
  })),
  'currency-meanwhile': wording<{ month: string; currency: string }>(({ month, currency }, { text }) => ({
    en: [`${month} got ${currency} while its files were chosen`, 'Run the command again.'],
    ar: [`ظهرت عملة ${text(currency)} في ${text(month)} أثناء اختيار ملفاته`, 'أعد تشغيل الأمر.'],
  })),
  'no-notes-into-past': wording((_, { text }) => ({
    en: ['nothing can be taken back into the past', 'Leave out --take-notes or --as-of.'],
    ar: ['لا يُسجَّل شيء في ما مضى', `احذف ${text('--take-notes')} أو ${text('--as-of')}.`],
  })),
  'not-as-written': wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `${file} is left as it is: it is not as remit wrote it`,
      'Write beside it with --beside, or move it elsewhere.',
    ],
    ar: [`تُرك ${text(file)} كما هو: ليس كما كتبه remit`, `اكتب إلى جانبه مع ${text('--beside')}، أو انقله.`],
  })),
  'left-as-it-is': wording<{ file: string; left: NotOverwritten }>(({ file, left }, { text }) => ({
    en: [
      `${file} is left as it is: ${leftInEnglish(left)}`,
      `${left.why === 'not-taken-back' ? 'Take them with --take-notes, or write beside it with --beside, or name' : 'Write beside it with --beside, or name'} another file with --out.`,
    ],
    ar: [
      `تُرك ${text(file)} كما هو: ${leftInArabic(left)}`,
      `${left.why === 'not-taken-back' ? `سجّلها مع ${text('--take-notes')}، أو اكتب` : 'اكتب'} إلى جانبه مع ${text('--beside')}، أو سمِّ ملفًا آخر: ${text('--out')}.`,
    ],
  })),
  'cannot-be-read': wording<{ file: string; code: string | null }>(({ file, code }, { text }) => ({
    en: [`${file} cannot be read (${code})`, 'Look at its permissions, or name another file with --out.'],
    ar: [`لا يمكن قراءة ${text(file)} (${text(code ?? '')})`, `انظر صلاحياته، أو سمِّ ملفًا آخر: ${text('--out')}.`],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const statingError = explainer('stating', STATING_ERRORS);
