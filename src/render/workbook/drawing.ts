import { chartXml } from './chart.ts';
import type { Anchor, Chart, Picture, Sheet } from './model.ts';
import { DRAWING, OFFICE, type Relationship, relationships, XML_HEAD, xmlText } from './xml.ts';

/** English metric units, in which drawings are measured. */
const EMU_A_PIXEL = 9525;

/** A file inside the workbook that exceljs does not make. */
interface Part {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Null where the file's extension says it. */
  readonly contentType: string | null;
}

function hasDrawing(sheet: Sheet): boolean {
  return (sheet.pictures?.length ?? 0) + (sheet.charts?.length ?? 0) > 0;
}

/** The element at a sheet's end that refers to its drawing, the only relationship that our sheets have. */
export function drawingTail(sheet: Sheet): string {
  return hasDrawing(sheet) ? '<drawing r:id="rId1"/>' : '';
}

const CONTENT_TYPES = '[Content_Types].xml';

/** Adds the pictures and charts of a workbook's sheets to its other parts. */
export function addDrawings(files: Map<string, string | Uint8Array>, sheets: readonly Sheet[]): void {
  const parts = drawingParts(sheets);
  for (const { path, content } of parts) files.set(path, content);
  const added = parts.flatMap(({ path, contentType }) =>
    contentType ? [`<Override PartName="/${path}" ContentType="${contentType}"/>`] : [],
  );
  const pictures = ['png', 'jpeg'].map((kind) => `<Default Extension="${kind}" ContentType="image/${kind}"/>`);
  const types = Buffer.from(files.get(CONTENT_TYPES)!).toString('utf8');
  files.set(
    CONTENT_TYPES,
    types.replace(/(<Types [^>]*>)(.*)<\/Types>/s, `$1${pictures.join('')}$2${added.join('')}</Types>`),
  );
}

function drawingParts(sheets: readonly Sheet[]): Part[] {
  const parts: Part[] = [];
  sheets.forEach((sheet, index) => {
    if (!hasDrawing(sheet)) return;
    const number = index + 1;
    const { pictures = [], charts = [] } = sheet;
    const uses: Relationship[] = [
      ...pictures.map(({ kind }, i) => ({
        type: 'image' as const,
        target: `../media/image${number}-${i + 1}.${kind}`,
      })),
      ...charts.map((_, i) => ({ type: 'chart' as const, target: `../charts/chart${number}-${i + 1}.xml` })),
    ];
    const anchors = [
      ...pictures.map((picture, i) => pictureAnchor(picture, i + 1)),
      ...charts.map((chart, i) => chartAnchor(chart, pictures.length + i + 1)),
    ];
    parts.push(
      plain(
        `xl/worksheets/_rels/sheet${number}.xml.rels`,
        relationships([{ type: 'drawing', target: `../drawings/drawing${number}.xml` }]),
      ),
      {
        path: `xl/drawings/drawing${number}.xml`,
        contentType: 'application/vnd.openxmlformats-officedocument.drawing+xml',
        content: `${XML_HEAD}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}/relationships">${anchors.join('')}</xdr:wsDr>`,
      },
      plain(`xl/drawings/_rels/drawing${number}.xml.rels`, relationships(uses)),
      ...pictures.map(({ kind, bytes }, i) => plain(`xl/media/image${number}-${i + 1}.${kind}`, bytes)),
      ...charts.map((chart, i) => ({
        path: `xl/charts/chart${number}-${i + 1}.xml`,
        contentType: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
        content: chartXml(chart),
      })),
    );
  });
  return parts;
}

function plain(path: string, content: string | Uint8Array): Part {
  return { path, content, contentType: null };
}

function position(element: 'from' | 'to', { column, row }: Anchor): string {
  return `<xdr:${element}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${element}>`;
}

function pictureAnchor(picture: Picture, id: number): string {
  const extent = `cx="${picture.width * EMU_A_PIXEL}" cy="${picture.height * EMU_A_PIXEL}"`;
  // A little air to the edges of the cell.
  const from = position('from', picture.at).replaceAll('Off>0<', `Off>${6 * EMU_A_PIXEL}<`);
  return `<xdr:oneCellAnchor>${from}<xdr:ext ${extent}/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="Picture ${id}" descr="${xmlText(picture.description)}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${id}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`;
}

function chartAnchor(chart: Chart, id: number): string {
  return `<xdr:twoCellAnchor>${position('from', chart.from)}${position('to', chart.to)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${id}" name="Chart ${id}" descr="${xmlText(chart.title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="rId${id}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`;
}
