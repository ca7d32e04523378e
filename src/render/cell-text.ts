import type { GridCell } from '../../reports/page.ts';
import { countGrouped } from '../base/counted.ts';
import { instantForPeople } from '../base/instant.ts';
import { formatGrouped } from '../money/decimal.ts';
import type { Language } from '../words/index.ts';

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

/** What a cell of a page says, in every medium that shows text; nothing for what only a workbook draws. */
export function cellText(cell: GridCell, language: Language): string {
  if (cell === null || 'rows' in cell || 'bar' in cell) return '';
  if ('says' in cell) return language.label(cell.says);
  if ('word' in cell) return language.tables.cells[cell.word]?.[cell.text] ?? cell.text;
  if ('text' in cell) return cell.text;
  if ('at' in cell) return instantForPeople(cell.at);
  if ('count' in cell) return countGrouped(cell.count);
  if (cell.amount === null) return cell.unknown ? language.say(cell.unknown) : '';
  return formatGrouped(cell.amount);
}
