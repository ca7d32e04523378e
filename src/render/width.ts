import stringWidth from 'string-width';

const ASCII = /^[\x20-\x7E]*$/;
const segmenter = new Intl.Segmenter();

/** How many columns of a terminal a text takes. It holds no control characters. */
export function displayWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** A text of exactly so many columns: filled up with blanks, or cut between letters and ended with an ellipsis. */
export function fitted(text: string, width: number, side: 'left' | 'right'): string {
  const shown = displayWidth(text) > width ? cut(text, width) : text;
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(shown)));
  return side === 'left' ? shown + blanks : blanks + shown;
}

function cut(text: string, width: number): string {
  let shown = '';
  let used = 1;
  for (const { segment } of segmenter.segment(text)) {
    used += displayWidth(segment);
    if (used > width) break;
    shown += segment;
  }
  return `${shown}…`;
}
