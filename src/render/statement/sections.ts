import type {
  Fact,
  Grid,
  GridCell,
  GridRow,
  Head,
  Live,
  Part,
  Section,
  SummedTable,
  Where,
} from '../../../reports/page.ts';
import { ExactDecimal, formatAmount } from '../../money/decimal.ts';
import { gridCellText } from '../in-words.ts';
import { type AmountLook, amountCell, derivedCell } from '../workbook/amounts.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import type { Condition, TableRef } from '../workbook/table-ref.ts';
import { columnLetters, exactNumber, wallTime } from '../workbook/values.ts';
import type { SheetLines } from './page.ts';
import * as LOOK from './styles.ts';

export type SummedTables = Readonly<Record<SummedTable, Pick<TableRef, 'sum'>>> & { readonly mismatches: TableRef };

/** The tables that figures are sums of, and the colour of bars as six hex digits. */
export interface Drawing {
  readonly tables: SummedTables;
  readonly barColour: string;
}

interface RowLook {
  readonly label: Style;
  readonly amount: AmountLook;
}

const LOOKS: Readonly<Record<NonNullable<GridRow['look']> | 'line', RowLook>> = {
  line: { label: LOOK.LINE, amount: LOOK.AMOUNT_LOOK },
  step: { label: LOOK.INDENTED, amount: LOOK.AMOUNT_LOOK },
  sum: { label: LOOK.SUBTOTAL, amount: LOOK.SUBTOTAL_AMOUNT },
  total: { label: LOOK.TOTAL, amount: LOOK.TOTAL_AMOUNT },
};
const MARKS = { bad: LOOK.BAD_FIGURE, doubtful: LOOK.DOUBTFUL_FIGURE, good: LOOK.GOOD_FIGURE, moved: LOOK.MOVED };
/** A code is as wide as two columns of figures. */
const CODE_SPAN = 2;

/** Adds a section to a page. Its figures are live formulas over the workbook's tables, and follow changes there. */
export function addSection(page: SheetLines, { title, parts }: Section, drawing: Drawing): void {
  page.band(page.language.label(title), LOOK.SECTION, LOOK.SECTION_HEIGHT);
  for (const part of parts) addPart(page, part, drawing);
  page.gap();
}

function addPart(page: SheetLines, part: Part, drawing: Drawing): void {
  const { say } = page.language;
  if (part.kind === 'note') page.paragraph([], say(part.says), part.isHint ? LOOK.HINT : LOOK.TEXT_STYLE);
  else if (part.kind === 'facts') addFacts(page, part.facts);
  else addGrid(page, part, drawing);
}

export function addFacts(
  page: SheetLines,
  facts: readonly Fact[],
  [label, text]: readonly [label: Style, text: Style] = [LOOK.CODE, LOOK.TEXT_STYLE],
): void {
  for (const fact of facts) {
    const name = { value: fact.label && page.language.label(fact.label), style: label };
    page.paragraph([name], gridCellText(fact.value, page.language), text);
  }
}

function addGrid(page: SheetLines, grid: Grid, drawing: Drawing): void {
  const { heads, rows } = grid;
  page.add(heads.map((head, column) => headCell(head, page, column)));
  for (const row of rows) {
    // A row of one cell is a remark over the whole width.
    const [only] = row.cells;
    if (row.cells.length === 1 && heads.length > 1 && only && 'says' in only) {
      page.paragraph([], page.language.label(only.says), LOOK.HINT);
      continue;
    }
    const rowsAbove = rows.slice(0, rows.indexOf(row));
    const cells = row.cells.map((cell, column) => {
      const above = rowsAbove.map((rowAbove) => rowAbove.cells[column] ?? null);
      return sheetCell(cell, { page, grid, head: heads[column]!, row, column, above, drawing });
    });
    page.addFitting(cells);
    const amountColumns = [...heads.keys()].filter(
      (column) => heads[column]!.is === 'amount' && isNumber(cells[column]),
    );
    for (const { test, look } of row.marks ?? []) {
      for (const column of amountColumns) page.condition(column, test, MARKS[look]);
    }
  }
}

const isNumber = (cell: SheetCell | null | undefined) => cell?.value != null && typeof cell.value !== 'string';

function headCell({ is, title }: Head, { columns, language }: SheetLines, column: number): SheetCell {
  const value = language.label(title) || null;
  if (is === 'code') return { value, style: LOOK.HEAD_APART, span: CODE_SPAN };
  if (is === 'text') return { value, style: LOOK.HEAD_APART };
  if (is === 'bar') return { value, style: LOOK.HEAD_APART, span: columns - column };
  return { value, style: is === 'label' ? LOOK.HEAD : LOOK.HEAD_RIGHT };
}

interface Place {
  readonly page: SheetLines;
  readonly grid: Grid;
  readonly head: Head;
  readonly row: GridRow;
  readonly column: number;
  /** The cells of the same column in the rows above. */
  readonly above: readonly GridCell[];
  readonly drawing: Drawing;
}

