import { readFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { ImportFileError } from '../../src/base/errors.ts';
import { type FileOf, readBytes, sampleBytes } from '../../src/imports/formats/read-bytes.ts';
import type { TableSample } from '../../src/imports/formats/read-table.ts';
import type { ColumnMap, ImportKind } from '../../src/imports/maps/column-map.ts';

/** A fixture of a bank or shop. */
export function bankFile(name: string): Buffer {
  return readFileSync(path.resolve('test/fixtures/books', name));
}

/** Reads bytes or text as a file of a kind. */
export function read<K extends ImportKind>(
  kind: K,
  content: string | Uint8Array,
  name = 'file.csv',
  map: Partial<ColumnMap> | null = null,
): FileOf[K] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return readBytes(kind, bytes, name, { map: map === null ? null : { name: 'test', kind, columns: {}, ...map } });
}

/** Reads what a person sees of a file before its columns are known. */
export function sample(kind: ImportKind, bytes: Uint8Array, name: string, map: Partial<ColumnMap>): TableSample {
  return sampleBytes(kind, bytes, name, { map: { name: 'test', kind, columns: {}, ...map } });
}

/** The error with which a file is refused. */
export function refusal(
  kind: ImportKind,
  content: string | Uint8Array,
  name = 'file.csv',
  map: Partial<ColumnMap> | null = null,
): ImportFileError {
  let result: unknown;
  try {
    result = read(kind, content, name, map);
  } catch (error) {
    if (error instanceof ImportFileError) return error;
    throw error;
  }
  throw new Error(`it was read: ${JSON.stringify(result)?.slice(0, 500)}`);
}

export interface SheetSource {
  readonly name: string;
  /** The inside of `<sheetData>`. */
  readonly rows: string;
  readonly hidden?: boolean;
  readonly after?: string;
}

/**
 * A workbook made of XML by hand, so that it can hold what no library would write. Style 1 is a date, style 2 two
 * decimals.
 */
export function workbook(
  sheets: readonly SheetSource[],
  options: { from1904?: boolean; strings?: readonly string[]; parts?: Zippable } = {},
): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts: Zippable = {
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${main}" xmlns:r="${relations}" xmlns:x15="urn:later"><workbookPr${options.from1904 ? ' date1904="1"' : ''}/><x15:workbookPr date1904="0"/><sheets>${sheets
        .map(
          ({ name, hidden }, i) =>
            `<sheet name="${name}" sheetId="${i + 1}"${hidden ? ' state="hidden"' : ''} r:id="r${i}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets
        .map((_, i) => `<Relationship Id="r${i}" Type="${relations}/worksheet" Target="worksheets/sheet${i}.xml"/>`)
        .join(
          '',
        )}<Relationship Id="s" Type="${relations}/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="t" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/sharedStrings.xml': strToU8(
      `<sst xmlns="${main}">${(options.strings ?? []).map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ),
    'xl/styles.xml': strToU8(
      `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="2"/></cellXfs></styleSheet>`,
    ),
    ...options.parts,
  };
  for (const [i, { rows, after }] of sheets.entries()) {
    parts[`xl/worksheets/sheet${i}.xml`] = strToU8(
      `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${after ?? ''}</worksheet>`,
    );
  }
  return zipSync(parts);
}

/** A row of inline texts, or of cells as XML where one begins with `<`. */
export function sheetRow(line: number, ...cells: readonly string[]): string {
  const made = cells.map((cell, i) => {
    const address = `${String.fromCharCode(65 + i)}${line}`;
    return cell.startsWith('<c')
      ? cell.replace('<c', `<c r="${address}"`)
      : `<c r="${address}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${line}">${made.join('')}</row>`;
}
