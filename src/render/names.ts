import type { Party } from '../../reports/names.ts';
import { cleanText } from '../base/text.ts';
import type { Language } from '../words/index.ts';

/** A head of print has little room. */
const LONGEST_NAME = 60;

/** What a paper calls a side; where nobody said it, the setting that says it. */
export function nameText({ name, setting }: Party, { say }: Pick<Language, 'say'>): string {
  return name === null ? say({ id: 'name-missing', setting }) : cleanText(name, LONGEST_NAME);
}
