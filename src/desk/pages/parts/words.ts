import type { Explanation } from '../../../base/errors.ts';
import type { Language } from '../../../words/index.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import { heldLanguage } from '../../languages.ts';

/** What a page says, in its reader's language. */
export interface Words {
  readonly language: Language;
  /** A word of the desk: a heading, a label, a button. */
  readonly word: (word: DeskWord) => string;
  /** What happened, and what to do at the desk: a hint that says what to type on a command line is left out. */
  readonly explain: Language['explain'];
}

const TYPED = /`remit|(^|[\s"'(])--[a-z]/;

/** The words of a page. */
export function wordsOf(desk: Pick<DeskContext, 'language'>): Words {
  const language = heldLanguage(desk.language);
  const explain: Words['explain'] = (explanation) => {
    const { message, hint } = language.explain(explanation);
    return { message, hint: TYPED.test(hint) ? '' : hint };
  };
  return { language, explain, word: (word) => language.say({ id: 'desk', word }) };
}

/** What happened and what to do, in a line. */
export function explained(explanation: Explanation, desk: Pick<DeskContext, 'language'>): string {
  const { message, hint } = wordsOf(desk).explain(explanation);
  return hint === '' ? message : `${message}. ${hint}`;
}
