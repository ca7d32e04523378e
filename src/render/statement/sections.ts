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
import { formatAmount } from '../../money/index.ts';
import type { Language } from '../../words/index.ts';
import { type AmountLook, amountCell, derivedCell } from '../workbook/amounts.ts';
import { columnLetters } from '../workbook/formulas.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import type { Condition, RowSource } from '../workbook/table-ref.ts';
import { wallTime } from '../workbook/values.ts';
import * as LOOK from './looks.ts';
import type { Page } from './page.ts';

export type SummedTables = Readonly<Record<SummedTable, Pick<RowSource, 'sum'>>> & { readonly mismatches: RowSource };

const LOOKS: Readonly<Record<NonNullable<GridRow['look']> | 'line', readonly [label: Style, amount: AmountLook]>> = {
  line: [LOOK.LINE, LOOK.AMOUNT],
  step: [LOOK.INDENTED, LOOK.AMOUNT],
  sum: [LOOK.SUBTOTAL, LOOK.SUBTOTAL_AMOUNT],
  total: [LOOK.TOTAL, LOOK.TOTAL_AMOUNT],
};
const MARKS = { bad: LOOK.BAD_FIGURE, doubtful: LOOK.DOUBTFUL_FIGURE, good: LOOK.GOOD_FIGURE, moved: LOOK.MOVED };
/** A code is wider than a column of figures. */
const CODE_SPAN = 2;

/** Writes a section below what a page has already: figures live over the workbook's tables, so that working in them shows. */
export function addSection(page: Page, { title, parts }: Section, tables: SummedTables): void {
  page.band(page.language.say(title), LOOK.SECTION, 20);
  for (const part of parts) addPart(page, part, tables);
  page.gap();
}

function addPart(page: Page, part: Part, tables: SummedTables): void {
  const { say } = page.language;
  if (part.kind === 'note') page.paragraph([], say(part.says), part.isHint ? LOOK.HINT : LOOK.TEXT);
  else if (part.kind === 'facts') addFacts(page, part.facts);
  else addGrid(page, part, tables);
}

export function addFacts(
  page: Page,
  facts: readonly Fact[],
  [label, text]: readonly [label: Style, text: Style] = [LOOK.CODE, LOOK.TEXT],
): void {
  const { say } = page.language;
  for (const fact of facts) {
    const value = fact.value && 'says' in fact.value ? say(fact.value.says) : '';
    page.paragraph([{ value: fact.label && say(fact.label), style: label }], value, text);
  }
}

function addGrid(page: Page, { heads, rows }: Grid, tables: SummedTables): void {
  page.add(heads.map((head) => headCell(head, page.language)));
  for (const row of rows) {
    const [only] = row.cells;
    if (row.cells.length === 1 && heads.length > 1 && only && 'says' in only) {
      page.paragraph([], page.language.say(only.says), LOOK.HINT);
      continue;
    }
    const cells = row.cells.map((cell, at) => {
      const above = rows.slice(0, rows.indexOf(row)).map(({ cells }) => cells[at] ?? null);
      return sheetCell(cell, { page, head: heads[at]!, row, column: at, above, tables });
    });
    page.addFitting(cells);
    const figures = heads.flatMap(({ is }, at) => (is === 'amount' ? [at] : []));
    for (const { test, look } of row.marks ?? []) {
      for (const at of figures.filter((one) => isNumber(cells[one]))) page.condition(at, at, test, MARKS[look]);
    }
  }
}

const isNumber = (cell: SheetCell | null | undefined) => cell?.value != null && typeof cell.value !== 'string';

function headCell({ is, title }: Head, { say }: Language): SheetCell {
  const value = typeof title === 'string' ? title || null : say(title);
  if (is === 'code') return { value, style: LOOK.HEAD, span: CODE_SPAN };
  if (is === 'text') return { value, style: LOOK.HEAD_APART };
  return { value, style: is === 'label' ? LOOK.HEAD : LOOK.HEAD_RIGHT };
}

