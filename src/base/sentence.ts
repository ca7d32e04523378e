/**
 * What remit has to say, before it is said: an id and typed parameters, plain JSON. `words/` turns it into a sentence where a person
 * reads it, in that person's language. Nothing compares, cuts or parses a finished sentence.
 */

/** The languages of which each check brings its own words; any other has them in its file of words/. */
export type CheckLanguage = 'en' | 'ar';

export type Texts = Readonly<Record<CheckLanguage, string>>;

/** A value that a sentence is about: amounts are plain decimals (`12.50`), days are ISO, other sentences may be part of it. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | readonly Parameter[]
  | { readonly [name: string]: Parameter | undefined };

/** An id, by which the languages know it, and what it is about. Declare each as a `type`, so that its parameters are checked. */
export type Sentence = { readonly id: string; readonly [parameter: string]: Parameter | undefined };

/** Plural forms of a counted noun: English has `one` and `other`, Arabic all of them. */
export type Plural = { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string };

/** How one language says amounts, lists, counts and names: what every sentence of it is made with. */
export interface Speech {
  /** `en`, `ar`. */
  readonly code: string;
  /** `1,234.50 USD`. @param amount a plain decimal */
  money(amount: string, currency: string): string;
  /** How far a stated amount is off: `50.00 USD less`. @param difference a plain decimal with its sign */
  off(difference: string, currency: string): string;
  /** The first few of a list, and how many more there are: `1, 2, 3 and 4 more`. Each is text from outside. */
  list(items: readonly (string | number)[], most?: number): string;
  /** An order by both its names: `order A1 (reference "7001")`. */
  order(id: string, reference: string | null): string;
  /** Text from outside, made fit for a sentence: one line, not too long. */
  text(text: string): string;
  /** `3 rows`; one and two without their figure where a language has a dual. */
  count(count: number, noun: Plural): string;
  /** The same with a capital letter at its beginning, where the language has them. */
  capitalised(text: string): string;
  /** What people call a money field: `delivery fee`. */
  field(name: string): string;
  /** What a check finds, in a few words: `An order on two invoices`. */
  finds(code: string): string;
  /** What is asked of the courier about a check's findings, as the courier reads it. */
  claim(code: string): string;
  /** A status of the courier's: `Pending payment`. */
  state(state: string): string;
  /** Another sentence inside this one. */
  say(sentence: Sentence): string;
}

/** One function for each sentence of a union: the compiler names the one that is missing. */
export type WordsFor<S extends Sentence> = {
  readonly [Id in S['id']]: (parameters: Extract<S, { readonly id: Id }>, speech: Speech) => string;
};

/** A text that is already in words: a person's note, or what an error said at the time. */
export function said(text: string): Sentence {
  return { id: 'said', text };
}
