import { REPORTS } from '../../reports/index.ts';
import type { Explanation } from '../base/errors.ts';
import type { CheckLanguage, Sentence, Speech, WordsFor } from '../base/sentence.ts';
import type { ReadBackWords } from '../base/workbook-words.ts';
import { CHECKS, type CheckSentence } from '../checks/catalogue/index.ts';
import { AR, AR_SMALL_WORDS } from './ar.ts';
import { AR_READ_BACK, AR_TABLES } from './ar-tables.ts';
import { textApart, timesApart } from './direction.ts';
import { EN, EN_AGES, EN_READ_BACK, EN_SMALL_WORDS } from './en.ts';
import type { Said } from './errors/explain.ts';
import { sayError } from './errors/index.ts';
import type { OwnSentence } from './sentences.ts';
import { type CheckWords, type SmallWords, speechOf, stateInWords } from './speech.ts';
import type { TableWords } from './tables.ts';

export { textApart };

type AnyWords = Readonly<Record<string, (parameters: Sentence, speech: Speech) => string>>;

/** A language: how each sentence of remit is said in it. */
export interface Language {
  /** `en`, `ar`. */
  readonly code: string;
  readonly rightToLeft: boolean;
  readonly tables: TableWords;
  /** Says a sentence. One whose id this version does not know, such as a later version's, is shown by its id and parameters. */
  readonly say: (sentence: Sentence) => string;
  /** What an error says: what happened, and what to do. */
  readonly explain: (explanation: Explanation) => { readonly message: string; readonly hint: string };
  /** What a check finds, in a few words: `An order on two invoices`. A code that this version does not know is shown as it is. */
  readonly finds: (code: string) => string;
  /** A status of the courier's: `Pending payment`. */
  readonly state: (state: string) => string;
  /** `2026-10` as `October 2026`. */
  readonly month: (month: string) => string;
  /** `2026-10-31` as `31 October`. */
  readonly day: (day: string) => string;
  /** The words of a workbook that are read back from it. */
  readonly readBack: ReadBackWords;
  /** The statuses of a mismatch, as a workbook shows them and takes them back. */
  readonly statuses: ReadBackWords['statuses'];
}

/** What makes a language. */
interface LanguageFile {
  readonly code: string;
  /** How months are written. */
  readonly locale: string;
  readonly rightToLeft: boolean;
  readonly smallWords: SmallWords;
  /** Every sentence, those of the checks among them. */
  readonly words: WordsFor<OwnSentence | CheckSentence>;
  readonly checks: CheckWords;
  readonly tables: TableWords;
  readonly readBack: ReadBackWords;
}

function makeLanguage({
  code,
  locale,
  rightToLeft,
  smallWords,
  words,
  checks,
  tables,
  readBack,
}: LanguageFile): Language {
  const wordsById = new Map(Object.entries(words as unknown as AnyWords));
  const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const say = (sentence: Sentence): string => {
    const word = wordsById.get(sentence.id);
    if (word) return word(rightToLeft ? timesApart(sentence) : sentence, speech);
    return sayError(sentence, code, explain)?.[0] ?? JSON.stringify(sentence);
  };
  const explain = ({ sentence, message, hint }: Explanation): Said => {
    if (wordsById.has(sentence.id)) return [say(sentence), hint];
    return sayError(sentence, code, explain) ?? [message, hint];
  };
  const speech = speechOf({ code, rightToLeft, words: smallWords, say, checks });
  return {
    code,
    rightToLeft,
    say,
    explain: (explanation) => {
      const [message, hint] = explain(explanation);
      return { message, hint };
    },
    tables,
    finds: speech.finds,
    state: (state) => stateInWords(smallWords, state),
    month: (month) => months.format(new Date(`${month}-01T00:00:00Z`)),
    day: (day) => days.format(new Date(`${day}T00:00:00Z`)),
    statuses: readBack.statuses,
    readBack,
  };
}

/** The words that the checks bring themselves. */
function wordsOfChecks(code: CheckLanguage): Pick<LanguageFile, 'checks'> & { words: WordsFor<CheckSentence> } {
  const words = Object.assign({}, ...CHECKS.map((check) => check.words[code]));
  const finds = Object.fromEntries(CHECKS.map((check) => [check.code, check.finds[code]]));
  const claims = Object.fromEntries(CHECKS.flatMap(({ code: check, claim }) => (claim ? [[check, claim[code]]] : [])));
  return { words, checks: { finds, claims } };
}

/** What a language calls the reports. */
function reportTitles(code: 'ar'): TableWords['titles'] {
  return Object.fromEntries(REPORTS.map(({ name, titleIn }) => [name, titleIn[code]]));
}

const [english, arabic] = [wordsOfChecks('en'), wordsOfChecks('ar')];

/** Every language in which a statement is written. A new one is a file here and a line. */
const LANGUAGES = {
  en: makeLanguage({
    code: 'en',
    locale: 'en-GB',
    rightToLeft: false,
    smallWords: EN_SMALL_WORDS,
    words: { ...EN, ...english.words },
    checks: english.checks,
    // Reports name their columns in English.
    tables: { titles: {}, headings: {}, cells: { bucket: EN_AGES } },
    readBack: EN_READ_BACK,
  }),
  ar: makeLanguage({
    code: 'ar',
    // Figures in the digits of the cells beside them.
    locale: 'ar-LB-u-nu-latn',
    rightToLeft: true,
    smallWords: AR_SMALL_WORDS,
    words: { ...AR, ...arabic.words },
    checks: arabic.checks,
    tables: { ...AR_TABLES, titles: { ...reportTitles('ar'), ...AR_TABLES.titles } },
    readBack: AR_READ_BACK,
  }),
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageCode = keyof typeof LANGUAGES;

/** The codes of all languages. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[];

/** Whether remit speaks a language. */
export function isLanguageCode(code: string): code is LanguageCode {
  return Object.hasOwn(LANGUAGES, code);
}

/** The words that are read back from a workbook, of every language. */
export const READ_BACK: readonly ReadBackWords[] = Object.values(LANGUAGES).map(({ readBack }) => readBack);

/** The language of a code. */
export function languageOf(code: LanguageCode): Language {
  return LANGUAGES[code];
}

/** English: the command line and everything that other programs read. */
export const ENGLISH = LANGUAGES.en;

/** Says a sentence in English. */
export const say = ENGLISH.say;

/** A sentence as a part of what an error says. */
export function explained(sentence: Sentence): Explanation {
  return { sentence, message: say(sentence), hint: '' };
}
