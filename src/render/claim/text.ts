import { wrapText } from '../../base/text.ts';
import type { Language } from '../../words/index.ts';
import { type LetterContents, type LetterPart, type LetterPoint, letterOf } from './letter.ts';

/** Mail programs break longer lines themselves, and badly. */
const WIDTH = 76;

/** A claim as the text of a mail: its points with their figures, its totals, and what is only to be confirmed. */
export function claimText(contents: LetterContents, language: Language): string {
  const letter = letterOf(contents, language);
  const wrapped = (text: string) => wrapText(text, '', WIDTH);
  return [
    ...letter.from,
    letter.on,
    '',
    ...letter.to,
    '',
    ...wrapped(letter.heading),
    '',
    letter.salutation,
    '',
    ...wrapped(letter.opening),
    ...letter.owed.flatMap(partText),
    ...(letter.totalSentences.length === 0 ? [] : ['', ...letter.totalSentences.flatMap(wrapped)]),
    ...(letter.confirm === null ? [] : partText(letter.confirm)),
    ...(letter.returns === null ? [] : ['', ...wrapped(letter.returns)]),
    '',
    letter.closing,
    letter.from[0],
  ].join('\n');
}

function partText({ title, about, points, sumSentences }: LetterPart): string[] {
  return [
    '',
    title.toUpperCase(),
    ...(about === null ? [] : wrapText(about, '', WIDTH)),
    ...points.flatMap((point) => ['', ...pointText(point)]),
    ...(sumSentences.length === 0 ? [] : ['', ...sumSentences.flatMap((sum) => wrapText(sum, '', WIDTH))]),
  ];
}

function pointText({ number, place, what, figures, before }: LetterPoint): string[] {
  const [first = '', ...more] = wrapText(`${place === '' ? '' : `${place}. `}${what}`, '    ', WIDTH);
  const indented = [figures, before].filter((text) => text !== null).flatMap((text) => wrapText(text, '    ', WIDTH));
  // The number takes the place of the first line's indent.
  return [`${`${number}. `.padEnd(4)}${first.slice(4)}`, ...more, ...indented];
}
