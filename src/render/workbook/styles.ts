import type { Style } from './model.ts';
import { SPREADSHEET, XML_HEAD, xmlText } from './xml.ts';

const FONT = 'Calibri';
const SIZE = 10;
const RULE = '7F7F7F';
const HAIR = 'D9D9D9';
/** Formats that every program knows by number. */
const BUILT_IN: ReadonlyMap<string, number> = new Map([
  ['#,##0', 3],
  ['@', 49],
]);
const FIRST_OWN_FORMAT = 164;
const VERTICAL = { top: 'top', middle: 'center', bottom: 'bottom' } as const;

/** The part of a cell's XML between its place and what it holds, by what it holds. */
export interface Look {
  /** ` s="12"/>` */
  readonly nothing: string;
  /** ` s="12"><v>` */
  readonly number: string;
  /** ` s="12" t="str"><v>` */
  readonly text: string;
  /** ` s="12"><f>`, and the same where the formula's result is text. */
  readonly formula: string;
  readonly textFormula: string;
}

/** That of a cell without a style. */
const PLAIN = lookWith('');

function lookWith(style: string): Look {
  return {
    nothing: `${style}/>`,
    number: `${style}><v>`,
    text: `${style} t="str"><v>`,
    formula: `${style}><f>`,
    textFormula: `${style} t="str"><f>`,
  };
}

/** The styles of a workbook's cells: each gets its number when it is first used. */
export class Styles {
  readonly #isRightToLeft: boolean;
  readonly #looks = new Map<Style, Look>();
  readonly #formats = new Numbered();
  /** The first of each is what cells without a style have; the second fill is reserved by the format. */
  readonly #fonts = new Numbered(`<font><sz val="11"/><name val="${FONT}"/><family val="2"/></font>`);
  readonly #fills = new Numbered(
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  );
  readonly #borders = new Numbered(borderXml(undefined));
  readonly #cellFormats = new Numbered('<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>');
  readonly #conditions = new Numbered();

  constructor(isRightToLeft = false) {
    this.#isRightToLeft = isRightToLeft;
  }

  /** What gives a cell its style. */
  lookOf(style: Style | undefined): Look {
    if (style === undefined) return PLAIN;
    let look = this.#looks.get(style);
    if (look === undefined) {
      look = lookWith(` s="${this.#cellFormats.numberOf(this.#formatXml(style))}"`);
      this.#looks.set(style, look);
    }
    return look;
  }

  /** The number of a conditional format: font and background. */
  condition({ bold, strike, colour, fill }: Style): number {
    const font = `${bold ? '<b/>' : ''}${strike ? '<strike/>' : ''}${colour ? colourXml('color', colour) : ''}`;
    // In a conditional format, unlike in a cell, the colour of a solid fill is its background.
    const ground = fill && `<fill><patternFill patternType="solid">${colourXml('bgColor', fill)}</patternFill></fill>`;
    return this.#conditions.numberOf(`<dxf><font>${font}</font>${ground ?? ''}</dxf>`);
  }

  /** The part of the file that holds all styles. */
  xml(): string {
    const formats = this.#formats.all.map(
      (format, i) => `<numFmt numFmtId="${FIRST_OWN_FORMAT + i}" formatCode="${xmlText(format)}"/>`,
    );
    return `${XML_HEAD}<styleSheet xmlns="${SPREADSHEET}">${[
      listXml('numFmts', formats),
      listXml('fonts', this.#fonts.all),
      listXml('fills', this.#fills.all),
      listXml('borders', this.#borders.all),
      listXml('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
      listXml('cellXfs', this.#cellFormats.all),
      listXml('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
      listXml('dxfs', this.#conditions.all),
    ].join('')}</styleSheet>`;
  }

  #formatXml(style: Style): string {
    const format = this.#formatNumber(style.format);
    const font = this.#fonts.numberOf(fontXml(style));
    const fill = style.fill
      ? this.#fills.numberOf(
          `<fill><patternFill patternType="solid">${colourXml('fgColor', style.fill)}</patternFill></fill>`,
        )
      : 0;
    const border = this.#borders.numberOf(borderXml(style.rule));
    const applied = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"';
    return `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" ${applied}>${this.#alignmentXml(style)}</xf>`;
  }

  #formatNumber(format: string | undefined): number {
    if (format === undefined) return 0;
    return BUILT_IN.get(format) ?? FIRST_OWN_FORMAT + this.#formats.numberOf(format);
  }

  /**
   * On a right-to-left sheet texts start at the right, and sentences run to the left. Names and codes, which are not wrapped, keep the
   * direction of their own letters; figures stay aligned to the right.
   */
  #alignmentXml({ format, align, vertical = 'top', wrap, indent }: Style): string {
    const isText = format === undefined || format === '@';
    const isName = format === '@' && !wrap;
    const horizontal = this.#isRightToLeft && align === 'left' ? 'right' : align;
    const attributes = [
      horizontal && `horizontal="${horizontal}"`,
      `vertical="${VERTICAL[vertical]}"`,
      wrap && 'wrapText="1"',
      // LibreOffice indents some cells of such a column and not others.
      indent && !(this.#isRightToLeft && isName) && `indent="${indent}"`,
      this.#isRightToLeft && isText && `readingOrder="${isName ? 1 : 2}"`,
    ];
    return `<alignment ${attributes.filter(Boolean).join(' ')}/>`;
  }
}

/** Numbers texts from 0, in the order in which they are first asked for. */
class Numbered {
  readonly #numbers: Map<string, number>;

  constructor(...first: readonly string[]) {
    this.#numbers = new Map(first.map((text, i) => [text, i]));
  }

  numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  get all(): readonly string[] {
    return [...this.#numbers.keys()];
  }
}

function fontXml({ bold, italic, strike, size = SIZE, colour }: Style): string {
  return `<font>${bold ? '<b/>' : ''}${italic ? '<i/>' : ''}${strike ? '<strike/>' : ''}<sz val="${size}"/>${
    colour ? colourXml('color', colour) : ''
  }<name val="${FONT}"/><family val="2"/></font>`;
}

function borderXml(rule: Style['rule']): string {
  const top = rule === 'above' || rule === 'total' ? edgeXml('top', 'thin', RULE) : '<top/>';
  return `<border><left/><right/>${top}${bottomXml(rule)}<diagonal/></border>`;
}

function bottomXml(rule: Style['rule']): string {
  switch (rule) {
    case 'below':
      return edgeXml('bottom', 'thin', RULE);
    case 'total':
      return edgeXml('bottom', 'double', RULE);
    case 'hair':
      return edgeXml('bottom', 'hair', HAIR);
    default:
      return '<bottom/>';
  }
}

function edgeXml(edge: 'top' | 'bottom', line: string, colour: string): string {
  return `<${edge} style="${line}">${colourXml('color', colour)}</${edge}>`;
}

function colourXml(element: 'color' | 'fgColor' | 'bgColor', colour: string): string {
  return `<${element} rgb="FF${colour}"/>`;
}

function listXml(element: string, items: readonly string[]): string {
  return items.length > 0 ? `<${element} count="${items.length}">${items.join('')}</${element}>` : '';
}
