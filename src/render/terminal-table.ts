import type { Column } from '../../reports/model.ts';
import { instantForPeople } from '../base/instant.ts';
import { cleanText } from '../base/text.ts';
import { amountText, countText, isAmount, isFigure } from './figures.ts';
import { headingOf, type SaidCell, type SaidReport, type SaidRow } from './in-words.ts';

/** Blanks between two columns. */
const GAP = 2;

/** A text column is at least this wide, unless its widest text is shorter. */
const READABLE = 16;

/** One of the tables of a report that is too wide for one. Columns are given by their places in the report, from 0. */
interface Block {
  readonly columns: readonly number[];
  /** Its columns without the key columns, which every block shows; without a terminal, all columns. */
  readonly shownHereAlone: readonly number[];
  /** The width of each of its columns, in characters of the terminal. */
  readonly widths: readonly number[];
}

function isRightAligned({ type }: Pick<Column, 'type'>): boolean {
  return isFigure(type) || type === 'number';
}

/**
 * Divides columns into the fewest tables that fit a terminal, one below the other. Texts are cut as long as they stay
 * readable; numbers never are. Each further table repeats the report's first column and its key columns.
 *
 * @param natural the width of each column if nothing is cut
 * @param available the terminal's width; null without a terminal: everything fits then
 */
function divided(
  columns: readonly Pick<Column, 'type' | 'key'>[],
  natural: readonly number[],
  available: number | null,
): Block[] {
  const places = columns.map((_, i) => i);
  if (available === null) return [{ columns: places, shownHereAlone: places, widths: natural }];
  const least = columns.map((column, i) => (isRightAligned(column) ? natural[i]! : Math.min(natural[i]!, READABLE)));
  const isKey = (i: number) => i === 0 || columns[i]!.key === true;
  const keys = columns.flatMap((_, i) => (isKey(i) ? [i] : []));
  // There is a gap between two columns, and none after the last: hence `-GAP`.
  const keysWidth = keys.reduce((sum, i) => sum + least[i]! + GAP, -GAP);

  const blocks: number[][] = [[]];
  let used = keysWidth;
  columns.forEach((_, i) => {
    if (isKey(i)) return;
    const block = blocks.at(-1)!;
    const fits = used + GAP + least[i]! <= available;
    if (!fits && block.length > 0) {
      blocks.push([i]);
      used = keysWidth;
    } else block.push(i);
    used += GAP + least[i]!;
  });
  return blocks.map((block) => {
    const inOrder = [...keys, ...block].sort((a, b) => a - b);
    return { columns: inOrder, shownHereAlone: block, widths: narrowed(inOrder, least, natural, available) };
  });
}

