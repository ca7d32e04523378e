import type { Language } from '../../words/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import type { Line, SheetCell, SheetTail, Style } from '../workbook/model.ts';
import { columnLetters } from '../workbook/values.ts';

const POINTS_A_LINE = 13.5;
/** The width of a character of text, in digits: a column's width is in digits. */
const WIDTH_A_CHARACTER = 0.92;

/** Collects the lines of a sheet to read from top to bottom, such as the Summary. Columns and rows count from 0. */
export class SheetLines {
  readonly language: Language;
  readonly say: (sentence: StatementSentence) => string;
  readonly columns: number;
  readonly lines: Line[] = [];
  /** The conditional formats, which the sheet's tail has. */
  readonly conditions: NonNullable<SheetTail['conditions']>[number][] = [];
  readonly #widths: readonly number[];

  constructor(widths: readonly number[], language: Language) {
    this.#widths = widths;
    this.columns = widths.length;
    this.language = language;
    this.say = language.say;
  }

  /** The row that the next line will be, counted from 0. */
  get row(): number {
    return this.lines.length;
  }

  /** A column's cells for a formula, `C5:C9`: rows `first` to before `end`, both counted from 0 like `row`. */
  rangeOf(column: number, first: number, end: number): string {
    return `${columnLetters(column)}${first + 1}:${columnLetters(column)}${end}`;
  }

  add(cells: readonly (SheetCell | null)[], height?: number): void {
    this.lines.push(height === undefined ? { cells } : { cells, height });
  }

  /** The heading of a long table, printed again on each page. If a sheet has several, only the last one is. */
  heading(cells: readonly (SheetCell | null)[]): void {
    this.lines.push({ cells, isRepeated: true });
  }

  gap(height = 10): void {
    this.add([], height);
  }

  breakPage(): void {
    this.lines.push({ cells: [], pageBreak: true });
  }

  /** Changes the style of a cell of the last line if its value passes a test, as `<0`. */
  condition(column: number, test: string, style: Style): void {
    this.conditionOn(column, column, `${columnLetters(column)}${this.row}${test}`, style);
  }

  /** Changes the style of the last line's cells, up to `toColumn` included, if a formula is true. */
  conditionOn(fromColumn: number, toColumn: number, formula: string, style: Style): void {
    // A sheet counts rows from 1: there `row` is the last line, not the next.
    const [from, to] = [`${columnLetters(fromColumn)}${this.row}`, `${columnLetters(toColumn)}${this.row}`];
    this.conditions.push({ range: `${from}:${to}`, formula, style });
  }

  /** A line over the whole width, filled or ruled from edge to edge. */
  band(value: string, style: Style, height?: number): void {
    this.add([{ value, style, span: this.columns }], height);
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

  /** Text up to the right edge, as high as it and the cells before it need: spreadsheets do not fit merged cells. */
  paragraph(before: readonly (SheetCell | null)[], text: string, style: Style): void {
    const characters = this.#widths.slice(before.length).reduce((sum, width) => sum + width, 0);
    const lines = Math.max(linesOf(text, characters), this.#linesOf(before));
    const cell = { value: text, style, span: this.columns - before.length };
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
