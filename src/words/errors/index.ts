import type { Explanation } from '../../base/errors.ts';
import { inNumberTexts, type NumberTexts } from '../../base/number-texts.ts';
import type { Sentence } from '../../base/sentence.ts';
import { ACCOUNTS_ERRORS } from './accounts.ts';
import { AMOUNTS_ERRORS } from './amounts.ts';
import { BANKS_ERRORS } from './banks.ts';
import { BOOKS_ERRORS } from './books.ts';
import { CLOSE_ERRORS } from './close.ts';
import { CONTROLS_ERRORS } from './controls.ts';
import { DATABASES_ERRORS } from './databases.ts';
import { DECIDING_ERRORS } from './deciding.ts';
import { DESK_ERRORS } from './desk.ts';
import { DISKS_ERRORS } from './disks.ts';
import { type ErrorText, type ErrorWords, IN_ENGLISH, inArabic } from './explain.ts';
import { FILES_ERRORS } from './files.ts';
import { IMPORTING_ERRORS } from './importing.ts';
import { LEDGER_ERRORS } from './ledger.ts';
import { MATCHING_ERRORS } from './matching.ts';
import { MONEY_ERRORS } from './money.ts';
import { PDF_ERRORS } from './pdf.ts';
import { PRICES_ERRORS } from './prices.ts';
import { READING_ERRORS } from './reading.ts';
import { RECORDS_ERRORS } from './records.ts';
import { RENDERING_ERRORS } from './rendering.ts';
import { SHOWING_ERRORS } from './showing.ts';
import { STATING_ERRORS } from './stating.ts';
import { SYNCING_ERRORS } from './syncing.ts';
import { TABLES_ERRORS } from './tables.ts';
import { WEBHOOKS_ERRORS } from './webhooks.ts';
import { WORKBOOKS_ERRORS } from './workbooks.ts';

/** Every error by the subject that its id begins with: `desk/no-limit`. */
const ERRORS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  accounts: ACCOUNTS_ERRORS,
  amounts: AMOUNTS_ERRORS,
  banks: BANKS_ERRORS,
  books: BOOKS_ERRORS,
  close: CLOSE_ERRORS,
  controls: CONTROLS_ERRORS,
  databases: DATABASES_ERRORS,
  deciding: DECIDING_ERRORS,
  desk: DESK_ERRORS,
  disks: DISKS_ERRORS,
  files: FILES_ERRORS,
  importing: IMPORTING_ERRORS,
  ledger: LEDGER_ERRORS,
  matching: MATCHING_ERRORS,
  money: MONEY_ERRORS,
  pdf: PDF_ERRORS,
  prices: PRICES_ERRORS,
  reading: READING_ERRORS,
  records: RECORDS_ERRORS,
  rendering: RENDERING_ERRORS,
  showing: SHOWING_ERRORS,
  stating: STATING_ERRORS,
  syncing: SYNCING_ERRORS,
  tables: TABLES_ERRORS,
  webhooks: WEBHOOKS_ERRORS,
  workbooks: WORKBOOKS_ERRORS,
};

/** The explanation with the courier's numbers of payouts (`ES-902`), also in the errors inside it. */
export function explainedInNumberTexts(explanation: Explanation, texts: NumberTexts): Explanation {
  const sentence = inNumberTexts(withInner(explanation.sentence, texts), texts);
  const { id, ...parameters } = sentence;
  const words = wordsOf(id);
  if (!words) return explanation;
  const [message, hint] = words(parameters, IN_ENGLISH).en;
  return { sentence, message, hint };
}

function withInner(sentence: Sentence, texts: NumberTexts): Sentence {
  const isInner = (value: unknown): value is Explanation =>
    typeof value === 'object' && value !== null && 'sentence' in value && 'hint' in value;
  const parameters = Object.entries(sentence).map(([name, value]) => [
    name,
    isInner(value) ? explainedInNumberTexts(value, texts) : value,
  ]);
  return Object.fromEntries(parameters) as Sentence;
}

function wordsOf(id: string): ErrorWords<object> | undefined {
  const [subject = '', name = ''] = id.split('/');
  return ERRORS[subject]?.[name] as ErrorWords<object> | undefined;
}

/**
 * An error in Arabic; undefined if the sentence is not an error's. Each error carries its English with it.
 *
 * @param explain puts other errors, inside this one, into Arabic
 */
export function sayInArabic(
  { id, ...parameters }: Sentence,
  explain: (explanation: Explanation) => ErrorText,
): ErrorText | undefined {
  return wordsOf(id)?.(parameters, inArabic(explain)).ar;
}
