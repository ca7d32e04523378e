import type { Explanation } from '../../base/errors.ts';
import type { CheckLanguage } from '../../base/sentence.ts';
import { type ErrorWords, inArabic, type Said } from './explain.ts';
import { MATCHING_ERRORS } from './matching.ts';

/** Every error by the first part of its id. */
const ERRORS: Readonly<Record<string, Readonly<Record<string, object>>>> = { matching: MATCHING_ERRORS };

/** What an error says in a language: of one whose id this version does not know, the English that it came with. */
export function sayError({ sentence, message, hint }: Explanation, code: CheckLanguage): Said {
  const [subject = '', id = ''] = sentence.id.split('/');
  const words = ERRORS[subject]?.[id] as ErrorWords<object> | undefined;
  if (!words || code === 'en') return [message, hint];
  const { id: _, ...parameters } = sentence;
  return words[code](
    parameters,
    inArabic((inside) => sayError(inside, code)[0]),
  );
}
