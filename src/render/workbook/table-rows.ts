import type { Column, ColumnType, PlainRow } from '../../../reports/model.ts';
import { offsetOf } from '../../base/instant.ts';
import type { SaidCell, SaidRow } from '../in-words.ts';
import { type AmountLook, amountCell, amountCellStyle, ColumnSum, groupedText, numberOf, rounded } from './amounts.ts';
import type { Line, SheetCell, Style, TableCell, TableLine, TableValue } from './model.ts';
import { WHOLE_NUMBER } from './styles.ts';
import { headingLine, heightOf, isWrapped, lettersOf, type TableSheet } from './table-model.ts';
import {
  columnLetters,
  isWholeNumber,
  type Stretch,
  type SumOf,
  stretchesOf,
  sumOfAll,
  sumOfShown,
  wallTime,
} from './values.ts';

/** In a sheet of at most this many rows, totals follow the filter; in a larger one such formulas would be slow. */
const MOST_FILTERED = 10_000;
const INTEGER = '#,##0_)';
const BODY: AmountLook = { rule: 'hair' };
const TOTAL: AmountLook = { bold: true, rule: 'total' };
const TEXT: Style = { rule: 'hair', format: '@', align: 'left', indent: 1 };
const WRAPPED: Style = { ...TEXT, wrap: true };
/** A number that names something, such as an invoice's: it is aligned like a name. */
const NUMBER: Style = { ...TEXT, format: WHOLE_NUMBER };
const COUNT: Style = { rule: 'hair', format: INTEGER, align: 'right' };
const CENTRED: Style = { rule: 'hair', align: 'center' };
const DATE: Style = { ...CENTRED, format: 'yyyy-mm-dd' };
const CENTRED_TEXT: Style = { ...CENTRED, format: '@' };
const TOTAL_TEXT: Style = { ...TOTAL, format: '@', align: 'left', indent: 1 };
const TOTAL_INTEGER: Style = { ...TOTAL, format: INTEGER, align: 'right' };
const HEADING: Style = { bold: true, size: 12, align: 'left', indent: 1 };
const NOTE: Style = { indent: 1, align: 'left', italic: true, colour: '595959' };

/** The lines of a table's sheet: heading, rows, totals, rows below them, notes. Columns are summed as rows are made. */
export class TableRows {
  readonly #table: TableSheet;
  readonly #widths: readonly number[];
  readonly #isForTyping: readonly boolean[];
  readonly #words: readonly (((word: string) => string) | null)[];
  readonly #isWrapped: boolean;
  /** The cell that is being read: one for all, because there are millions. */
  readonly #cell: TableCell = { value: null, style: TEXT, isForTyping: false };
  /** By currency, then by column. Every column is summed: which of them have totals is known only after the rows. */
  readonly #sums = new Map<PlainRow[string], ColumnSum[]>();
  #rows = 0;
  #totals = 0;
  /** How many amounts are text, because no number could hold them. */
  #asText = 0;
  /** Whether the rows being made count in the totals; those below the totals do not. */
  #isCounted = true;

  /** @param widths of the columns, in characters */
  constructor(table: TableSheet, widths: readonly number[]) {
    const { columns, typed = [], wordsOf = () => null } = table;
    this.#table = table;
    this.#widths = widths;
    this.#isForTyping = columns.map(({ name }) => typed.includes(name));
    this.#words = columns.map(({ name }) => wordsOf(name));
    this.#isWrapped = columns.some(isWrapped);
  }

