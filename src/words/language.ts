import type { Label } from '../../reports/page.ts';
import type { Explanation } from '../base/errors.ts';
import type { CheckLanguage, Plural, Sentence, Speech, WordsFor } from '../base/sentence.ts';
import type { DELIVERY_STATES, INVOICE_STATUSES, PAYMENT_STATES } from '../base/states.ts';
import { cleanText } from '../base/text.ts';
import type { WorkbookWords } from '../base/workbook-mark.ts';
import { CHECKS, type CheckSentence } from '../checks/catalogue/index.ts';
import { formatMoney, parseAmount } from '../money/decimal.ts';
import { figureApart, isolateTimes, textApart } from './direction.ts';
import type { ErrorText } from './errors/explain.ts';
import type { SpokenSentence } from './sentences.ts';
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

/** A courier's status that its documentation names. */
type State = (typeof DELIVERY_STATES)[number] | (typeof PAYMENT_STATES)[number] | (typeof INVOICE_STATUSES)[number];

/** The small words of a language that every sentence needs. */
export interface SmallWords {
  /** Before the last item of a list, and between the others. */
  readonly and: string;
  readonly comma: string;
  /** `3 more`: the items that a list leaves out. */
  readonly more: (count: number) => string;
  /** `5.00 USD less`, `5.00 USD more`: a difference. */
  readonly less: (amount: string) => string;
  readonly greater: (amount: string) => string;
  readonly order: (id: string) => string;
  readonly reference: (reference: string) => string;
  /** The names of fields, such as `delivery_fee`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly states: Readonly<Record<State, string>>;
}

/** What the file of a language gives: see `sentences.ar.ts`. */
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
  const ofChecks = wordsOfChecks(code);
  const wordsById = new Map(Object.entries({ ...file.words, ...ofChecks.words } as unknown as AnyWords));
  for (const [id, label] of Object.entries(termsIn(LABELS, code))) wordsById.set(id, () => label);
  const say = (sentence: Sentence): string => {
    const words = wordsById.get(sentence.id);
    // In right-to-left text, times that are not set apart would be reordered.
    if (words) return words(isRightToLeft ? isolateTimes(sentence) : sentence, speech);
    // A sentence may hold another that is an error's.
    const [message] = sayError?.(sentence, errorTextOf) ?? [JSON.stringify(sentence)];
    return message;
  };
  const errorTextOf = ({ sentence, message, hint }: Explanation): ErrorText => {
    // An error that was thrown with English text alone has the sentence `said`: text and hint stay English.
    if (wordsById.has(sentence.id)) return [say(sentence), hint];
    return sayError?.(sentence, errorTextOf) ?? [message, hint];
  };
  const speech = speechOf(file, ofChecks, say);
  const headings: Readonly<Record<string, string>> = termsIn(COLUMNS, code);
  return {
    code,
    isRightToLeft,
    comma: smallWords.comma,
    say,
    explain: (explanation) => {
      const [message, hint] = errorTextOf(explanation);
      return { message, hint };
    },
    // Reports have their English titles with them; TITLES has the Arabic ones.
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
function wordsOfChecks(code: CheckLanguage) {
  const words: WordsFor<CheckSentence> = Object.assign({}, ...CHECKS.map((check) => check.words[code]));
  /** By a check's code: what it finds, and how a claim puts that to the courier if it uses other words. */
  const finds: ByCode = Object.fromEntries(CHECKS.map((check) => [check.code, check.finds[code]]));
  const claims: ByCode = Object.fromEntries(
    CHECKS.flatMap(({ code: check, claim }) => (claim ? [[check, claim[code]]] : [])),
  );
  return { words, finds, claims };
}

type ByCode = Readonly<Record<string, string>>;

/** The greatest length of a text from outside inside a sentence, in characters. */
const LONGEST_TEXT = 60;

/** @param say puts a sentence that is inside another one into words */
function speechOf(
  { code, isRightToLeft, smallWords: words }: LanguageFile,
  { finds, claims }: ReturnType<typeof wordsOfChecks>,
  say: Language['say'],
): Speech {
  const plurals = new Intl.PluralRules(code);
  const money = (amount: string, currency: string) => {
    const figure = formatMoney({ currency, amount: parseAmount(amount) });
    return isRightToLeft ? figureApart(figure) : figure;
  };
  const text = (outside: string) => {
    const clean = cleanText(outside, LONGEST_TEXT).trim();
    return isRightToLeft ? textApart(clean) : clean;
  };
  return {
    code,
    money,
    text,
    say,
    finds: (check) => finds[check] ?? check,
    claim: (check) => claims[check] ?? finds[check] ?? check,
    state: (state) => text(stateInWords(words, state)),
    off(difference, currency) {
      const size = money(difference.replace('-', ''), currency);
      return difference.startsWith('-') ? words.less(size) : words.greater(size);
    },
    list(items, most = 5) {
      const first = items.slice(0, most).map((item) => text(String(item)));
      if (items.length > most) return `${first.join(words.comma)}${words.and}${words.more(items.length - most)}`;
      if (first.length < 2) return first.join('');
      return `${first.slice(0, -1).join(words.comma)}${words.and}${first.at(-1)}`;
    },
    order: (id, reference) => `${words.order(text(id))}${reference?.trim() ? words.reference(text(reference)) : ''}`,
    count(count, noun: Plural) {
      const form = noun[plurals.select(count)] ?? noun.other;
      // A language with a dual writes one and two as words, without the figure.
      const isWordAlone = noun.two !== undefined && (count === 1 || count === 2);
      return isWordAlone ? form : `${count} ${form}`;
    },
    capitalised: (text) => text.charAt(0).toUpperCase() + text.slice(1),
    field: (name) => (Object.hasOwn(words.fields, name) ? words.fields[name]! : name),
  };
}

/** A courier's status in the language's words; one that the courier's documentation does not name stays as it is. */
function stateInWords({ states }: SmallWords, state: string): string {
  return Object.hasOwn(states, state) ? states[state as State] : state;
}

/** `order-unknown × 3 and invoice-net × 1`: all of them, however many. */
export function codeCounts(codes: readonly { code: string; count: number }[], { list }: Speech): string {
  const counts = codes.map(({ code, count }) => `${code} × ${count}`);
  return list(counts, counts.length);
}