function sheetCell(cell: GridCell, place: Place): SheetCell {
  const { page, head, row, drawing } = place;
  const { say, label } = page.language;
  const look = LOOKS[row.look ?? 'line'];
  const styles: Partial<Record<Head['is'], Style>> = { label: look.label, text: LOOK.APART };
  const style = styles[head.is] ?? LOOK.LINE;
  if (cell === null) return { value: null, style };
  if ('says' in cell) return { value: label(cell.says), style };
  if ('text' in cell) {
    return head.is === 'code' ? { value: cell.text, style: LOOK.CODE, span: CODE_SPAN } : { value: cell.text, style };
  }
  if ('rows' in cell) return drawing.tables.mismatches.linkTo(conditions(cell.rows, place), LOOK.LINK);
  if ('bar' in cell) return barCell(cell, place);
  if ('at' in cell) return { value: wallTime(cell.at) ?? cell.at, style: LOOK.TIME };
  const name = cell.name === undefined ? {} : { name: cell.name };
  if ('count' in cell) return { ...countCell(cell, place), ...name };
  if (cell.amount === null) return { value: cell.unknown ? say(cell.unknown) : null, style: LOOK.HEAD_RIGHT };
  return { ...figureCell(formatAmount(cell.amount), cell.live, look.amount, place), ...name };
}

function countCell({ count, live }: Extract<GridCell, { count: number }>, place: Place): SheetCell {
  if (!live) return { value: count, style: LOOK.COUNT };
  if ('change' in live) return { value: { formula: changeOf(place), result: count }, style: LOOK.COUNT_CHANGE };
  return place.drawing.tables.mismatches.countOf(
    count,
    LOOK.COUNT,
    ...live.where.map((where) => conditions(where, place)),
  );
}

function figureCell(decimal: string, live: Live | undefined, look: AmountLook, place: Place): SheetCell {
  if (!live) return amountCell(decimal, look);
  if ('formula' in live) return derivedCell(decimal, live.amounts.map(formatAmount), live.formula, look);
  if ('change' in live) return derivedCell(decimal, twoToTheLeft(place).map(textOf), changeOf(place), look);
  if ('above' in live) {
    const summed = place.above.slice(-live.above);
    const { row } = place.page;
    const range = place.page.rangeOf(place.column, row - live.above, row);
    return derivedCell(decimal, summed.map(textOf), `SUM(${range})`, look);
  }
  const { of, sum, where, isNegated = false, withRemainder = false } = live;
  return place.drawing.tables[of].sum(sum, conditions(where, place), decimal, look, { isNegated, withRemainder });
}

/** The length of the longest bar, in characters. */
const LONGEST_BAR = 40;

/** A live bar for the row's first amount; empty if a spreadsheet cannot hold all amounts of the column. */
function barCell({ bar, most }: Extract<GridCell, { bar: unknown }>, place: Place): SheetCell {
  const { page, grid, row, column, drawing } = place;
  const style = { ...LOOK.LINE, wrap: false, indent: 1, colour: drawing.barColour };
  const span = page.columns - column;
  const amountColumn = grid.heads.findIndex(({ is }) => is === 'amount');
  const isExact = grid.rows.every(({ cells }) => exactNumber(textOf(cells[amountColumn] ?? null)) !== null);
  if (most.isZero() || !isExact) return { value: null, style, span };
  const firstRow = page.row - grid.rows.indexOf(row);
  // `C5:C9` → `C$5:C$9`
  const amounts = page.rangeOf(amountColumn, firstRow, firstRow + grid.rows.length).replace(/\d+/g, '$$$&');
  const formula = `REPT("█",ROUND(${LONGEST_BAR}*MAX(${columnLetters(amountColumn)}${page.row + 1},0)/MAX(${amounts}),0))`;
  const share = ExactDecimal.max(bar.times(0), bar).times(LONGEST_BAR).dividedBy(most);
  const length = share.toDecimalPlaces(0, ExactDecimal.ROUND_HALF_UP).toNumber();
  return { value: { formula, result: '█'.repeat(length) }, style, span };
}

function twoToTheLeft({ row, column }: Place): readonly GridCell[] {
  return row.cells.slice(column - 2, column);
}

function textOf(cell: GridCell): string {
  return cell && 'amount' in cell && cell.amount ? formatAmount(cell.amount) : '0.00';
}

/** The formula of a change: the cell to the left, less the cell to the left of that. */
function changeOf({ page, column }: Place): string {
  return `${columnLetters(column - 1)}${page.row + 1}-${columnLetters(column - 2)}${page.row + 1}`;
}

/** Conditions with the words that are in the workbook's tables. */
function conditions(where: readonly Where[], { page }: Place): Condition[] {
  const { say, statuses } = page.language;
  const word = (column: string, text: string) =>
    column.startsWith('status') ? (statuses[text as keyof typeof statuses] ?? text) : text;
  return where.map((each): Condition => {
    const { column } = each;
    if ('begins' in each) return { column, begins: say(each.begins).trim() };
    if ('not' in each) return { column, not: word(column, each.not) };
    const is = typeof each.is === 'string' ? word(column, each.is) : say(each.is);
    // The row's label, in column A, has the same word.
    return { column, is, ...(each.isLabel ? { at: `$A$${page.row + 1}` } : {}) };
  });
}