  /** The whole sheet, a page at a time. @param firstRows rows that were read already */
  async *lines(
    firstRows: readonly PlainRow[],
    laterPages: AsyncIterable<readonly PlainRow[]>,
  ): AsyncGenerator<Iterable<Line>> {
    const { columns, accent } = this.#table;
    yield [headingLine(columns, this.#widths, accent)];
    yield this.#linesOf(firstRows);
    for await (const page of laterPages) yield this.#linesOf(page);
    yield this.#end();
  }

  /** Makes each line when it is written: the lines of a whole page would outlive a collection of garbage. */
  *#linesOf(rows: readonly PlainRow[]): Generator<Line> {
    for (const row of rows) yield this.#line(row);
  }

  /** The number of the table's own rows, without those below the totals. */
  get rows(): number {
    return this.#rows;
  }

  /** Whether both the exact sum of a column in a currency and a spreadsheet's rounded sum are this figure. */
  gives(column: string, currency: string, decimal: string): boolean {
    const index = this.#table.columns.findIndex(({ name }) => name === column);
    return this.#sumsOf(currency)[index]!.gives(decimal);
  }

  *#end(): Generator<Line> {
    const { language, totals, notes } = this.#table;
    const totalRows = totals();
    this.#totals = totalRows.length;
    if (totalRows.length > 0) yield { cells: [] };
    for (const row of totalRows) yield this.#totalLine(row);
    yield* this.#below();
    const sentences = [...notes()];
    if (this.#asText > 0) {
      sentences.unshift(language.say({ id: 'workbook/amounts-as-text', count: this.#asText }));
    }
    if (this.#rows > MOST_FILTERED && totalRows.length > 0) {
      sentences.push(language.say({ id: 'workbook/totals-of-all-rows' }));
    }
    if (sentences.length > 0) yield { cells: [] };
    for (const sentence of sentences) yield this.#sentence(sentence, NOTE);
  }

  #sentence(value: string, style: Style): Line {
    return { cells: [{ value, style }] };
  }

  *#below(): Generator<Line> {
    const { below } = this.#table;
    if (!below || below.rows.length === 0) return;
    yield { cells: [] };
    yield this.#sentence(below.heading, HEADING);
    this.#isCounted = false;
    yield* this.#linesOf(below.rows);
  }

  /** Where the table's rows are, and those below the totals; known after the last row. */
  get stretches(): readonly Stretch[] {
    return stretchesOf(this.#rows, this.#totals, this.#table.below?.rows.length ?? 0);
  }

  #line(row: PlainRow): TableLine {
    if (this.#isCounted) this.#rows += 1;
    const { columns } = this.#table;
    const sums = this.#sumsOf(row.currency ?? null);
    const height = this.#isWrapped ? heightOf(columns, this.#widths, row) : undefined;
    const read = (index: number) => {
      const column = columns[index]!;
      this.#set(index, typeInRow(column, row), row[column.name] ?? null, sums[index]!);
      return this.#cell;
    };
    return { columns: columns.length, read, height };
  }

  /** Sets the cell that is being read, and adds it to its column's sum. */
  #set(index: number, type: ColumnType, content: PlainRow[string], sum: ColumnSum): void {
    const cell = this.#cell;
    cell.value = null;
    cell.style = TEXT;
    cell.isForTyping = this.#isForTyping[index]!;
    if (content === null) return;
    if (type === 'money') {
      const amount = typeof content === 'bigint' ? content : String(content);
      const number = numberOf(amount);
      if (this.#isCounted) sum.add(amount, number);
      if (number === null) this.#asText += 1;
      cell.value = number ?? groupedText(amount);
      cell.style = amountCellStyle(BODY, amount, number);
      return;
    }
    const text = this.#words[index]?.(String(content)) ?? String(content);
    cell.value = text;
    switch (type) {
      case 'count':
      case 'days':
        if (this.#isCounted) sum.add(text);
        cell.value = Number(text);
        cell.style = COUNT;
        break;
      case 'number':
        if (isWholeNumber(text)) {
          cell.value = Number(text);
          cell.style = NUMBER;
        }
        break;
      case 'date':
        cell.value = wallTime(text) ?? text;
        cell.style = DATE;
        break;
      case 'datetime':
        [cell.value, cell.style] = dateTime(text);
        break;
      case 'wide':
        cell.style = WRAPPED;
    }
  }

  #sumsOf(currency: PlainRow[string]): readonly ColumnSum[] {
    let sums = this.#sums.get(currency);
    if (!sums) {
      sums = this.#table.columns.map(() => new ColumnSum());
      this.#sums.set(currency, sums);
    }
    return sums;
  }

  #totalLine(row: SaidRow): Line {
    const currency = row.currency ?? null;
    const sums = this.#sumsOf(currency);
    const cells = this.#table.columns.map((column, i): SheetCell => {
      const cell = row[column.name] ?? null;
      if (cell === null) {
        const word = i === 0 ? this.#table.language.say({ id: 'workbook/total' }) : null;
        return { value: word, style: TOTAL_TEXT };
      }
      const text = String(cell);
      const isCount = column.type === 'count' || column.type === 'days';
      if (column.type !== 'money' && !isCount) return { value: text, style: TOTAL_TEXT };
      const formula = sums[i]!.gives(text) ? this.#formula(i, currency) : undefined;
      if (!isCount) return amountCell(text, TOTAL, formula && rounded(formula, text));
      return { value: formula ? { formula, result: Number(cell) } : Number(cell), style: TOTAL_INTEGER };
    });
    return { cells };
  }

  /** The formula of a total: the sum of the rows that the filter shows, and of the rows below the totals that count. */
  #formula(index: number, currency: SaidCell): string | undefined {
    if (this.#rows === 0) return undefined;
    const { columns, below } = this.#table;
    const hasCurrency = currency !== null && columns.some(({ name }) => name === 'currency');
    const where: SumOf['where'][number][] = [];
    // If there is one total, all rows are in its currency.
    if (hasCurrency && this.#totals > 1) {
      where.push({ letters: `$${lettersOf(columns, 'currency')}`, sign: '=', text: String(currency) });
    }
    if (below) {
      const { column, is } = below.settled;
      where.push({ letters: `$${lettersOf(columns, column)}`, sign: '<>', text: is });
    }
    const [tableRows, ...rowsBelow] = this.stretches;
    const sumOf = { letters: columnLetters(index), where };
    const shown = this.#rows <= MOST_FILTERED ? sumOfShown(tableRows!, sumOf) : sumOfAll(tableRows!, sumOf);
    return [shown, ...rowsBelow.map((stretch) => sumOfAll(stretch, sumOf))].join('+');
  }
}

/** A measure is money or a count, by its row's unit. */
function typeInRow({ type }: Column, row: PlainRow): ColumnType {
  if (type !== 'measure') return type;
  return row.unit === 'money' ? 'money' : 'count';
}

const TIME = 'yyyy-mm-dd hh:mm';
/** A workbook can have few number formats: a date-time with one offset more is written as text. */
const MOST_OFFSETS = 64;

const timeStyles = new Map<string, Style>();

/**
 * A date-time and its style: the wall-clock time that the document states, with its offset shown after it. It has the
 * document's own day, and is sorted and filtered like any date.
 *
 * @param iso as received, with its offset
 */
function dateTime(iso: string): [TableValue, Style] {
  const style = timeStyle(offsetOf(iso));
  const value = style && wallTime(iso);
  return value ? [value, style] : [iso, CENTRED_TEXT];
}

function timeStyle(offset: string): Style | undefined {
  const cached = timeStyles.get(offset);
  if (cached || timeStyles.size >= MOST_OFFSETS) return cached;
  const style = { ...CENTRED, format: `${TIME} "${offset}"` };
  timeStyles.set(offset, style);
  return style;
}
