import type { Parameter, Sentence } from '../base/sentence.ts';

/**
 * Unicode's isolates, which keep the letters around a part of a sentence from reordering it: in Arabic, `2026-10-31`
 * would be shown as `31-10-2026`, and `-5.00 USD` as `USD 5.00-`.
 */
const LEFT_TO_RIGHT = '\u2066';
const RIGHT_TO_LEFT = '\u2067';
const BY_ITS_LETTERS = '\u2068';
const END = '\u2069';

/** A month, a day, or a day with a time: `2026-10`, `2026-10-31`, `2026-10-31 09:15`. */
const TIME = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?$/;

/** Isolates a figure, which is read from left to right. */
export function figureApart(figure: string): string {
  return figure === '' ? '' : `${LEFT_TO_RIGHT}${figure}${END}`;
}

/** Isolates Arabic words with a figure among them, for a cell that is read from left to right, as codes are. */
export function arabicApart(words: string): string {
  return `${RIGHT_TO_LEFT}${words}${END}`;
}

/** Isolates a text from outside, which is read in the direction of its own letters. */
export function textApart(text: string): string {
  return text === '' ? '' : `${BY_ITS_LETTERS}${text}${END}`;
}

/** Isolates a sentence's days, months and times, so that Arabic text around them does not reorder them. */
export function isolateTimes(sentence: Sentence): Sentence {
  const parts = Object.entries(sentence).map(([name, value]) => [name, name === 'id' ? value : timeApart(value)]);
  return Object.fromEntries(parts) as Sentence;
}

function timeApart(value: Parameter | undefined): Parameter | undefined {
  if (typeof value === 'string') return TIME.test(value) ? figureApart(value) : value;
  return Array.isArray(value) ? value.map((item: Parameter) => timeApart(item) ?? null) : value;
}
