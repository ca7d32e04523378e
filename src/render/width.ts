/** Texts whose every character takes one column: ASCII, Latin letters and signs, and the punctuation of remit's own sentences. */
const NARROW = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF\u2013-\u2026\u2190-\u2193\u2212]*$/;

/** Measures and cuts texts that hold no control characters. */
export interface Ruler {
  /** The number of terminal columns that a text takes. */
  width(text: string): number;
  /** A text wider than `columns`, cut between letters and ended with an ellipsis. */
  cut(text: string, columns: number): string;
}

/** The ruler for some lines. The one for all scripts is slow to load, and is loaded only where a text needs it. */
export async function rulerFor(lines: Iterable<readonly string[]>): Promise<Ruler> {
  for (const texts of lines) {
    if (!texts.every((text) => NARROW.test(text))) return rulerOfAllScripts();
  }
  return NARROW_RULER;
}

const NARROW_RULER: Ruler = {
  width: (text) => text.length,
  cut: (text, columns) => `${text.slice(0, Math.max(0, columns - 1))}…`,
};

async function rulerOfAllScripts(): Promise<Ruler> {
  const { default: stringWidth } = await import('string-width');
  const segmenter = new Intl.Segmenter();
  const width = (text: string) => (NARROW.test(text) ? text.length : stringWidth(text));
  return {
    width,
    cut(text, columns) {
      let shown = '';
      let used = 1;
      for (const { segment } of segmenter.segment(text)) {
        used += width(segment);
        if (used > columns) break;
        shown += segment;
      }
      return `${shown}…`;
    },
  };
}

/** A text of exactly `columns` columns: padded with blanks, or cut. */
export function fitted(text: string, columns: number, side: 'left' | 'right', ruler: Ruler): string {
  const shown = ruler.width(text) > columns ? ruler.cut(text, columns) : text;
  const blanks = ' '.repeat(Math.max(0, columns - ruler.width(shown)));
  return side === 'left' ? shown + blanks : blanks + shown;
}