/** Narrows the widest text columns, one by one, until the line fits or nothing more can be cut. */
function narrowed(
  block: readonly number[],
  least: readonly number[],
  natural: readonly number[],
  available: number,
): number[] {
  const widths = block.map((i) => natural[i]!);
  let excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - available;
  while (excess > 0) {
    const widest = widths.reduce(
      (best, width, at) => (width > least[block[at]!]! && width > (widths[best] ?? 0) ? at : best),
      -1,
    );
    if (widest === -1) break;
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}

export interface TableOptions {
  readonly color: boolean;
  /** The terminal's width in columns, which the table fits; null if the output is no terminal. */
  readonly width: number | null;
}

/** Longer texts are cut: a name of megabytes must not fill the terminal. None of remit's sentences is as long. */
const MOST_CHARACTERS = 300;
/** The same for a note, which may list many names. */
const LONGEST_NOTE = 2_000;
/** Rows written at a time. */
const ROWS_A_PIECE = 500;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const SEPARATOR = ' '.repeat(GAP);
/** Has an invisible mark that keeps columns in their places: beside Arabic, `name 12 34` would show as `34 12 name`. */
const SEPARATOR_AMID_RIGHT_TO_LEFT = ' \u200E ';

/**
 * A report for people: a heading, aligned columns, totals under the rows, notes below. A table too wide for the
 * terminal goes on in a second one under the first.
 * All rows are held until the widest is known: for a million rows, CSV or JSON is the better format.
 */
export async function* tableText(report: SaidReport, options: TableOptions): AsyncGenerator<string> {
  const { columns } = report;
  const rows: string[][] = [];
  let cut = 0;
  for await (const row of report.rows) {
    const texts = columns.map((column) => terminalText(column, row));
    cut += columns.filter(({ name }, i) => isCut(texts[i]!, row[name])).length;
    rows.push(texts);
  }
  const totals = report.totals().map((row) => totalTexts(columns, row));
  const head = columns.map(({ title }) => cleanText(title));

  yield `${painter(options.color).bold(cleanText(headingOf(report)))}\n\n`;
  if (rows.length === 0) yield 'Nothing to show.\n';
  else yield* drawnTable(columns, { head, rows, totals }, options);
  for (const note of report.notes()) yield `\n${cleanText(note, LONGEST_NOTE)}\n`;
  if (cut > 0) {
    yield `\n${cut} ${cut === 1 ? 'text is' : 'texts are'} cut to ${MOST_CHARACTERS} characters; --format csv, json and html have them whole.\n`;
  }
}

/** A table's texts, line by line. */
interface Texts {
  readonly head: string[];
  readonly rows: string[][];
  readonly totals: string[][];
}

/** Texts in aligned columns, as one table or as several if the terminal is too narrow. */
export async function* drawnTable(
  columns: readonly Pick<Column, 'type' | 'key'>[],
  { head, rows, totals }: Texts,
  options: TableOptions,
): AsyncGenerator<string> {
  const paint = painter(options.color);
  const lines = [head, ...rows, ...totals];
  const separator = lines.some((texts) => texts.some((text) => RIGHT_TO_LEFT.test(text)))
    ? SEPARATOR_AMID_RIGHT_TO_LEFT
    : SEPARATOR;
  const ruler = await rulerFor(lines);
  const blocks = divided(columns, naturalWidths(lines, ruler), options.width);
  for (const [index, block] of blocks.entries()) {
    if (index > 0) yield '\n';
    const inBlock = (lines: string[][]) => lines.map((texts) => block.columns.map((i) => texts[i]!));
    const shown = block.columns.map((i) => columns[i]!);
    const draw = (
      lines: string[][],
      look: Look = (text, column) => (isNegative(column, text) ? paint.red(text) : text),
    ) => drawnLines(inBlock(lines), shown, block.widths, separator, look, ruler);
    const rule = `${block.widths.map((width) => '─'.repeat(width)).join(SEPARATOR)}\n`;
    yield draw([head], paint.bold);
    yield rule;
    for (let at = 0; at < rows.length; at += ROWS_A_PIECE) yield draw(rows.slice(at, at + ROWS_A_PIECE));
    const summed = totals.filter((texts) => block.shownHereAlone.some((i) => texts[i] !== ''));
    if (summed.length > 0) yield rule + draw(summed, paint.bold);
  }
}

function terminalText(column: Column, row: SaidRow): string {
  const cell = row[column.name] ?? null;
  if (cell === null) return '';
  const text = String(cell);
  if (isAmount(column, row)) return amountText(text);
  if (column.type === 'measure') return countText(text);
  return cleanText(column.type === 'datetime' ? instantForPeople(text) : text, MOST_CHARACTERS);
}

/** Whether a cell's text was cut to `MOST_CHARACTERS`. */
function isCut(shown: string, cell: SaidCell | undefined): boolean {
  return typeof cell === 'string' && cell.length > MOST_CHARACTERS && shown.endsWith('…');
}

function totalTexts(columns: readonly Column[], row: SaidRow): string[] {
  const texts = columns.map((column) => terminalText(column, row));
  if (texts[0] === '') texts[0] = 'Total';
  return texts;
}

function naturalWidths(lines: readonly string[][], ruler: Ruler): number[] {
  const widths = lines[0]!.map(() => 1);
  for (const line of lines) {
    line.forEach((text, i) => {
      // A text is at most twice as wide as it has code units, so that most need no measuring.
      if (text.length * 2 > widths[i]!) widths[i] = Math.max(widths[i]!, ruler.width(text));
    });
  }
  return widths;
}

function drawnLines(
  lines: string[][],
  columns: readonly Pick<Column, 'type'>[],
  widths: readonly number[],
  separator: string,
  look: Look,
  ruler: Ruler,
): string {
  const drawnLine = (texts: readonly string[]) =>
    texts
      .map((text, i) => {
        const column = columns[i]!;
        const cell = fitted(text, widths[i]!, isRightAligned(column) ? 'right' : 'left', ruler);
        // Only the text is coloured, not the blanks around it.
        const shown = cell.trim();
        return shown === '' ? cell : cell.replace(shown, () => look(shown, column));
      })
      .join(separator)
      .trimEnd();
  return `${lines.map(drawnLine).join('\n')}\n`;
}

type Look = (text: string, column: Pick<Column, 'type'>) => string;

function isNegative({ type }: Pick<Column, 'type'>, text: string): boolean {
  return (type === 'money' || type === 'measure') && text.startsWith('-');
}

function painter(color: boolean) {
  const code = (on: number, off: number) => (text: string) =>
    color && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: code(1, 22), red: code(31, 39) };
}

/** Texts whose characters take one column each: ASCII, Latin letters and signs, and remit's own punctuation. */
const NARROW = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF\u2013-\u2026\u2190-\u2193\u2212]*$/;

/** Measures and cuts texts that hold no control characters. */
interface Ruler {
  /** The number of terminal columns that a text takes. */
  width(text: string): number;
  /** A text wider than `columns`, cut between letters and ended with an ellipsis. */
  cut(text: string, columns: number): string;
}

/** The ruler for some lines. That for all scripts is slow to load, so it is loaded only if a text needs it. */
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
