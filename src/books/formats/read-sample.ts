import { guessMap } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { readCsv } from './csv.ts';
import { decodeText } from './encoding.ts';
import { FileFault } from './fault.ts';
import { noSheet } from './read-table.ts';
import { recognise } from './recognise.ts';
import { type Table, textOf } from './table.ts';
import { openWorkbook } from './xlsx.ts';

/** What is shown of a table before a person says what its columns are. */
export interface TableSample {
  readonly headers: readonly string[];
  /** Its first rows, as texts. */
  readonly rows: readonly (readonly string[])[];
  /** A map by what the headers seem to say; what they do not say is `...`. */
  readonly guess: ColumnMap;
}

const SAMPLE_ROWS = 3;

/** The headers and first rows of a CSV file or workbook, with a guess of what its columns are. @throws FileFault */
export function readSample(
  kind: ImportKind,
  bytes: Uint8Array,
  fileName: string,
  named: ColumnMap | null,
): TableSample {
  const format = recognise(bytes, named?.format === 'csv' ? 'named.csv' : fileName);
  if (format !== 'csv' && format !== 'xlsx')
    throw new FileFault(`it is ${format}, which has no columns`, 'It needs no columns in a map.');
  const { headers, rows } = format === 'csv' ? csvTable(bytes, named) : sheetTable(bytes, named);
  return {
    headers,
    rows: rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.map(textOf)),
    guess: guessMap(kind, headers, named?.name),
  };
}

function csvTable(bytes: Uint8Array, named: ColumnMap | null): Table {
  const text = decodeText(bytes, null, named?.encoding ?? null);
  return readCsv(text, { delimiter: named?.delimiter, skipRows: named?.skip_rows });
}

function sheetTable(bytes: Uint8Array, named: ColumnMap | null): Table {
  const book = openWorkbook(bytes);
  const shown = book.sheets.filter((sheet) => !sheet.hidden && book.headersOf(sheet, named?.skip_rows).length > 0);
  const sheet = shown.find(({ name }) => name === named?.sheet) ?? shown[0];
  if (sheet === undefined) throw noSheet(book, named?.skip_rows ?? 0);
  return book.read(sheet, named?.skip_rows);
}
