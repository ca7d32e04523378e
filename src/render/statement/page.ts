import type { Language } from '../../words/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import type { Line, SheetCell, SheetTail, Style } from '../workbook/model.ts';
import { columnLetters } from '../workbook/values.ts';

const POINTS_A_LINE = 13.5;
/** Text in a proportional letter takes a little less than a column's width in digits. */
const WIDTH_A_CHARACTER = 0.92;

/** A sheet that is read as a page: lines of cells, each section under the last. Columns and rows are counted from 0. */
export class Page {
  readonly #widths: readonly number[];
  readonly #lines: Line[] = [];
  readonly #conditions: NonNullable<SheetTail['conditions']>[number][] = [];

  readonly language: Language;

  constructor(widths: readonly number[], language: Language) {
    this.#widths = widths;
    this.language = language;
  }

  /** Says a sentence in the page's language. */
  get say(): (sentence: StatementSentence) => string {
    return this.language.say;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  tail(): SheetTail {
    return { conditions: this.#conditions };
  }

  /** The row that the next line will be, counted from 0. */
  get row(): number {
    return this.#lines.length;
  }

  /** A column's cells in some of the lines, for a formula. @param first counted from 0, like `row`; `end` is not among them */
  cells(column: number, first: number, end: number): string {
    return `${columnLetters(column)}${first + 1}:${columnLetters(column)}${end}`;
  }

  add(cells: readonly (SheetCell | null)[], height?: number): void {
    this.#lines.push(height === undefined ? { cells } : { cells, height });
  }

  /** The heading of a table that may go on over pages: printed on each. The last of them is, if there are several. */
  heading(cells: readonly (SheetCell | null)[]): void {
    this.#lines.push({ cells, repeated: true });
  }

  gap(height = 10): void {
    this.add([], height);
  }

  /** What follows begins on a new printed page. */
  breakPage(): void {
    this.#lines.push({ cells: [], pageBreak: true });
  }

  /** A look that depends on the values of the last line's cells, from one column to another. */
  condition(fromColumn: number, toColumn: number, test: string, style: Style): void {
    const [from, to] = [`${columnLetters(fromColumn)}${this.row}`, `${columnLetters(toColumn)}${this.row}`];
    this.#conditions.push({ range: `${from}:${to}`, formula: `${from}${test}`, style });
  }

  /** A look of the last line's cells that depends on a formula of its own. */
  conditionOn(fromColumn: number, toColumn: number, formula: string, style: Style): void {
    const [from, to] = [`${columnLetters(fromColumn)}${this.row}`, `${columnLetters(toColumn)}${this.row}`];
    this.#conditions.push({ range: `${from}:${to}`, formula, style });
  }

  get columns(): number {
    return this.#widths.length;
  }

  /** A line over the whole width, filled or ruled from edge to edge. */
  band(value: string, style: Style, height?: number): void {
    this.add([{ value, style, span: this.#widths.length }], height);
  }

  /** A line as high as its wrapped texts need. */
  addFitting(cells: readonly (SheetCell | null)[]): void {
    const lines = this.#linesOf(cells);
    this.add(cells, lines > 1 ? heightOf(lines) : undefined);
  }

  #linesOf(cells: readonly (SheetCell | null)[]): number {
    const taken = cells.map((cell, i) =>
      cell?.style?.wrap && typeof cell.value === 'string' ? linesOf(cell.value, this.#widths[i]!) : 1,
    );
    return Math.max(1, ...taken);
  }

  /**
   * Text from a column to the right edge, as high as it and the texts before it need: spreadsheets do not fit the height of merged
   * cells.
   */
  paragraph(before: readonly (SheetCell | null)[], text: string, style: Style): void {
    const characters = this.#widths.slice(before.length).reduce((sum, width) => sum + width, 0);
    const lines = Math.max(linesOf(text, characters), this.#linesOf(before));
    const cell = { value: text, style, span: this.#widths.length - before.length };
    this.add([...before, cell], heightOf(lines));
  }
}

/** The height of lines of text, in points. */
function heightOf(lines: number): number {
  return Math.max(15, 2 + lines * POINTS_A_LINE);
}

function linesOf(text: string, characters: number): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * WIDTH_A_CHARACTER) / characters)), 0);
}
