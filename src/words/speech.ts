import type { Plural, Sentence, Speech } from '../base/sentence.ts';
import type { DELIVERY_STATES, INVOICE_STATUSES, PAYMENT_STATES } from '../base/states.ts';
import { cleanText } from '../base/text.ts';
import { formatMoney, parseAmount } from '../money/decimal.ts';
import { figureApart, textApart } from './direction.ts';

/** The greatest length of a text from outside inside a sentence, in characters. */
const LONGEST_TEXT = 60;

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

/** By a check's code: what it finds, and how a claim puts that to the courier if it uses other words. */
export interface CheckWords {
  readonly finds: Readonly<Record<string, string>>;
  readonly claims: Readonly<Record<string, string>>;
}

interface SpeechParts {
  readonly code: string;
  readonly isRightToLeft: boolean;
  readonly words: SmallWords;
  /** Says a sentence that is inside another one. */
  readonly say: (sentence: Sentence) => string;
  readonly checks: CheckWords;
}

export function speechOf({ code, isRightToLeft, words, say, checks: { finds, claims } }: SpeechParts): Speech {
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
export function stateInWords({ states }: SmallWords, state: string): string {
  return Object.hasOwn(states, state) ? states[state as State] : state;
}

/** `order-unknown × 3 and invoice-net × 1`: all of them, however many. */
export function codeCounts(codes: readonly { code: string; count: number }[], { list }: Speech): string {
  const counts = codes.map(({ code, count }) => `${code} × ${count}`);
  return list(counts, counts.length);
}