interface Place {
  readonly page: Page;
  readonly head: Head;
  readonly row: GridRow;
  readonly column: number;
  /** The cells of the same column in the rows above. */
  readonly above: readonly GridCell[];
  readonly tables: SummedTables;
}

function sheetCell(cell: GridCell, place: Place): SheetCell {
  const { page, head, row, tables } = place;
  const { say } = page.language;
  const [label, amountLook] = LOOKS[row.look ?? 'line'];
  const style = head.is === 'label' ? label : head.is === 'text' ? LOOK.APART : LOOK.LINE;
  if (cell === null) return { value: null, style };
  if ('says' in cell) return { value: say(cell.says), style };
  if ('text' in cell) {
    return head.is === 'code' ? { value: cell.text, style: LOOK.CODE, span: CODE_SPAN } : { value: cell.text, style };
  }
  if ('rows' in cell) return tables.mismatches.linkTo(conditions(cell.rows, place), LOOK.LINK);
  if ('at' in cell) return { value: wallTime(cell.at) ?? cell.at, style: LOOK.TIME };
  const name = cell.name === undefined ? {} : { name: cell.name };
  if ('count' in cell) return { ...countCell(cell, place), ...name };
  if (cell.amount === null) return { value: cell.unknown ? say(cell.unknown) : null, style: LOOK.HEAD_RIGHT };
  return { ...figureCell(formatAmount(cell.amount), cell.live, amountLook, place), ...name };
}

function countCell({ count, live }: Extract<GridCell, { count: number }>, place: Place): SheetCell {
  if (!live) return { value: count, style: LOOK.COUNT };
  if ('change' in live) return { value: { formula: changeOf(place), result: count }, style: LOOK.COUNT_CHANGE };
  return place.tables.mismatches.countOf(count, LOOK.COUNT, ...live.where.map((where) => conditions(where, place)));
}

function figureCell(decimal: string, live: Live | undefined, look: AmountLook, place: Place): SheetCell {
  if (!live) return amountCell(decimal, look);
  if ('formula' in live) return derivedCell(decimal, live.from.map(formatAmount), live.formula, look);
  if ('change' in live) return derivedCell(decimal, besides(place).map(textOf), changeOf(place), look);
  if ('above' in live) {
    const summed = place.above.slice(-live.above);
    const { row } = place.page;
    const range = place.page.cells(place.column, row - live.above, row);
    return derivedCell(decimal, summed.map(textOf), `SUM(${range})`, look);
  }
  const { of, sum, where, isNegated = false, withRemainder = false } = live;
  return place.tables[of].sum(sum, conditions(where, place), decimal, look, { isNegated, withRemainder });
}

/** The two cells to the left. */
function besides({ row, column }: Place): readonly GridCell[] {
  return row.cells.slice(column - 2, column);
}

function textOf(cell: GridCell): string {
  return cell && 'amount' in cell && cell.amount ? formatAmount(cell.amount) : '0.00';
}

function changeOf({ page, column }: Place): string {
  return `${columnLetters(column - 1)}${page.row + 1}-${columnLetters(column - 2)}${page.row + 1}`;
}

/** Conditions in the words that the workbook's tables have. */
function conditions(where: readonly Where[], { page }: Place): Condition[] {
  const { say, statuses } = page.language;
  const word = (column: string, text: string) =>
    column.startsWith('status') ? (statuses[text as keyof typeof statuses] ?? text) : text;
  return where.map((each): Condition => {
    const { column } = each;
    if ('begins' in each) return { column, begins: say(each.begins).trim() };
    if ('not' in each) return { column, not: word(column, each.not) };
    const is = typeof each.is === 'string' ? word(column, each.is) : say(each.is);
    return { column, is, ...(each.isLabel ? { at: `$A$${page.row + 1}` } : {}) };
  });
}
