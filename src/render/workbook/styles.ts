import type ExcelJS from 'exceljs';
import type { Style } from './model.ts';

const FONT = { name: 'Calibri', family: 2, size: 10 };
const RULE = '7F7F7F';
const HAIR = 'D9D9D9';

/** Styles converted for exceljs: always the same object for the same style, because exceljs looks at an object once. */
export class Styles {
  readonly #isRightToLeft: boolean;
  readonly #converted = new Map<Style, Partial<ExcelJS.Style>>();

  constructor(isRightToLeft: boolean) {
    this.#isRightToLeft = isRightToLeft;
  }

  of(style: Style): Partial<ExcelJS.Style> {
    let converted = this.#converted.get(style);
    if (converted === undefined) {
      converted = this.#convert(style);
      this.#converted.set(style, converted);
    }
    return converted;
  }

  #convert(style: Style): Partial<ExcelJS.Style> {
    const { format, fill, rule } = style;
    return {
      font: { ...FONT, ...fontOf(style), ...(style.size ? { size: style.size } : {}) },
      alignment: this.#alignmentOf(style),
      ...(format ? { numFmt: format } : {}),
      ...(fill ? { fill: { type: 'pattern', pattern: 'solid', fgColor: argb(fill) } } : {}),
      ...(rule ? { border: BORDERS[rule] } : {}),
    };
  }

  /**
   * On a right-to-left sheet texts start at the right, and sentences run to the left. Names and codes, which are not
   * wrapped, keep the direction of their letters; figures stay aligned to the right.
   */
  #alignmentOf({ format, align, vertical = 'top', wrap, indent }: Style): Partial<ExcelJS.Alignment> {
    const isText = format === undefined || format === '@';
    const isName = (format === '@' || format === WHOLE_NUMBER) && !wrap;
    const horizontal = this.#isRightToLeft && align === 'left' ? 'right' : align;
    return {
      vertical,
      ...(horizontal ? { horizontal } : {}),
      ...(wrap ? { wrapText: true } : {}),
      // LibreOffice would indent some names of a column and not others.
      ...(indent && !(this.#isRightToLeft && isName) ? { indent } : {}),
      ...(this.#isRightToLeft && isText ? { readingOrder: isName ? 'ltr' : 'rtl' } : {}),
    };
  }
}

/** The format of a number that names something, such as an invoice's: its thousands are not grouped. */
export const WHOLE_NUMBER = '0';

/** The part of a style that a conditional format can change. */
export function conditionStyle(style: Style): Partial<ExcelJS.Style> {
  const { fill } = style;
  return {
    font: fontOf(style),
    // In a conditional format, unlike in a cell, the colour of a solid fill is its background.
    ...(fill ? { fill: { type: 'pattern', pattern: 'solid', bgColor: argb(fill) } } : {}),
  };
}

function fontOf({ bold, italic, strike, colour }: Style): Partial<ExcelJS.Font> {
  return {
    ...(bold ? { bold } : {}),
    ...(italic ? { italic } : {}),
    ...(strike ? { strike } : {}),
    ...(colour ? { color: argb(colour) } : {}),
  };
}

const edge = (style: ExcelJS.BorderStyle, colour = RULE) => ({ style, color: argb(colour) });

const BORDERS: Readonly<Record<NonNullable<Style['rule']>, Partial<ExcelJS.Borders>>> = {
  above: { top: edge('thin') },
  below: { bottom: edge('thin') },
  total: { top: edge('thin'), bottom: edge('double') },
  hair: { bottom: edge('hair', HAIR) },
};

export function argb(colour: string): { argb: string } {
  return { argb: `FF${colour}` };
}
