import { FileError } from '../../errors.ts';
import type { Scratch } from '../../files/index.ts';
import type { CellDigest } from '../../workbook-mark.ts';
import { type Deflated, Deflater, deflated, joined } from './deflated.ts';
import { addDrawings, drawingTail } from './drawing.ts';
import { type Extent, makeFrames, sheetPath } from './frames.ts';
import { LongPage } from './long-rows.ts';
import type { Line, Sheet, SheetCell, SheetTail, Workbook } from './model.ts';
import { assertSheetNames, columnLetters, MAX_ROWS } from './names.ts';
import { rowXml } from './row-xml.ts';
import { StyleIds } from './style-ids.ts';
import { digested } from './values.ts';
import { zipOf } from './zip.ts';

/**
 * Writes a workbook. Rows are deflated as they come, so that at most their deflated form is held; exceljs writes what is around them.
 *
 * @param scratch holds what is large until all is known that stands before it; in memory where absent
 * @returns the file's bytes: the same for the same workbook, whenever and wherever it is written
 */
export async function writeWorkbook(workbook: Workbook, scratch?: Scratch): Promise<AsyncIterable<Uint8Array>> {
  const { digest } = workbook;
  const styles = new StyleIds(workbook.language?.rightToLeft ?? false);
  const sheets: Sheet[] = [];
  const written: { extent: Extent; rows: Deflated }[] = [];
  // One sheet after the other: a later one may say what was learnt from those before it.
  for (const index of inOrder(workbook.sheets)) {
    const given = workbook.sheets[index]!;
    const sheet = typeof given === 'function' ? given() : given;
    sheets[index] = sheet;
    written[index] = await writeRows(sheet, styles, digest, new Deflater(scratch));
  }
  assertSheetNames(sheets.map(({ name }) => name));
  const frames = await makeFrames(
    { ...workbook, sheets },
    written.map(({ extent }) => extent),
    styles.all,
  );
  const files = new Map(frames.parts);
  addDrawings(files, sheets);
  const parts = new Map([...files].map(([path, content]) => [path, deflated(content)]));
  frames.sheets.forEach(({ head, foot }, i) => {
    const { rows, extent } = written[i]!;
    const end = `${ignoredErrors(extent.tail)}${drawingTail(sheets[i]!)}</worksheet>`;
    parts.set(sheetPath(i), joined([deflated(head, false), rows, deflated(foot.replace(/<\/worksheet>\s*$/, end))]));
  });
  return zipOf(parts);
}

/** The places of the sheets in the order in which they are written: those first that need no other. */
function inOrder(sheets: Workbook['sheets']): number[] {
  const places = [...sheets.keys()];
  const isLate = (index: number) => typeof sheets[index] === 'function';
  return [...places.filter((index) => !isLate(index)), ...places.filter(isLate)];
}

async function writeRows(
  sheet: Sheet,
  styles: StyleIds,
  digest: CellDigest | undefined,
  deflater: Deflater,
): Promise<{ extent: Extent; rows: Deflated }> {
  const [merges, pageBreaks, names]: [Extent['merges'][number][], number[], Extent['names'][number][]] = [[], [], []];
  let [row, columns] = [0, 0];
  let repeatedRow: number | null = null;
  const xmlOf = (line: Line): string => {
    row += 1;
    if (row > MAX_ROWS) throw tooLong(sheet.name);
    if (digest) addTo(digest, line);
    columns = Math.max(columns, line.cells.length);
    if (line.pageBreak) pageBreaks.push(row);
    if (line.repeated) repeatedRow = row;
    for (const [index, { span = 1, name }] of specialCells(line)) {
      if (span > 1) merges.push({ row, from: index + 1, to: index + span });
      columns = Math.max(columns, index + span);
      if (name) names.push({ name, cell: `$${columnLetters(index)}$${row}` });
    }
    return rowXml(row, line, styles);
  };
  const pages = Symbol.asyncIterator in sheet.lines ? sheet.lines : [sheet.lines];
  for await (const page of pages) {
    if (page instanceof LongPage) {
      const { rows, writer } = page;
      columns = Math.max(columns, writer.columns);
      for (const cells of rows) {
        row += 1;
        if (row > MAX_ROWS) throw tooLong(sheet.name);
        writer.write(cells, row, deflater.xml, styles, digest);
        if (deflater.isFull) await deflater.flush();
      }
      continue;
    }
    for (const line of page) {
      deflater.xml.add(xmlOf(line));
      if (deflater.isFull) await deflater.flush();
    }
  }
  const rows = deflater.end();
  const tail = sheet.tail?.() ?? {};
  return { rows, extent: { rows: row, columns, merges, pageBreaks, repeatedRow, names, tail } };
}

const NONE: readonly [number, SheetCell][] = [];

/** The cells of a line that have a name or cover others; nearly every line has none. */
function specialCells({ cells }: Line): readonly [number, SheetCell][] {
  let special = NONE;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (cell && (cell.span !== undefined || cell.name !== undefined)) special = [...special, [index, cell]];
  }
  return special;
}

function tooLong(name: string): FileError {
  return new FileError(
    `the sheet ${name} would have more than ${MAX_ROWS} rows, which no spreadsheet can hold`,
    'Ask for a shorter period, or for the report as CSV.',
  );
}

function addTo(digest: CellDigest, { cells }: Line): void {
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    if (!cell || cell.typed) continue;
    const value = digested(cell.value);
    if (value !== null) digest.add(value);
  }
}

function ignoredErrors({ textNumbers = [] }: SheetTail): string {
  const ranges = textNumbers.map((range) => `<ignoredError sqref="${range}" numberStoredAsText="1"/>`);
  return ranges.length > 0 ? `<ignoredErrors>${ranges.join('')}</ignoredErrors>` : '';
}
