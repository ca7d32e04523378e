import type { Language } from '../../../words/index.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import { heldLanguage } from '../../languages.ts';

/** What a page says, in its reader's language. */
export interface Words {
  readonly language: Language;
  /** A word of the desk: a heading, a label, a button. */
  readonly word: (word: DeskWord) => string;
}

/** The words of a page. */
export function wordsOf(desk: Pick<DeskContext, 'language'>): Words {
  const language = heldLanguage(desk.language);
  return { language, word: (word) => language.say({ id: 'desk', word }) };
}
