import type { Plural } from '../base/sentence.ts';

/**
 * The forms of an Arabic noun after a number, from its singular and plural. One and two are words without a figure;
 * after 11 to 99 (`many`) the singular is an accusative, after 100, 200 ... (`other`) it stays as it is.
 *
 * @param few the plural, which follows 3 to 10
 * @param as the case that the noun has in its sentence
 */
export function arabicNoun(noun: string, few: string, as: 'subject' | 'object' | 'genitive' = 'subject'): Plural {
  const isFeminine = noun.endsWith('ة');
  const accusative = isFeminine ? noun : `${noun}ًا`;
  const one = isFeminine ? `${noun} واحدة` : as === 'object' ? `${accusative} واحدًا` : `${noun} واحد`;
  const two = `${isFeminine ? `${noun.slice(0, -1)}ت` : noun}${as === 'subject' ? 'ان' : 'ين'}`;
  return { one, two, few, many: accusative, other: noun };
}
