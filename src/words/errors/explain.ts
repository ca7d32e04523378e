import { askWhich } from '../../base/edit-distance.ts';
import type { Explanation } from '../../base/errors.ts';
import type { CheckLanguage, Texts } from '../../base/sentence.ts';
import { cleanText, quoted } from '../../base/text.ts';
import { textApart } from '../direction.ts';

/** Puts the parts of an error into a language. Texts come from outside, or are figures, names and commands. */
export interface ErrorSpeech {
  readonly text: (text: string) => string;
  /** In quotes, as JSON writes it: see {@link quoted}. */
  readonly quoted: (text: string, max?: number) => string;
  /** `a, b, c` */
  readonly list: (items: readonly string[]) => string;
  /** The message of another error, or a sentence, inside this one. */
  readonly say: (explanation: Explanation) => string;
  readonly hint: (explanation: Explanation) => string;
}

export type ErrorText = readonly [message: string, hint: string];

/** Gives an error's texts. `speech` is that of one language, and only the text in that language is used. */
export type ErrorWords<P> = (parameters: P, speech: ErrorSpeech) => Readonly<Record<CheckLanguage, ErrorText>>;

/** Declares an error's words. `P`: the parameters that its sentence needs. */
export function wording<P extends object>(words: ErrorWords<P>): ErrorWords<P> {
  return words;
}

/** Declares the words of an error without parameters, whose remedy others share. */
export function plain(en: string, ar: string, remedy: Texts): ErrorWords<object> {
  return () => ({ en: [en, remedy.en], ar: [ar, remedy.ar] });
}

/** The hint that asks which of the nearest names was meant; `otherwise` if no name is near. */
export function nearestOr(nearest: readonly string[], text: ErrorSpeech['text'], otherwise: Texts): Texts {
  if (nearest.length === 0) return otherwise;
  return { en: askWhich(nearest), ar: `هل تقصد ${nearest.map(text).join(' أو ')}؟` };
}

type ById = Readonly<Record<string, object>>;

type Parameters<W> = W extends ErrorWords<infer P> ? P : never;

/** The id of an error with the parameters that its sentence needs. */
export type ErrorOf<W extends ById> = {
  [Id in keyof W & string]: { readonly id: Id } & Parameters<W[Id]>;
}[keyof W & string];

export const IN_ENGLISH: ErrorSpeech = {
  text: (text) => text,
  quoted,
  list: (items) => items.join(', '),
  say: ({ message }) => message,
  hint: ({ hint }) => hint,
};

/** The Arabic speech. @param explain gives the Arabic text of an error that is inside another */
export const inArabic = (explain: (explanation: Explanation) => ErrorText): ErrorSpeech => ({
  text: apart,
  quoted: (text, max) => textApart(quoted(text, max)),
  list: (items) => items.map(apart).join('، '),
  say: (explanation) => explain(explanation)[0],
  hint: (explanation) => explain(explanation)[1],
});

function apart(text: string): string {
  return textApart(cleanText(text, Number.POSITIVE_INFINITY));
}

/**
 * Makes the function of a file of errors, such as `deskError`, which explains an error by its id and parameters: as the
 * sentence `subject/id`, which every language can put into words, and in English.
 */
export function explainer<W extends ById>(subject: string, words: W): (error: ErrorOf<W>) => Explanation {
  return (error) => {
    const { id, ...parameters } = error;
    const [message, hint] = (words[id] as ErrorWords<object>)(parameters, IN_ENGLISH).en;
    return { sentence: { id: `${subject}/${id}`, ...parameters }, message, hint };
  };
}
