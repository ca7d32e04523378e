import type { Style as ExcelStyle } from 'exceljs';
import { excelStyle } from './excel-style.ts';
import type { Style } from './model.ts';

/**
 * The numbers of a workbook's styles, in the order in which they are first used: rows are written before the library makes the
 * workbook's styles, and {@link StyleIds.all} is given to it in the same order. 0 is the look of a cell without a style.
 */
export class StyleIds {
  readonly #known = new Map<Style, string>();
  readonly #alike = new Map<string, number>();
  readonly #styles: Partial<ExcelStyle>[] = [];
  readonly #rightToLeft: boolean;

  constructor(rightToLeft = false) {
    this.#rightToLeft = rightToLeft;
  }

  /** What says a style in a cell's XML: ` s="12"`. */
  attribute(style: Style): string {
    const known = this.#known.get(style);
    if (known !== undefined) return known;
    const translated = this.#rightToLeft ? mirrored(style) : excelStyle(style);
    const key = JSON.stringify(translated);
    let id = this.#alike.get(key);
    if (id === undefined) {
      id = this.#styles.push(translated);
      this.#alike.set(key, id);
    }
    const attribute = ` s="${id}"`;
    this.#known.set(style, attribute);
    return attribute;
  }

  /** The styles numbered from 1. */
  get all(): readonly Partial<ExcelStyle>[] {
    return this.#styles;
  }
}

/**
 * A style on a sheet that is read from right to left: texts begin at the right, and sentences run to the left. Names and codes, which are
 * not broken into lines, keep the direction of their own letters, and figures stay at the right, point under point.
 */
function mirrored(style: Style): Partial<ExcelStyle> {
  const isName = style.format === '@' && !style.wrap;
  const isText = style.format === undefined || style.format === '@';
  const like = excelStyle(style.align === 'left' ? { ...style, align: 'right' } : style);
  return isText ? { ...like, alignment: { ...like.alignment, readingOrder: isName ? 'ltr' : 'rtl' } } : like;
}
