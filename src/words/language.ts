import type { Label } from '../../reports/page.ts';
import type { Explanation } from '../base/errors.ts';
import type { CheckLanguage, Sentence, Speech, WordsFor } from '../base/sentence.ts';
import type { WorkbookWords } from '../base/workbook-words.ts';
import { CHECKS, type CheckSentence } from '../checks/catalogue/index.ts';
import { isolateTimes } from './direction.ts';
import type { ErrorText } from './errors/explain.ts';
import type { SpokenSentence } from './sentences.ts';
import { type CheckWords, type SmallWords, speechOf, stateInWords } from './speech.ts';
import { COLUMNS, cellsIn, LABELS, TITLES, termsIn, WORKBOOK_WORDS } from './terms.ts';

type AnyWords = Readonly<Record<string, (parameters: Sentence, speech: Speech) => string>>;

interface TableWords {
  /** By report; one that is missing here keeps its English title. */
  readonly titles: Readonly<Record<string, string>>;
  /** By column; by `report.column` if a report has another heading for it. */
  readonly headings: Readonly<Record<string, string>>;
  /** By column and word; a word that is missing here stays as it is. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A language: it puts every sentence, term and date of remit into words. */
export interface Language {
  /** `en`, `ar`. */
  readonly code: string;
  readonly isRightToLeft: boolean;
  /** What is between the parts of a list. */
  readonly comma: string;
  readonly tables: TableWords;
  /** Puts a sentence into words. One of a later version, whose id is not known here, becomes its id and parameters. */
  readonly say: (sentence: Sentence) => string;
  /** Puts an error into words: what happened, and what to do. */
  readonly explain: (explanation: Explanation) => { readonly message: string; readonly hint: string };
  /** The label of a part of a page. */
  readonly label: (label: Label) => string;
  /** What a check finds, in a few words: `An order on two invoices`. An unknown code stays as it is. */
  readonly finds: (code: string) => string;
  /** A courier's status: `Pending payment`. */
  readonly state: (state: string) => string;
  /** `2026-10` as `October 2026`. */
  readonly month: (month: string) => string;
  /** `2026-10-31` as `31 October`. */
  readonly day: (day: string) => string;
  /** `2026-10-31` as `31 Oct 2026`. */
  readonly date: (day: string) => string;
  /** The statuses of a mismatch, as a workbook shows them and takes them back. */
  readonly statuses: WorkbookWords['statuses'];
}

/** Puts an error into the words of another language than English; undefined if the sentence is not an error's. */
type SayError = (sentence: Sentence, explain: (explanation: Explanation) => ErrorText) => ErrorText | undefined;

/** What the file of a language gives: see `arabic.ts`. */
interface LanguageFile {
  readonly code: CheckLanguage;
  readonly dates: Pick<Language, 'month' | 'day' | 'date'>;
  readonly isRightToLeft: boolean;
  readonly smallWords: SmallWords;
  /** Every sentence but those of the checks, whose words are in the checks' own files. */
  readonly words: WordsFor<SpokenSentence>;
  /** Absent for English, which every error carries with it. */
  readonly sayError?: SayError;
}

export function makeLanguage(file: LanguageFile): Language {
  const { code, dates, isRightToLeft, smallWords, sayError } = file;
  const { words: checkSentences, checks } = wordsOfChecks(code);
  const wordsById = new Map(Object.entries({ ...file.words, ...checkSentences } as unknown as AnyWords));
  for (const [id, label] of Object.entries(termsIn(LABELS, code))) wordsById.set(id, () => label);
  const say = (sentence: Sentence): string => {
    const words = wordsById.get(sentence.id);
    if (words) return words(isRightToLeft ? isolateTimes(sentence) : sentence, speech);
    // A sentence may hold another that is an error's.
    const [message] = sayError?.(sentence, explain) ?? [JSON.stringify(sentence)];
    return message;
  };
  const explain = ({ sentence, message, hint }: Explanation): ErrorText => {
    // An error with English words alone (`said`), and its hint.
    if (wordsById.has(sentence.id)) return [say(sentence), hint];
    return sayError?.(sentence, explain) ?? [message, hint];
  };
  const speech = speechOf({ code, isRightToLeft, words: smallWords, say, checks });
  const headings: Readonly<Record<string, string>> = termsIn(COLUMNS, code);
  return {
    code,
    isRightToLeft,
    comma: smallWords.comma,
    say,
    explain: (explanation) => {
      const [message, hint] = explain(explanation);
      return { message, hint };
    },
    tables: { titles: code === 'en' ? {} : TITLES, headings, cells: cellsIn(code) },
    finds: speech.finds,
    state: (state) => stateInWords(smallWords, state),
    label: (label) => {
      if (typeof label === 'string') return label;
      return 'column' in label ? (headings[String(label.column)] ?? String(label.column)) : say(label);
    },
    ...dates,
    statuses: WORKBOOK_WORDS[code].statuses,
  };
}

/** The words that are in the checks' own files. */
function wordsOfChecks(code: CheckLanguage): { words: WordsFor<CheckSentence>; checks: CheckWords } {
  const words = Object.assign({}, ...CHECKS.map((check) => check.words[code]));
  const finds = Object.fromEntries(CHECKS.map((check) => [check.code, check.finds[code]]));
  const claims = Object.fromEntries(CHECKS.flatMap(({ code: check, claim }) => (claim ? [[check, claim[code]]] : [])));
  return { words, checks: { finds, claims } };
}
