import type { Column } from '../../../reports/model.ts';
import type { PackedRow } from '../../../reports/packed.ts';
import { type CellDigest, MOST_DIGITS, type Share, shareOf } from '../../workbook-mark.ts';
import type { ColumnSum } from './amounts.ts';
import type { SheetCell, Style } from './model.ts';
import { columnLetters } from './names.ts';
import { writeCount, writeWhole } from './number-bytes.ts';
import { cellTail } from './row-xml.ts';
import { MOST_BEHIND, Snippet } from './snippet.ts';
import type { StyleIds } from './style-ids.ts';
import { digested } from './values.ts';
import type { XmlBytes } from './xml-bytes.ts';

/** A page of a long table, whose rows are written without an object for each cell. */
export class LongPage {
  readonly rows: Iterable<PackedRow>;
  readonly writer: LongRows;

  constructor(rows: Iterable<PackedRow>, writer: LongRows) {
    this.rows = rows;
    this.writer = writer;
  }
}

/** What a table says of its rows: how the cells look, and where their sums go. */
export interface LongTable {
  readonly columns: readonly Column[];
  /** Any cell as an object. Amounts are added to their sums. */
  cell(index: number, row: PackedRow): SheetCell;
  /** The look of an amount with so many decimals. */
  amountStyle(decimals: number): Style;
  /** Takes in a row of a currency. @returns by column, the sums of the rows in it */
  begin(currency: string | null): readonly ColumnSum[];
}

/** How a column's cells are written: those that come again are remembered, others letter by letter, or as {@link LongTable.cell} has them. */
type Way = 'remembered' | 'letters' | 'amount' | 'other';

const WAYS: Partial<Record<Column['type'], Way>> = {
  number: 'remembered',
  text: 'remembered',
  date: 'remembered',
  id: 'letters',
  money: 'amount',
};

/** A cell as it was written before: what follows the row's number, and what it adds to the digest. */
interface Remembered {
  readonly tail: Snippet;
  readonly share: Share | null;
}

/** So many of a column, and of so many bytes each: then others take their place. */
const MOST_REMEMBERED = 2_000;
const MOST_TAIL = 300;
const LONGEST_ID = 200;
/** What a cell takes at most, of those that are not written as others are. */
const MOST_CELL = 400;
/** Amounts below are exact as a spreadsheet's numbers: 15 digits. */
const MOST_COUNT = 1e15;

/** Letters that stand for themselves in XML, in a cell and in a digest: printable, no blanks, none that XML writes otherwise. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  code > 32 && code < 127 && !'&<>"'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const UNDERSCORE = 95;
const X = 120;
const END = new Snippet('</v></c>');

/** Writes the rows of one table. The bytes are those that `rowXml` makes of the same cells. */
export class LongRows {
  readonly #table: LongTable;
  readonly #heads: readonly Snippet[];
  readonly #ways: readonly Way[];
  readonly #remembered: readonly Map<unknown, Remembered>[];
  readonly #currency: number;
  #looks: { styles: StyleIds; text: Snippet; amounts: Snippet[]; empty: Snippet } | undefined;
  readonly #number = new Uint8Array(8);

  constructor(table: LongTable) {
    const { columns } = table;
    this.#table = table;
    this.#heads = columns.map((_, index) => new Snippet(`<c r="${columnLetters(index)}`));
    this.#ways = columns.map(({ type }) => WAYS[type] ?? 'other');
    this.#remembered = columns.map(() => new Map());
    this.#currency = columns.findIndex(({ name }) => name === 'currency');
  }

  get columns(): number {
    return this.#heads.length;
  }

  /** @param number the row's number, from 1 */
  write(row: PackedRow, number: number, to: XmlBytes, styles: StyleIds, digest: CellDigest | undefined): void {
    const looks = this.#looksIn(styles);
    const sums = this.#table.begin((row[this.#currency] ?? null) as string | null);
    const room = this.columns * MOST_CELL + MOST_BEHIND;
    to.reserve(room);
    to.length += to.bytes.write(`<row r="${number}">`, to.length, 'latin1');
    const digits = this.#number;
    const width = writeWhole(digits, 0, number);
    for (let index = 0; index < this.#heads.length; index += 1) {
      const { bytes, view } = to;
      let at = this.#heads[index]!.writeTo(view, to.length);
      for (let digit = 0; digit < width; digit += 1) bytes[at + digit] = digits[digit]!;
      at += width;
      const cell = row[index] ?? null;
      if (cell === null) {
        to.length = looks.empty.writeTo(view, at);
        continue;
      }
      switch (this.#ways[index]!) {
        case 'amount': {
          if (typeof cell !== 'number' || cell >= MOST_COUNT || cell <= -MOST_COUNT) break;
          const decimals = decimalsOf(cell);
          looks.amounts[decimals] ??= startOf(this.#table.amountStyle(decimals), styles, '><v>');
          at = looks.amounts[decimals].writeTo(view, at);
          const end = writeCount(bytes, at, cell);
          if (end - at <= MOST_DIGITS) digest?.addBytes(bytes, at, end, true);
          else digest?.add(cell / 10_000);
          to.length = END.writeTo(view, end);
          sums[index]!.addCount(cell);
          continue;
        }
        case 'letters': {
          const text = cell as string;
          if (typeof cell !== 'string' || text.length > LONGEST_ID || text === '') break;
          const start = looks.text.writeTo(view, at);
          const end = lettersCopied(text, bytes, start);
          if (end < 0) break;
          digest?.addBytes(bytes, start, end, false);
          to.length = END.writeTo(view, end);
          continue;
        }
        case 'remembered': {
          const known = this.#remembered[index]!.get(cell) ?? this.#remember(index, row, styles);
          if (known.tail.length > MOST_TAIL) break;
          to.length = known.tail.writeTo(view, at);
          digest?.addShare(known.share);
          continue;
        }
      }
      to.length = at;
      const other = this.#table.cell(index, row);
      to.add(cellTail(other, styles));
      const value = digested(other.value);
      if (value !== null) digest?.add(value);
      to.reserve(room);
    }
    to.add('</row>');
  }

  #remember(index: number, row: PackedRow, styles: StyleIds): Remembered {
    const cell = this.#table.cell(index, row);
    const value = digested(cell.value);
    const known = { tail: new Snippet(cellTail(cell, styles)), share: value === null ? null : shareOf(value) };
    const remembered = this.#remembered[index]!;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(row[index], known);
    return known;
  }

  #looksIn(styles: StyleIds) {
    if (this.#looks?.styles === styles) return this.#looks;
    const { style } = this.#table.cell(0, []);
    this.#looks = {
      styles,
      text: startOf(style, styles, ' t="str"><v>'),
      empty: startOf(style, styles, '/>'),
      amounts: [],
    };
    return this.#looks;
  }
}

function startOf(style: Style | undefined, styles: StyleIds, rest: string): Snippet {
  return new Snippet(`"${style ? styles.attribute(style) : ''}${rest}`);
}

/** How many decimals a count of units is written with. */
function decimalsOf(count: number): number {
  if (count % 100 === 0) return 2;
  return count % 10 === 0 ? 3 : 4;
}

/** @returns the place behind the text, or -1 where a letter of it has to be written otherwise */
function lettersCopied(text: string, to: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // `_x0041_` stands for a letter in some programs' files.
    if (PLAIN[code] !== 1 || (code === X && index > 0 && to[at + index - 1] === UNDERSCORE)) return -1;
    to[at + index] = code;
  }
  return at + text.length;
}
