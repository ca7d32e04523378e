import Table from 'cli-table3';
import type { Cell, Column, Report, Row } from '../../reports/model.ts';
import { amountText } from './amount-text.ts';
import { headingOf } from './heading.ts';
import { divided, GAP, isToTheRight } from './table-blocks.ts';
import { forTerminal, shortened } from './text.ts';

export interface TableOptions {
  readonly color: boolean;
  /** Columns of the terminal, which the table is made to fit; null where the output is no terminal. */
  readonly width: number | null;
}

/** cli-table3 takes quadratic time in the rows of one table, so that a long report is drawn as many small ones. */
const ROWS_A_TABLE = 100;
/** cli-table3 takes quadratic time in the length of a text too; no sentence of ours is as long as this. */
const MOST_CHARACTERS = 300;
const NO_BORDERS = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
    .split(' ')
    .map((name) => [name, '']),
);
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
/** Amid right-to-left text, the invisible mark keeps each column in its place: `name 12 34` would show as `34 12 name`. */
const SEPARATOR = ' '.repeat(GAP);
const SEPARATOR_AMID_RIGHT_TO_LEFT = ' \u200E ';

/**
 * A report for people: a heading, aligned columns, money grouped and to the right, totals under the rows, notes below. What
 * is too wide for the terminal goes on in a second table under the first.
 * Rows are held until the widest is known; for a report of a million rows CSV or JSON is the better format.
 */
export async function* tableText(report: Report, options: TableOptions): AsyncGenerator<string> {
  const { columns } = report;
  const rows: string[][] = [];
  let cut = 0;
  const shownText = (column: Column, cell: Cell | undefined) => {
    const whole = cellText(column, cell);
    const shown = shortened(whole, MOST_CHARACTERS);
    if (shown !== whole) cut += 1;
    return shown;
  };
  for await (const row of report.rows) rows.push(columns.map((column) => shownText(column, row[column.name])));
  const totals = report.totals().map((row) => totalTexts(columns, row));
  const head = columns.map(({ title }) => forTerminal(title));

  const paint = painter(options.color);
  yield `${paint.bold(forTerminal(headingOf(report)))}\n\n`;
  if (rows.length === 0) yield 'Nothing to show.\n';
  else {
    const all = [head, ...rows, ...totals];
    const separator = all.some((texts) => texts.some((text) => RIGHT_TO_LEFT.test(text)))
      ? SEPARATOR_AMID_RIGHT_TO_LEFT
      : SEPARATOR;
    const blocks = divided(columns, naturalWidths(all), options.width);
    for (const [index, block] of blocks.entries()) {
      if (index > 0) yield '\n';
      const part = (lines: string[][]) => lines.map((texts) => block.columns.map((i) => texts[i]!));
      const shown = block.columns.map((i) => columns[i]!);
      const draw = (lines: string[][]) => drawn(part(lines), shown, block.widths, separator, paint);
      const rule = `${block.widths.map((width) => '─'.repeat(width)).join(SEPARATOR)}\n`;
      yield draw([head.map(paint.bold)]);
      yield rule;
      for (let at = 0; at < rows.length; at += ROWS_A_TABLE) yield draw(rows.slice(at, at + ROWS_A_TABLE));
      const summed = totals.filter((texts) => block.own.some((i) => texts[i] !== ''));
      if (summed.length > 0) yield rule + draw(summed.map((texts) => texts.map(paint.bold)));
    }
  }
  for (const note of report.notes()) yield `\n${forTerminal(note)}\n`;
  if (cut > 0) {
    yield `\n${cut} ${cut === 1 ? 'text is' : 'texts are'} cut to ${MOST_CHARACTERS} characters; --format csv, json and html have them whole.\n`;
  }
}

function cellText(column: Column, cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (column.type === 'money') return amountText(String(cell));
  return forTerminal(String(cell));
}

function totalTexts(columns: readonly Column[], row: Row): string[] {
  const texts = columns.map((column) => cellText(column, row[column.name]));
  if (texts[0] === '') texts[0] = 'Total';
  return texts;
}

function naturalWidths(lines: readonly string[][]): number[] {
  const widths = lines[0]!.map(() => 1);
  for (const line of lines) {
    line.forEach((text, i) => {
      // A text is at most twice as wide as it has code units, so that most need no measuring.
      if (text.length * 2 > widths[i]!) widths[i] = Math.max(widths[i]!, displayWidth(text));
    });
  }
  return widths;
}

const ASCII = /^[\x20-\x7E]*$/;

/** How many columns of a terminal a text takes, as cli-table3 measures it. */
function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  const probe = new Table({ chars: NO_BORDERS, style: { 'padding-left': 0, 'padding-right': 0 } });
  probe.push([text]);
  probe.toString();
  return probe.options.colWidths[0] ?? text.length;
}

function drawn(
  lines: string[][],
  columns: readonly Column[],
  widths: readonly number[],
  middle: string,
  paint: Paint,
): string {
  const table = new Table({
    colWidths: [...widths],
    colAligns: columns.map((column) => (isToTheRight(column) ? 'right' : 'left')),
    chars: { ...NO_BORDERS, middle },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const line of lines) {
    table.push(line.map((text, i) => (columns[i]!.type === 'money' && text.startsWith('-') ? paint.red(text) : text)));
  }
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}

type Paint = Readonly<Record<'bold' | 'red', (text: string) => string>>;

function painter(color: boolean): Paint {
  const code = (on: number, off: number) => (text: string) =>
    color && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: code(1, 22), red: code(31, 39) };
}
