import { ENGLISH } from '../../words/index.ts';
import { drawingParts } from './drawing.ts';
import type { Workbook } from './model.ts';
import { SheetXml } from './sheet-xml.ts';
import { Styles } from './styles.ts';
import { contentTypesPart, propertiesPart, ROOT_RELATIONSHIPS, sheetPath, workbookParts } from './workbook-xml.ts';
import { type Part, zipOf } from './zip.ts';

/**
 * Writes a workbook as an XLSX file (ECMA-376), row by row as the lines of its sheets are read, so that no sheet is ever held whole.
 *
 * @returns the file's bytes: the same for the same workbook, whenever and wherever it is written
 * @throws FileError where a sheet or the file would be larger than a spreadsheet program reads
 */
export function writeWorkbook(workbook: Workbook): AsyncIterable<Uint8Array> {
  return zipOf(listed(partsOf(workbook)));
}

/** Each part is written before the next one is made. */
async function* partsOf(workbook: Workbook): AsyncGenerator<Part> {
  const { language = ENGLISH, digest, print } = workbook;
  const styles = new Styles(language.rightToLeft);
  const written: SheetXml[] = [];
  yield ROOT_RELATIONSHIPS;
  yield propertiesPart(workbook);
  for (const index of inOrder(workbook.sheets)) {
    const given = workbook.sheets[index]!;
    const sheet = typeof given === 'function' ? given() : given;
    const xml = new SheetXml(sheet, { language, styles, digest, print });
    written[index] = xml;
    yield { path: sheetPath(index + 1), content: xml.content() };
    yield* drawingParts(sheet, index + 1);
  }
  yield* workbookParts(written, styles.xml());
}

/** The sheets' indexes in the order of writing: those made from other sheets come last. */
function inOrder(sheets: Workbook['sheets']): number[] {
  const places = [...sheets.keys()];
  const isLate = (index: number) => typeof sheets[index] === 'function';
  return [...places.filter((index) => !isLate(index)), ...places.filter(isLate)];
}

/** The parts, and last the one that lists them. */
async function* listed(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const paths: string[] = [];
  for await (const part of parts) {
    paths.push(part.path);
    yield part;
  }
  yield contentTypesPart(paths);
}
