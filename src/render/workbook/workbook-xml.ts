import { FileError } from '../../base/errors.ts';
import { because } from '../../words/errors/rendering.ts';
import type { Workbook } from './model.ts';
import type { SheetXml } from './sheet-xml.ts';
import { OFFICE, PACKAGE, type Relationship, relationshipsXml, SPREADSHEET, XML_HEAD, xmlText } from './xml.ts';
import type { Part } from './zip.ts';

const STYLES = 'xl/styles.xml';
const WORKBOOK = 'xl/workbook.xml';
const PROPERTIES = 'docProps/core.xml';

/** The path of a sheet in the workbook's zip. @param number the sheet's, from 1 */
export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/** The part by which programs recognise the zip as a workbook. */
export const ROOT_RELATIONSHIPS: Part = {
  path: '_rels/.rels',
  content: relationshipsXml([
    { type: 'officeDocument', target: WORKBOOK },
    { type: 'core-properties', target: PROPERTIES },
  ]),
};

/** The file's properties: title, subject and date. */
export function propertiesPart({ title, subject, date }: Workbook): Part {
  const time = (name: string) =>
    `<dcterms:${name} xsi:type="dcterms:W3CDTF">${date.toISOString().slice(0, 19)}Z</dcterms:${name}>`;
  return {
    path: PROPERTIES,
    content: `${XML_HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:subject>${xmlText(subject)}</dc:subject><dc:creator>remit</dc:creator><cp:lastModifiedBy>remit</cp:lastModifiedBy>${time('created')}${time('modified')}</cp:coreProperties>`,
  };
}

/** The parts that list the sheets, made when all are written: their names, the named cells, and the print titles. */
export function workbookParts(sheets: readonly SheetXml[], styles: string): Part[] {
  assertSheetNames(sheets.map(({ sheet }) => sheet.name));
  const listed = sheets.map(
    ({ sheet }, i) => `<sheet name="${xmlText(sheet.name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  );
  const names = [
    ...sheets.flatMap(({ sheet, names }) =>
      names.map(({ name, cell }) => `<definedName name="${name}">${xmlText(`'${sheet.name}'!${cell}`)}</definedName>`),
    ),
    ...sheets.flatMap(({ printArea, printTitles }, i) =>
      Object.entries({ Print_Area: printArea, Print_Titles: printTitles }).flatMap(([name, cells]) =>
        cells === null ? [] : [`<definedName name="_xlnm.${name}" localSheetId="${i}">${xmlText(cells)}</definedName>`],
      ),
    ),
  ];
  const defined = names.length > 0 ? `<definedNames>${names.join('')}</definedNames>` : '';
  const uses: Relationship[] = [
    ...sheets.map((_, i) => ({ type: 'worksheet' as const, target: fromWorkbook(sheetPath(i + 1)) })),
    { type: 'styles', target: fromWorkbook(STYLES) },
  ];
  return [
    { path: STYLES, content: styles },
    {
      path: WORKBOOK,
      content: `${XML_HEAD}<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}/relationships"><bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="16200"/></bookViews><sheets>${listed.join('')}</sheets>${defined}<calcPr calcId="171027"/></workbook>`,
    },
    { path: 'xl/_rels/workbook.xml.rels', content: relationshipsXml(uses) },
  ];
}

/** A part's path as seen from the folder of the workbook's own part. */
function fromWorkbook(path: string): string {
  return path.replace('xl/', '');
}

const CONTENT_TYPES: readonly (readonly [folder: string, type: string])[] = [
  [WORKBOOK, 'spreadsheetml.sheet.main'],
  [STYLES, 'spreadsheetml.styles'],
  ['xl/worksheets/sheet', 'spreadsheetml.worksheet'],
  ['xl/drawings/drawing', 'drawing'],
  ['xl/charts/chart', 'drawingml.chart'],
];

/** The part that gives the content type of each other part. @param paths of all others */
export function contentTypesPart(paths: readonly string[]): Part {
  const overrides = paths.flatMap((path) => {
    if (path === PROPERTIES) return overrideXml(path, 'application/vnd.openxmlformats-package.core-properties+xml');
    const type = CONTENT_TYPES.find(([start]) => path.startsWith(start))?.[1];
    return type ? overrideXml(path, `application/vnd.openxmlformats-officedocument.${type}+xml`) : [];
  });
  return {
    path: '[Content_Types].xml',
    content: `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/>${overrides.join('')}</Types>`,
  };
}

function overrideXml(path: string, type: string): string[] {
  return [`<Override PartName="/${path}" ContentType="${type}"/>`];
}

const MAX_NAME = 31;
const FORBIDDEN = /[[\]:*?/\\']/;

/**
 * Checks the names of a workbook's sheets: 1 to 31 characters, none of `[ ] : * ? / \ '`, no two alike but for case, and
 * not `History`, which Excel keeps for itself.
 */
function assertSheetNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (name === '' || name.length > MAX_NAME || FORBIDDEN.test(name) || key === 'history' || seen.has(key)) {
      throw new FileError(because({ id: 'sheet-name', name }));
    }
    seen.add(key);
  }
}
