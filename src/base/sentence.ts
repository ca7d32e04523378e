/**
 * A sentence before it is put into words: an id and typed parameters, plain JSON. `words/` says it in the reader's
 * language when a person reads it. No code compares, cuts or parses a finished sentence.
 */

/** The languages in which each check's own file has its words; any other language has them in its file of words/. */
export type CheckLanguage = 'en' | 'ar';

export type Texts = Readonly<Record<CheckLanguage, string>>;

/** A value in a sentence: amounts are plain decimals (`12.50`), days are ISO, other sentences may be part of it. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | readonly Parameter[]
  | { readonly [name: string]: Parameter | undefined };

/** An id, by which languages find words, and parameters. Declare each as a `type`, to have its parameters checked. */
export type Sentence = { readonly id: string; readonly [parameter: string]: Parameter | undefined };

/** Plural forms of a counted noun: English has `one` and `other`, Arabic all of them. */
export type Plural = { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string };

/** How one language says amounts, lists, counts and names: every sentence is made with it. */
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
  /** `3 rows`; one and two without a figure if the language has a dual. */
  count(count: number, noun: Plural): string;
  /** A text with a capital letter at its beginning, if the language has them. */
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

/** Why a rule matched some invoices and receipts, or did not. Amounts are plain decimals. */
export type TriedSentence =
  | { id: 'tried-matched'; rule: string }
  /** The invoices ask for `asked`, and `left` is left of the receipts. */
  | { id: 'tried-amount'; asked: string; left: string; currency: string }
  | { id: 'tried-paid' }
  | { id: 'tried-part-by-hand' }
  | { id: 'tried-issued-later'; days: number }
  | { id: 'tried-issued-long-before'; days: number; most: number }
  | { id: 'tried-names-none' }
  /** It has the invoices' numbers, but may mean something else by them. */
  | { id: 'tried-names-unclear' }
  | { id: 'tried-names-others' }
  /** It names invoices, which only the rules `named` and `named-part` take. */
  | { id: 'tried-names-by-name' }
  | { id: 'tried-names-other-currency' }
  /** More invoices than some can be chosen from. */
  | { id: 'tried-names-too-many'; count: number; most: number }
  /** One of several ways: a person chooses. */
  | { id: 'tried-several'; ways: number }
  | { id: 'tried-too-many' }
  | { id: 'tried-contested' }
  | { id: 'tried-earlier-receipt'; receipt: number | string }
  | { id: 'tried-no-set'; invoices: number; left: string; currency: string }
  | { id: 'tried-no-parts'; receipts: number; asked: string; currency: string }
  /** A debit, and no receipt of its amount in so many days before. */
  | { id: 'tried-nothing-to-take-back'; days: number }
  | { id: 'tried-received-later'; days: number }
  | { id: 'tried-received-long-before'; days: number; most: number }
  | { id: 'tried-used-in-part' }
  | { id: 'tried-taken-back-already' }
  | { id: 'tried-later-receipt'; receipt: number | string };

/** The state of a receipt or an invoice, said before what the rules tried. */
export type ExplainedSentence =
  | { id: 'explained-not-courier' }
  | { id: 'explained-of-other'; courier: string }
  | { id: 'explained-several-couriers'; couriers: readonly string[] }
  | { id: 'explained-by-hand-only' }
  | { id: 'explained-manual'; match: number; by: string }
  | { id: 'explained-settled'; match: number; by: string }
  | { id: 'explained-matched'; match: number }
  | { id: 'explained-changed'; match: number }
  | { id: 'explained-ambiguous' }
  | { id: 'explained-unmatched' }
  | { id: 'explained-nothing-left' }
  | { id: 'explained-closed'; months: readonly string[] }
  | { id: 'explained-no-candidates' };
