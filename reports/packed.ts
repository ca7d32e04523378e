import { type Count, formatCount } from '../src/money/index.ts';
import type { Cell, Column, Row } from './model.ts';

/** A row of a long table: a cell a column, in their order, money as a count of ledger units. */
export type PackedRow = readonly (Cell | Count)[];

/**
 * The rows of a table whose cells are too many to be named one by one. Whoever wants them as other rows are reads them so; a renderer that
 * knows them reads the pages.
 */
export class PackedRows implements AsyncIterable<Row> {
  readonly pages: AsyncIterable<Iterable<PackedRow>>;
  readonly #columns: readonly Column[];

  /** @param pages read once, by whichever way is asked for first */
  constructor(columns: readonly Column[], pages: AsyncIterable<Iterable<PackedRow>>) {
    this.#columns = columns;
    this.pages = pages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    for await (const page of this.pages) for (const row of page) yield unpacked(this.#columns, row);
  }
}

/** A packed row as other rows are: its cells by name, money as plain decimals. */
export function unpacked(columns: readonly Column[], cells: PackedRow): Row {
  const row: Record<string, Cell> = {};
  for (const [index, { name, type }] of columns.entries()) {
    const cell = cells[index] ?? null;
    const isMoney = type === 'money' && cell !== null && typeof cell !== 'string';
    row[name] = isMoney ? formatCount(cell) : (cell as Cell);
  }
  return row;
}
