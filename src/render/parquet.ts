import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { LedgerError, MoneyError } from '../base/errors.ts';
import { VERSION } from '../base/version.ts';
import { formatGrouped } from '../money/decimal.ts';
import { amountOfUnits } from '../money/units.ts';
import { renderingError } from '../words/errors/rendering.ts';
import { writeDocument } from './output.ts';

/** `money` is DECIMAL(18,4), `integer` INT64, `instant` a TIMESTAMP of UTC. Days and instants come as ISO texts. */
export type ParquetType = 'text' | 'integer' | 'money' | 'day' | 'instant';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
  readonly nullable?: boolean;
}

/** Text, a whole number, or money as units of 1/10,000. */
export type ParquetCell = string | number | bigint | null;

export interface ParquetTable {
  readonly name: string;
  readonly columns: readonly ParquetColumn[];
  /** Rows, each with a cell for every column in its order; read once, a batch at a time. */
  readonly batches: Iterable<readonly (readonly ParquetCell[])[]> | AsyncIterable<readonly (readonly ParquetCell[])[]>;
}

/** The rows of a row group, which is held in memory and can be read on its own. */
const ROWS_A_GROUP = 50_000;
/** The digits and decimals of money: DECIMAL(18,4). */
const DIGITS = 18;
const DECIMALS = 4;
const MONEY_LIMIT = 10n ** BigInt(DIGITS);

/**
 * A table as a Parquet file, piece by piece. The same rows give the same bytes.
 *
 * @throws MoneyError naming table, column and row, for money of more than 18 digits,
 *   which the file could not hold exactly
 */
export async function* parquetPieces({ name, columns, batches }: ParquetTable): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)];
  const file = new ParquetWriter({ writer, schema, createdBy: `remit ${VERSION}` });
  let group: (readonly ParquetCell[])[] = [];
  let rowsBefore = 0;
  const flush = (): Uint8Array => {
    const columnData = columns.map((column, at) => ({
      name: column.name,
      data: group.map((row, line) =>
        cellOf(row[at], column, () => `${name}.${column.name}, row ${rowsBefore + line + 1}`),
      ),
    }));
    rowsBefore += group.length;
    group = [];
    file.write({ columnData, rowGroupSize: ROWS_A_GROUP });
    return takeBytes(writer);
  };
  for await (const batch of batches) {
    for (const row of batch) {
      group.push(row);
      if (group.length === ROWS_A_GROUP) yield flush();
    }
  }
  if (group.length > 0) yield flush();
  file.finish();
  yield takeBytes(writer);
}

/**
 * Writes a table to a Parquet file, which appears whole or not at all.
 *
 * @throws MoneyError as {@link parquetPieces}; FileError if the file cannot be written
 */
export async function writeParquet(target: string, table: ParquetTable): Promise<void> {
  await writeDocument(target, async () => parquetPieces(table));
}

/** Takes the bytes written since the last call out of the writer, which goes on counting the file's bytes. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

function elementOf({ name, type, nullable }: ParquetColumn): SchemaElement {
  return { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED', ...ELEMENTS[type] };
}

const DECIMAL = { precision: DIGITS, scale: DECIMALS };

const ELEMENTS: Readonly<Record<ParquetType, Omit<SchemaElement, 'name' | 'repetition_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT64' },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  // Not `isAdjustedToUTC`: DuckDB would show a TIMESTAMPTZ, in the time zone of whoever looks.
  instant: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
  money: { type: 'INT64', converted_type: 'DECIMAL', ...DECIMAL, logical_type: { type: 'DECIMAL', ...DECIMAL } },
};

function cellOf(
  cell: ParquetCell | undefined,
  { type, nullable }: ParquetColumn,
  place: () => string,
): string | bigint | Date | null {
  if (cell === null || cell === undefined) {
    if (nullable) return null;
    throw wrongCell(place(), 'nothing', type);
  }
  switch (type) {
    case 'text':
      if (typeof cell !== 'string') throw wrongCell(place(), typeof cell, type);
      return cell;
    case 'integer':
      return integerOf(cell, place);
    case 'day':
    case 'instant': {
      const time = typeof cell === 'string' ? new Date(cell) : null;
      if (time === null || Number.isNaN(time.getTime())) throw wrongCell(place(), String(cell).slice(0, 40), type);
      return time;
    }
    case 'money':
      if (typeof cell !== 'bigint') throw wrongCell(place(), typeof cell, type);
      if (cell > -MONEY_LIMIT && cell < MONEY_LIMIT) return cell;
      throw new MoneyError(
        renderingError({
          id: 'too-many-digits',
          place: place(),
          amount: formatGrouped(amountOfUnits(cell)),
          most: DIGITS,
        }),
      );
  }
}

const INTEGER_LIMIT = 2n ** 63n;

function integerOf(cell: string | number | bigint, place: () => string): bigint {
  if (typeof cell === 'number' && Number.isSafeInteger(cell)) return BigInt(cell);
  if (typeof cell === 'bigint' && cell >= -INTEGER_LIMIT && cell < INTEGER_LIMIT) return cell;
  throw wrongCell(place(), `the ${typeof cell} ${String(cell).slice(0, 40)}`, 'integer');
}

function wrongCell(place: string, found: string, type: ParquetType): LedgerError {
  return new LedgerError(renderingError({ id: 'wrong-cell', place, found, type }));
}
